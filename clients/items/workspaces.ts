import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { UpdateItem, Principal } from './item.js';
import { type CallOptions, type ItemsConnection, signalOf } from './options.js';

/** Workspaces, with their capacity and identity. */
export interface Workspaces {
  create(workspace: CreateWorkspace, call?: CallOptions): Promise<Workspace>;
  get(workspaceId: string, call?: CallOptions): Promise<Workspace>;
  list(call?: CallOptions): AsyncIterable<Workspace>;
  update(workspaceId: string, change: UpdateItem, call?: CallOptions): Promise<Workspace>;
  delete(workspaceId: string, call?: CallOptions): Promise<void>;
  assignToCapacity(workspaceId: string, capacityId: string, call?: CallOptions): Promise<void>;
  unassignFromCapacity(workspaceId: string, call?: CallOptions): Promise<void>;
  /** Creates an identity for the workspace. */
  provisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
  deprovisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
}

/** The workspace endpoints. */
export function workspaces({ http, send, sendAndWait }: ItemsConnection): Workspaces {
  const path = (workspaceId: string, verb = ''): string =>
    `/v1/workspaces/${segment(workspaceId)}${verb}`;
  // Assignments answer 202 without an address to poll; identities may be waited for.
  const post = (
    workspaceId: string,
    verb: string,
    body: unknown,
    call?: CallOptions,
  ): Promise<void> => sendAndWait('POST', path(workspaceId, verb), call, { body });
  return {
    create: (workspace, call) =>
      send('POST', '/v1/workspaces', call, { body: workspace, expect: [201] }),
    get: (workspaceId, call) => send('GET', path(workspaceId), call),
    list: (call) => entriesOf<Workspace>(http, { path: '/v1/workspaces', ...signalOf(call) }),
    update: (workspaceId, change, call) => send('PATCH', path(workspaceId), call, { body: change }),
    delete: (workspaceId, call) => send('DELETE', path(workspaceId), call),
    assignToCapacity: (workspaceId, capacityId, call) =>
      post(workspaceId, '/assignToCapacity', { capacityId }, call),
    unassignFromCapacity: (workspaceId, call) =>
      post(workspaceId, '/unassignFromCapacity', undefined, call),
    provisionIdentity: (workspaceId, call) =>
      post(workspaceId, '/provisionIdentity', undefined, call),
    deprovisionIdentity: (workspaceId, call) =>
      post(workspaceId, '/deprovisionIdentity', undefined, call),
  };
}

/** Listings that belong to no workspace. */
export interface Catalogues {
  capacities(call?: CallOptions): AsyncIterable<Capacity>;
  tags(call?: CallOptions): AsyncIterable<Tag>;
}

/** Capacities and tags that the caller may use. */
export function catalogues({ http }: ItemsConnection): Catalogues {
  return {
    capacities: (call) => entriesOf<Capacity>(http, { path: '/v1/capacities', ...signalOf(call) }),
    tags: (call) => entriesOf<Tag>(http, { path: '/v1/tags', ...signalOf(call) }),
  };
}

/** A workspace, which contains items and folders. */
export interface Workspace {
  /** The id, a GUID. */
  readonly id: string;
  /** The name, unique in the tenant. */
  readonly displayName: string;
  /** The description; empty by default. */
  readonly description: string;
  /** `Personal` is one user's own workspace, `AdminWorkspace` that of the administrators. */
  readonly type: 'Workspace' | 'Personal' | 'AdminWorkspace' | (string & {});
  /** The capacity of the workspace. @default none */
  readonly capacityId?: string;
  /** The region of that capacity. */
  readonly capacityRegion?: string;
  /** The state of the last assignment to a capacity. */
  readonly capacityAssignmentProgress?: 'Completed' | 'Failed' | 'InProgress' | (string & {});
  /** The addresses of its files. */
  readonly oneLakeEndpoints?: { readonly blobEndpoint: string; readonly dfsEndpoint: string };
  /** Its own identity, where it has one. */
  readonly workspaceIdentity?: {
    readonly applicationId: string;
    readonly servicePrincipalId: string;
  };
}

/** The properties of a new workspace. */
export interface CreateWorkspace {
  readonly displayName: string;
  readonly description?: string;
  readonly capacityId?: string;
}

/** A capacity on which workspaces run. */
export interface Capacity {
  readonly id: string;
  readonly displayName: string;
  readonly sku: string;
  readonly region: string;
  readonly state: 'Active' | 'Inactive' | (string & {});
}

/** A folder in a workspace. */
export interface Folder {
  readonly id: string;
  readonly displayName: string;
  readonly workspaceId: string;
  readonly parentFolderId?: string;
}

/** What a principal may do in a workspace. */
export type WorkspaceRole = 'Admin' | 'Member' | 'Contributor' | 'Viewer';

/** A principal's role in a workspace. */
export interface RoleAssignment {
  readonly id: string;
  readonly principal: Principal;
  readonly role: WorkspaceRole;
}

/** A tag that can be put on items. */
export interface Tag {
  readonly id: string;
  readonly displayName: string;
}

/** The role assignments of a workspace. */
export interface RoleAssignments {
  create(
    workspaceId: string,
    assignment: {
      readonly principal: { readonly id: string; readonly type: string };
      readonly role: WorkspaceRole;
    },
    call?: CallOptions,
  ): Promise<RoleAssignment>;
  get(workspaceId: string, assignmentId: string, call?: CallOptions): Promise<RoleAssignment>;
  list(workspaceId: string, call?: CallOptions): AsyncIterable<RoleAssignment>;
  update(
    workspaceId: string,
    assignmentId: string,
    role: WorkspaceRole,
    call?: CallOptions,
  ): Promise<RoleAssignment>;
  delete(workspaceId: string, assignmentId: string, call?: CallOptions): Promise<void>;
}

/** The role assignment endpoints. */
export function roleAssignments({ http, send }: ItemsConnection): RoleAssignments {
  const listPath = (workspaceId: string): string =>
    `/v1/workspaces/${segment(workspaceId)}/roleAssignments`;
  const path = (workspaceId: string, id: string): string =>
    `${listPath(workspaceId)}/${segment(id)}`;
  return {
    create: (workspaceId, assignment, call) =>
      send('POST', listPath(workspaceId), call, { body: assignment, expect: [201] }),
    get: (workspaceId, id, call) => send('GET', path(workspaceId, id), call),
    list: (workspaceId, call) =>
      entriesOf<RoleAssignment>(http, { path: listPath(workspaceId), ...signalOf(call) }),
    update: (workspaceId, id, role, call) =>
      send('PATCH', path(workspaceId, id), call, { body: { role } }),
    delete: (workspaceId, id, call) => send('DELETE', path(workspaceId, id), call),
  };
}
