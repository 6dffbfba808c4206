import type { HttpClient } from '../common/http-client.js';
import {
  applications,
  type Applications,
  servicePrincipals,
  type ServicePrincipals,
} from './applications.js';
import { authenticationMethods, type AuthenticationMethods } from './authentication-methods.js';
import { me, type Me } from './me.js';
import { users, type Users } from './users.js';
import { type BatchRequest, type BatchResponse, sendBatch } from './batch.js';
import { referenceTo } from './request.js';
import {
  deletedItems,
  type DeletedItems,
  directoryObjects,
  type DirectoryObjects,
} from './directory-objects.js';
import { groups, type Groups } from './groups.js';
import { objects, type Objects, readableObjects, type ReadableObjects } from './objects.js';
import { type CallOptions, connect, type DirectoryClientOptions } from './connection.js';
import {
  administrativeUnits,
  type AdministrativeUnits,
  directoryRoles,
  type DirectoryRoles,
  roleManagement,
  type RoleManagement,
} from './roles.js';
import type { GroupLifecyclePolicy, GroupSetting, GroupSettingTemplate } from './types/group.js';
import type { ClaimsMappingPolicy, OAuth2PermissionGrant } from './types/application.js';
import type { Contact } from './types/contact.js';
import type { Device } from './types/device.js';
import type { Domain } from './types/domain.js';

/**
 * Everything the directory service offers, typed.
 *
 * All collections have `get` (throws on 404), `find` (undefined on 404), `list` (page by page) and
 * `count`; most also `create`, `update` and `delete`. Relationships take the id of the object
 * first: `groups.members.add(groupId, userId)`. Each call may name a `version` ('v1.0' or 'beta')
 * and a `signal`; reads also `select` and `expand`; listings also `filter`, `search`, `orderby`,
 * `pageSize` and `advanced`.
 */
export interface DirectoryClient {
  /** The signed-in user. */
  readonly me: Me;
  /** Users, by id or user principal name. */
  readonly users: Users;
  /** The authentication methods of users: add, change and remove them. */
  readonly authenticationMethods: AuthenticationMethods;
  /** Security groups and unified groups. */
  readonly groups: Groups;
  /** The settings of the whole tenant; those of one group are at `groups.settings`. */
  readonly groupSettings: Objects<GroupSetting>;
  /** The templates from which settings are made. */
  readonly groupSettingTemplates: ReadableObjects<GroupSettingTemplate>;
  /** The lifecycle policies of unified groups. */
  readonly groupLifecyclePolicies: Objects<GroupLifecyclePolicy>;
  /** Application registrations. */
  readonly applications: Applications;
  /** The service principals of the tenant. */
  readonly servicePrincipals: ServicePrincipals;
  /** Delegated permissions that are granted to applications. */
  readonly oauth2PermissionGrants: Objects<OAuth2PermissionGrant>;
  /** Policies that map claims into tokens. */
  readonly claimsMappingPolicies: Objects<ClaimsMappingPolicy>;
  /** Devices. */
  readonly devices: Objects<Device>;
  /** External contacts of the organization. */
  readonly contacts: ReadableObjects<Contact>;
  /** The domains of the tenant. */
  readonly domains: ReadableObjects<Domain>;
  /** Administrative units, with their members and scoped roles. */
  readonly administrativeUnits: AdministrativeUnits;
  /** Activated directory roles and their members. */
  readonly directoryRoles: DirectoryRoles;
  /** Role definitions and their assignments. */
  readonly roleManagement: RoleManagement;
  /** Objects of any type, by id. */
  readonly directoryObjects: DirectoryObjects;
  /** Deleted objects that can be restored. */
  readonly deletedItems: DeletedItems;
  /** The address of an object for use in bodies, such as in `owners@odata.bind`. */
  reference(id: string, call?: CallOptions): string;
  /** Sends requests in batches of 20, and returns an answer for each. */
  batch(requests: readonly BatchRequest[], call?: CallOptions): Promise<readonly BatchResponse[]>;
  /** A collection by its path below the version segment, for collections without a member here. */
  collection<T, Draft = Partial<T>>(path: string): Objects<T, Draft>;
  /** The underlying connection. */
  readonly http: HttpClient;
}

/**
 * A client of the directory service: Castellan's own or the cloud's.
 *
 * @example
 * const directory = createDirectoryClient({ dialect: 'azure', credential: azureCliCredential() });
 * for await (const group of directory.groups.list({
 *   filter: `startsWith(displayName,${quote('sales')})`,
 * }))
 *   console.log(group.id);
 *
 * @example
 * // Against your own service
 * const directory = createDirectoryClient({
 *   baseUrl: 'http://127.0.0.1:8080',
 *   credential: staticToken(token),
 * });
 * await directory.groups.members.add(groupId, userId);
 */
export function createDirectoryClient(options: DirectoryClientOptions = {}): DirectoryClient {
  const connection = connect(options);
  return {
    me: me(connection),
    users: users(connection),
    authenticationMethods: authenticationMethods(connection),
    groups: groups(connection),
    groupSettings: objects(connection, 'groupSettings'),
    groupSettingTemplates: readableObjects(connection, 'groupSettingTemplates'),
    groupLifecyclePolicies: objects(connection, 'groupLifecyclePolicies'),
    applications: applications(connection),
    servicePrincipals: servicePrincipals(connection),
    oauth2PermissionGrants: objects(connection, 'oauth2PermissionGrants'),
    claimsMappingPolicies: objects(connection, 'policies/claimsMappingPolicies'),
    devices: objects(connection, 'devices'),
    contacts: readableObjects(connection, 'contacts'),
    domains: readableObjects(connection, 'domains'),
    administrativeUnits: administrativeUnits(connection),
    directoryRoles: directoryRoles(connection),
    roleManagement: roleManagement(connection),
    directoryObjects: directoryObjects(connection),
    deletedItems: deletedItems(connection),
    reference: (id, call) => referenceTo(connection, id, call),
    batch: (requests, call) => sendBatch(connection, requests, call),
    collection: (path) => objects(connection, path),
    http: connection.http,
  };
}
