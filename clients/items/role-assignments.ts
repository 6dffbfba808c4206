import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { Principal } from './item.js';
import { type CallOptions, type ItemsConnection, signalOf } from './connection.js';

/** What a principal may do in a workspace. */
export type WorkspaceRole = 'Admin' | 'Member' | 'Contributor' | 'Viewer';

/** A principal's role in a workspace. */
export interface RoleAssignment {
  readonly id: string;
  readonly principal: Principal;
  readonly role: WorkspaceRole;
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
