import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { UpdateItemRequest } from './item.js';
import { type CallOptions, type ItemsConnection, signalOf } from './connection.js';

/** Workspaces, with their capacity and identity. */
export interface Workspaces {
  create(workspace: CreateWorkspaceRequest, call?: CallOptions): Promise<Workspace>;
  get(workspaceId: string, call?: CallOptions): Promise<Workspace>;
  list(call?: CallOptions): AsyncIterable<Workspace>;
  update(workspaceId: string, change: UpdateItemRequest, call?: CallOptions): Promise<Workspace>;
  delete(workspaceId: string, call?: CallOptions): Promise<void>;
  assignToCapacity(workspaceId: string, capacityId: string, call?: CallOptions): Promise<void>;
  unassignFromCapacity(workspaceId: string, call?: CallOptions): Promise<void>;
  /** Creates an identity for the workspace. */
  provisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
  deprovisionIdentity(workspaceId: string, call?: CallOptions): Promise<void>;
}

/** The workspace endpoints. */
export function workspaces({ http, send, sendAndWait }: ItemsConnection): Workspaces {
  const path = (workspaceId: string, action = ''): string =>
    `/v1/workspaces/${segment(workspaceId)}${action}`;
  // Identities have an operation to wait for; capacity assignments answer 202 without one, and
  // return at once.
  const post = (
    workspaceId: string,
    action: string,
    body: unknown,
    call?: CallOptions,
  ): Promise<void> => sendAndWait('POST', path(workspaceId, action), call, { body });
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
export interface TenantListings {
  capacities(call?: CallOptions): AsyncIterable<Capacity>;
  tags(call?: CallOptions): AsyncIterable<Tag>;
}

/** Capacities and tags that the caller may use. */
export function tenantListings({ http }: ItemsConnection): TenantListings {
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
    /** The client id. */
    readonly applicationId: string;
    /** The object id of its service principal in the directory. */
    readonly servicePrincipalId: string;
  };
}

/** The properties of a new workspace. */
export interface CreateWorkspaceRequest {
  readonly displayName: string;
  readonly description?: string;
  readonly capacityId?: string;
}

/** A capacity on which workspaces run. */
export interface Capacity {
  readonly id: string;
  readonly displayName: string;
  /** Its size, such as `F64`. */
  readonly sku: string;
  /** The name of its region, such as `West Europe`. */
  readonly region: string;
  readonly state: 'Active' | 'Inactive' | (string & {});
}

/** A tag that can be put on items. */
export interface Tag {
  readonly id: string;
  readonly displayName: string;
}
