import type { Principal } from './principal.js';

/** A workspace: what holds items and folders. */
export interface Workspace {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly type: 'Workspace' | 'Personal' | 'AdminWorkspace' | (string & {});
  readonly capacityId?: string;
  readonly capacityRegion?: string;
  readonly capacityAssignmentProgress?: 'Completed' | 'Failed' | 'InProgress' | (string & {});
  readonly oneLakeEndpoints?: { readonly blobEndpoint: string; readonly dfsEndpoint: string };
  readonly workspaceIdentity?: { readonly applicationId: string; readonly servicePrincipalId: string };
}

/** What is asked for when a workspace is created. */
export interface CreateWorkspace {
  readonly displayName: string;
  readonly description?: string;
  readonly capacityId?: string;
}

/** A capacity that workspaces can run on. */
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
