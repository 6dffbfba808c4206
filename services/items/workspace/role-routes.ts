import { isObject } from '../../../core/values/is-object.js';
import type { Selectable } from 'kysely';
import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { routesInWorkspace } from '../access/workspace-routes.js';
import {
  type AccessedWorkspace,
  isAtLeast,
  relatedResourceOf,
  type WorkspaceRole,
  workspaceRoles,
} from '../access/roles.js';
import { isUuid } from '../http/checks.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { page } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { type PrincipalTable, type RoleTable, mapUniqueViolation } from '../store/tables.js';

const path = '/workspaces/:workspaceId/roleAssignments';
const one = `${path}/:assignmentId`;

/**
 * The role assignments of a workspace: visible to members, changed by members up to their own role.
 */
export const roleRoutes: readonly Route[] = [
  ...routesInWorkspace([
    {
      method: 'POST',
      path,
      summary: 'Assign a role in a workspace',
      success: 201,
      minimumRole: 'Member',
      access: 'write',
      run: create,
    },
    {
      method: 'GET',
      path,
      summary: 'List role assignments',
      minimumRole: 'Member',
      access: 'read',
      run: list,
    },
  ]),
  ...routesInWorkspace(
    [
      {
        method: 'GET',
        path: one,
        summary: 'Get a role assignment',
        minimumRole: 'Member',
        access: 'read',
        run: get,
      },
      {
        method: 'PATCH',
        path: one,
        summary: 'Change the role of an assignment',
        minimumRole: 'Member',
        access: 'write',
        run: update,
      },
      {
        method: 'DELETE',
        path: one,
        summary: 'Remove a role assignment',
        minimumRole: 'Member',
        access: 'write',
        run: remove,
      },
    ],
    findAssignment,
  ),
];

const principalTypes = [
  'User',
  'ServicePrincipal',
  'Group',
  'ServicePrincipalProfile',
  'EntireTenant',
];
type RoleRow = Selectable<RoleTable>;

async function create(call: Call, access: AccessedWorkspace): Promise<Answer> {
  const { principal, role: roleName } = call.json();
  const role = readRole(roleName);
  if (!isObject(principal) || !isUuid(principal['id']))
    throw new Problem('InvalidInput', 'principal.id is required and must be a UUID.');
  const { type } = principal;
  if (typeof type !== 'string' || !principalTypes.includes(type))
    throw new Problem(
      'InvalidInput',
      `principal.type ${JSON.stringify(type ?? null)} is not allowed: it is one of ${principalTypes.join(', ')}.`,
    );
  assertMayGive(access, role);
  const { db } = call.runtime;
  const roles = db.selectFrom('items_role').where('workspace_id', '=', access.workspace.id);
  const { count } = await roles
    .select((column) => column.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const limit = workspace.limits.roleAssignments;
  if (Number(count) >= limit)
    throw new Problem('InvalidInput', `A workspace has at most ${limit} role assignments.`);
  const row = {
    workspace_id: access.workspace.id,
    principal_id: principal['id'].toLowerCase(),
    principal_type: type,
    role,
  };
  const conflict = 'The principal has a role in the workspace already: change that one.';
  const inserted = db.insertInto('items_role').values(row).execute();
  await mapUniqueViolation(
    inserted,
    () => new Problem('PrincipalAlreadyHasWorkspaceRolePermissions', conflict),
  );
  return created((await view(call, [row]))[0], `${call.origin}${call.path}/${row.principal_id}`);
}

async function list(call: Call, { workspace: { id } }: AccessedWorkspace): Promise<Answer> {
  const query = call.runtime.db.selectFrom('items_role').selectAll().where('workspace_id', '=', id);
  return page(call, query, (rows) => view(call, rows));
}

async function get(call: Call, _entered: AccessedWorkspace, row: RoleRow): Promise<Answer> {
  return ok((await view(call, [row]))[0]);
}

async function update(call: Call, access: AccessedWorkspace, row: RoleRow): Promise<Answer> {
  const role = readRole(call.json()['role']);
  assertMayGive(access, role);
  assertMayGive(access, row.role as WorkspaceRole);
  if (role !== 'Admin') await assertOtherAdmin(call, row);
  await call.runtime.db
    .updateTable('items_role')
    .set({ role })
    .where('seq', '=', row.seq)
    .execute();
  return get(call, access, { ...row, role });
}

async function remove(call: Call, access: AccessedWorkspace, row: RoleRow): Promise<Answer> {
  assertMayGive(access, row.role as WorkspaceRole);
  await assertOtherAdmin(call, row);
  await call.runtime.db.deleteFrom('items_role').where('seq', '=', row.seq).execute();
  return ok();
}

/** A workspace without an administrator would be lost. */
async function assertOtherAdmin(call: Call, row: RoleRow): Promise<void> {
  if (row.role !== 'Admin' || call.caller.kind === 'anyone') return;
  const { workspace_id, seq } = row;
  const admins = call.runtime.db
    .selectFrom('items_role')
    .select('seq')
    .where((each) => each.and({ workspace_id, role: 'Admin' }));
  if (!(await admins.where('seq', '!=', seq).executeTakeFirst()))
    throw new Problem('InvalidInput', 'The last Admin of a workspace can not be taken away.');
}

function assertMayGive({ role: own, workspace }: AccessedWorkspace, role: WorkspaceRole): void {
  if (isAtLeast(own, role)) return;
  throw new Problem(
    'InsufficientWorkspaceRole',
    `A ${own} can't change a role assignment of ${role}.`,
    relatedResourceOf(workspace.id, 'Workspace'),
  );
}

function readRole(value: unknown): WorkspaceRole {
  const role = workspaceRoles.find((word) => word === value);
  if (role !== undefined) return role;
  throw new Problem(
    'InvalidInput',
    `role ${JSON.stringify(value ?? null)} is not allowed: it is one of ${[...workspaceRoles].reverse().join(', ')}.`,
  );
}

async function findAssignment(call: Call, { workspace }: AccessedWorkspace): Promise<RoleRow> {
  const id = call.params['assignmentId'] ?? '';
  const key = { workspace_id: workspace.id, principal_id: id };
  const row = await call.runtime.db
    .selectFrom('items_role')
    .selectAll()
    .where((each) => each.and(key))
    .executeTakeFirst();
  if (row) return row;
  throw new Problem(
    'WorkspaceRoleAssignmentNotFound',
    `The role assignment ${id} could not be found in the workspace.`,
  );
}

async function view(
  call: Call,
  rows: readonly Omit<RoleRow, 'seq'>[],
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ principal_id }) => principal_id);
  const known = await call.runtime.db
    .selectFrom('items_principal')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  const appId = inDialect(dialectWords.principalAppId, call.runtime.dialect);
  return rows.map(({ principal_id: id, principal_type: type, role }) => ({
    id,
    principal: {
      id,
      type,
      displayName: id, // if the name is unknown here
      ...detailsOf(
        known.find((each) => each.id === id),
        type,
        appId,
      ),
    },
    role,
  }));
}

function detailsOf(
  known: Selectable<PrincipalTable> | undefined,
  type: string,
  appId: string,
): Record<string, unknown> {
  if (!known) return {};
  const displayName = known.display_name;
  if (type === 'User') return { displayName, userDetails: { userPrincipalName: known.detail } };
  if (type === 'ServicePrincipal')
    return { displayName, servicePrincipalDetails: { [appId]: known.detail } };
  if (type === 'Group') return { displayName, groupDetails: { groupType: known.detail } };
  return { displayName };
}
