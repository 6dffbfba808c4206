import type { HttpClient } from '../common/http-client.js';
import { eventstreams, type Eventstreams } from './eventstreams.js';
import { folders, type Folders } from './folders.js';
import type { CreateItemRequest, Eventhouse, KqlDatabase } from './item.js';
import { genericItems, type GenericItems, itemFamily, type ItemFamily } from './items.js';
import { connect, type ItemsClientOptions } from './connection.js';
import { roleAssignments, type RoleAssignments } from './role-assignments.js';
import { tenantListings, type TenantListings, workspaces, type Workspaces } from './workspaces.js';

/** Everything the workspace items service offers, typed. */
export interface ItemsClient extends TenantListings {
  /** Workspaces, with their capacity and identity. */
  readonly workspaces: Workspaces;
  /** The role assignments of a workspace. */
  readonly roleAssignments: RoleAssignments;
  /** The folders of a workspace. */
  readonly folders: Folders;
  /** The operations of all item types. */
  readonly items: GenericItems;
  /** Eventhouses, with their definitions. */
  readonly eventhouses: ItemFamily<Eventhouse>;
  /** Eventstreams, with their definitions and the state of their nodes. */
  readonly eventstreams: Eventstreams;
  /** Query databases of eventhouses. */
  readonly kqlDatabases: ItemFamily<KqlDatabase>;
  /** The underlying connection, for requests that have no method here. */
  readonly http: HttpClient;
}

/**
 * A client of the workspace items service: Castellan's own or the cloud's.
 *
 * @example
 * const items = createItemsClient({ dialect: 'azure', credential: azureCliCredential() });
 * const house = await items.eventhouses.create(workspaceId, { displayName: 'telemetry' });
 */
export function createItemsClient(options: ItemsClientOptions): ItemsClient {
  const connection = connect(options);
  return {
    http: connection.http,
    workspaces: workspaces(connection),
    roleAssignments: roleAssignments(connection),
    folders: folders(connection),
    items: genericItems(connection),
    eventhouses: itemFamily<Eventhouse, CreateItemRequest>(connection, 'eventhouses'),
    eventstreams: eventstreams(connection),
    kqlDatabases: itemFamily<KqlDatabase, CreateItemRequest>(connection, 'kqlDatabases'),
    ...tenantListings(connection),
  };
}
