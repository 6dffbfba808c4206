import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import { signalOf } from './options.js';
import type { CallOptions, ItemsConnection } from './options.js';
import type { RoleAssignment, WorkspaceRole } from './workspace.js';

/** Who may do what in a workspace. */
export interface RoleAssignments {
  create(
    workspaceId: string,
    assignment: { readonly principal: { readonly id: string; readonly type: string }; readonly role: WorkspaceRole },
    call?: CallOptions,
  ): Promise<RoleAssignment>;
  get(workspaceId: string, assignmentId: string, call?: CallOptions): Promise<RoleAssignment>;
  list(workspaceId: string, call?: CallOptions): AsyncIterable<RoleAssignment>;
  update(workspaceId: string, assignmentId: string, role: WorkspaceRole, call?: CallOptions): Promise<RoleAssignment>;
  delete(workspaceId: string, assignmentId: string, call?: CallOptions): Promise<void>;
}

/** The role assignment endpoints. */
export function roleAssignments({ http }: ItemsConnection): RoleAssignments {
  const listPath = (workspaceId: string): string => `/v1/workspaces/${segment(workspaceId)}/roleAssignments`;
  const path = (workspaceId: string, id: string): string => `${listPath(workspaceId)}/${segment(id)}`;
  return {
    async create(workspaceId, assignment, call) {
      const request = { method: 'POST', path: listPath(workspaceId), body: assignment, expect: [201], ...signalOf(call) } as const;
      return (await http.request<RoleAssignment>(request)).body;
    },
    async get(workspaceId, id, call) {
      return (await http.request<RoleAssignment>({ method: 'GET', path: path(workspaceId, id), ...signalOf(call) })).body;
    },
    list: (workspaceId, call) => entriesOf<RoleAssignment>(http, { path: listPath(workspaceId), ...signalOf(call) }),
    async update(workspaceId, id, role, call) {
      return (await http.request<RoleAssignment>({ method: 'PATCH', path: path(workspaceId, id), body: { role }, ...signalOf(call) })).body;
    },
    async delete(workspaceId, id, call) {
      await http.request({ method: 'DELETE', path: path(workspaceId, id), ...signalOf(call) });
    },
  };
}
