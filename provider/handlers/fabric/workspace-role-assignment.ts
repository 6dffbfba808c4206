import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { RoleAssignment, WorkspaceRole } from '../../../clients/items/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import { isEqualIgnoringCase } from '../../schemas/spelling.js';
import type { ResourceHandler } from '../handler.js';
import { oneBlock, textOrEmpty } from '../read-values.js';
import { importItem, warnIfNotFound } from './item.js';

/** The resource fabric_workspace_role_assignment: a role of a principal in a workspace. */
export const workspaceRoleAssignment: ResourceHandler = {
  async create({ api, planned, signal }) {
    const principal = oneBlock(planned, 'principal') ?? {};
    const draft = {
      principal: { id: textOrEmpty(principal, 'id'), type: textOrEmpty(principal, 'type') },
      role: textOrEmpty(planned, 'role') as WorkspaceRole,
    };
    return toState(
      await api.items.roleAssignments.create(textOrEmpty(planned, 'workspace_id'), draft, {
        signal,
      }),
    );
  },
  /** A principal has one role in a workspace; another one than the planned was given by others. */
  async findExisting({ api, planned, signal }) {
    const workspaceId = textOrEmpty(planned, 'workspace_id');
    const principalId = textOrEmpty(oneBlock(planned, 'principal') ?? {}, 'id');
    const assignments = api.items.roleAssignments.list(workspaceId, { signal });
    for await (const { id, principal, role } of assignments)
      if (isEqualIgnoringCase(principal.id, principalId) && role === planned['role']) return { id };
    return undefined;
  },
  async read({ state, ...context }) {
    const answer = context.api.items.roleAssignments.get(
      textOrEmpty(state, 'workspace_id'),
      textOrEmpty(state, 'id'),
      {
        signal: context.signal,
      },
    );
    const assignment = await warnIfNotFound(answer, context);
    return assignment === undefined ? undefined : toState(assignment);
  },
  async update({ api, prior, planned, signal }) {
    const role = textOrEmpty(planned, 'role') as WorkspaceRole;
    return toState(
      await api.items.roleAssignments.update(
        textOrEmpty(prior, 'workspace_id'),
        textOrEmpty(prior, 'id'),
        role,
        { signal },
      ),
    );
  },
  async delete({ api, state, signal }) {
    await undefinedIfNotFound(
      api.items.roleAssignments.delete(
        textOrEmpty(state, 'workspace_id'),
        textOrEmpty(state, 'id'),
        {
          signal,
        },
      ),
    );
  },
  import: importItem,
};

function toState({ id, principal, role }: RoleAssignment): ActualValues {
  return { id, principal: { id: principal.id, type: principal.type }, role };
}
