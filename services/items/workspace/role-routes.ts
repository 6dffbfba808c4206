import type { Selectable } from 'kysely';
import { say, words } from '../../../core/dialect/dialect.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { type EnteredWorkspace, findWorkspace, reaches, requireAccess, type WorkspaceRole, workspaceRoles } from '../access/roles.js';
import { bodyOf, isJsonObject, isUuid } from '../http/body.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { continuationOf, page, pageSize } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import type { PrincipalTable, RoleTable } from '../store/tables.js';
import { isUniqueViolation } from '../store/unique.js';

const path = '/workspaces/:workspaceId/roleAssignments';

/** Who may do what in a workspace: seen by members, changed by members up to their own role. */
export const roleRoutes: readonly Route[] = [
  { method: 'POST', path, summary: 'Assign a role in a workspace', success: 201, handler: create },
  { method: 'GET', path, summary: 'List role assignments', handler: list },
  { method: 'GET', path: `${path}/:assignmentId`, summary: 'Get a role assignment', handler: get },
  { method: 'PATCH', path: `${path}/:assignmentId`, summary: 'Change the role of an assignment', handler: update },
  { method: 'DELETE', path: `${path}/:assignmentId`, summary: 'Remove a role assignment', handler: remove },
];

const principalTypes = ['User', 'ServicePrincipal', 'Group', 'ServicePrincipalProfile', 'EntireTenant'];
type RoleRow = Selectable<RoleTable>;

async function create(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Member', { to: 'write' });
  const { principal, role: given } = bodyOf(call);
  const role = readRole(given);
  if (!isJsonObject(principal) || !isUuid(principal['id']))
    throw new Problem('InvalidInput', 'principal.id is required and must be a UUID.');
  const { type } = principal;
  if (typeof type !== 'string' || !principalTypes.includes(type))
    throw new Problem(
      'InvalidInput',
      `principal.type ${JSON.stringify(type ?? null)} is not allowed: it is one of ${principalTypes.join(', ')}.`,
    );
  assertMayGive(entered, role);
  const { db } = call.runtime;
  const { count } = await db
    .selectFrom('items_role')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', entered.workspace.id)
    .executeTakeFirstOrThrow();
  const limit = workspace.limits.roleAssignments;
  if (Number(count) >= limit) throw new Problem('InvalidInput', `A workspace has at most ${limit} role assignments.`);
  const row = { workspace_id: entered.workspace.id, principal_id: principal['id'].toLowerCase(), principal_type: type, role };
  try {
    await db.insertInto('items_role').values(row).execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Problem('PrincipalAlreadyHasWorkspaceRolePermissions', 'The principal has a role in the workspace already: change that one.');
  }
  return created((await view(call, [row]))[0], `${call.origin}${call.path}/${row.principal_id}`);
}

async function list(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Member', { to: 'read' });
  const after = continuationOf(call);
  const rows = await call.runtime.db
    .selectFrom('items_role')
    .selectAll()
    .where('workspace_id', '=', entered.workspace.id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(pageSize + 1)
    .execute();
  return page(call, rows, await view(call, rows.slice(0, pageSize)));
}

async function get(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const row = await findAssignment(call, entered);
  requireAccess(call, entered, 'Member', { to: 'read' });
  return ok((await view(call, [row]))[0]);
}

async function update(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const row = await findAssignment(call, entered);
  requireAccess(call, entered, 'Member', { to: 'write' });
  const role = readRole(bodyOf(call)['role']);
  assertMayGive(entered, role);
  assertMayGive(entered, row.role as WorkspaceRole);
  if (role !== 'Admin') await assertOtherAdmin(call, row);
  await call.runtime.db.updateTable('items_role').set({ role }).where('seq', '=', row.seq).execute();
  return ok((await view(call, [{ ...row, role }]))[0]);
}

async function remove(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  const row = await findAssignment(call, entered);
  requireAccess(call, entered, 'Member', { to: 'write' });
  assertMayGive(entered, row.role as WorkspaceRole);
  await assertOtherAdmin(call, row);
  await call.runtime.db.deleteFrom('items_role').where('seq', '=', row.seq).execute();
  return ok();
}

/** A workspace that no one can administer any more would be lost. */
async function assertOtherAdmin(call: Call, row: RoleRow): Promise<void> {
  if (row.role !== 'Admin' || call.caller.kind === 'anyone') return;
  const other = await call.runtime.db
    .selectFrom('items_role')
    .select('seq')
    .where('workspace_id', '=', row.workspace_id)
    .where('role', '=', 'Admin')
    .where('seq', '!=', row.seq)
    .executeTakeFirst();
  if (!other) throw new Problem('InvalidInput', 'The last Admin of a workspace can not be taken away.');
}

function assertMayGive({ role: own, workspace }: EnteredWorkspace, role: WorkspaceRole): void {
  if (reaches(own, role)) return;
  const relatedResource = { resourceId: workspace.id, resourceType: 'Workspace' };
  throw new Problem('InsufficientWorkspaceRole', `A ${own} can't change a role assignment of ${role}.`, { relatedResource });
}

function readRole(value: unknown): WorkspaceRole {
  const role = workspaceRoles.find((word) => word === value);
  if (role !== undefined) return role;
  throw new Problem(
    'InvalidInput',
    `role ${JSON.stringify(value ?? null)} is not allowed: it is one of ${[...workspaceRoles].reverse().join(', ')}.`,
  );
}

async function findAssignment(call: Call, { workspace }: EnteredWorkspace): Promise<RoleRow> {
  const id = call.params['assignmentId'] ?? '';
  const query = call.runtime.db
    .selectFrom('items_role')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('principal_id', '=', id);
  const row = await query.executeTakeFirst();
  if (row) return row;
  throw new Problem('WorkspaceRoleAssignmentNotFound', `The role assignment ${id} could not be found in the workspace.`);
}

async function view(call: Call, rows: readonly Omit<RoleRow, 'seq'>[]): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ principal_id }) => principal_id);
  const known = await call.runtime.db.selectFrom('items_principal').selectAll().where('id', 'in', ids).execute();
  const appId = say(words.principalAppId, call.runtime.dialect);
  return rows.map(({ principal_id: id, principal_type: type, role }) => ({
    id,
    principal: {
      id,
      type,
      displayName: id, // of those whose name isn't known here
      ...detailsOf(
        known.find((each) => each.id === id),
        type,
        appId,
      ),
    },
    role,
  }));
}

function detailsOf(known: Selectable<PrincipalTable> | undefined, type: string, appId: string): Record<string, unknown> {
  if (!known) return {};
  const displayName = known.display_name;
  if (type === 'User') return { displayName, userDetails: { userPrincipalName: known.detail } };
  if (type === 'ServicePrincipal') return { displayName, servicePrincipalDetails: { [appId]: known.detail } };
  if (type === 'Group') return { displayName, groupDetails: { groupType: known.detail } };
  return { displayName };
}
