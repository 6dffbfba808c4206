import { unlessGone } from '../../../clients/common/index.js';
import type { RoleAssignment, WorkspaceRole } from '../../../clients/items/index.js';
import type { ResourceHandler } from '../handler.js';
import { mustText, oneBlock } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { warnWhenGone } from './failed-read.js';
import { importItem } from './import-id.js';

/** The resource fabric_workspace_role_assignment: what a principal may do in a workspace. */
export const workspaceRoleAssignment: ResourceHandler = {
  async create({ api, planned, signal }) {
    const principal = oneBlock(planned, 'principal') ?? {};
    const draft = {
      principal: { id: mustText(principal, 'id'), type: mustText(principal, 'type') },
      role: mustText(planned, 'role') as WorkspaceRole,
    };
    return toState(await api.items.roleAssignments.create(mustText(planned, 'workspace_id'), draft, { signal }));
  },
  async read({ state, ...context }) {
    const asked = context.api.items.roleAssignments.get(mustText(state, 'workspace_id'), mustText(state, 'id'), { signal: context.signal });
    const found = await warnWhenGone(asked, context);
    return found === undefined ? undefined : toState(found);
  },
  async update({ api, prior, planned, signal }) {
    const role = mustText(planned, 'role') as WorkspaceRole;
    return toState(await api.items.roleAssignments.update(mustText(prior, 'workspace_id'), mustText(prior, 'id'), role, { signal }));
  },
  async delete({ api, state, signal }) {
    await unlessGone(api.items.roleAssignments.delete(mustText(state, 'workspace_id'), mustText(state, 'id'), { signal }));
  },
  import: importItem,
};

function toState({ id, principal, role }: RoleAssignment): Reported {
  return { id, principal: { id: principal.id, type: principal.type }, role };
}
