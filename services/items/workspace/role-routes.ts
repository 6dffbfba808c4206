import { isObject } from '../../../core/values/is-object.js';
import type { Selectable } from 'kysely';
import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { routesInWorkspace } from '../access/workspace-operation.js';
import {
  type WorkspaceAccess,
  isAtLeast,
  relatedResourceOption,
  type WorkspaceRole,
  workspaceRoles,
} from '../access/workspace-access.js';
import { isGuid } from '../../../core/values/guid.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import {
  type ItemsReader,
  type ItemsTransaction,
  lockWorkspace,
  mapUniqueViolation,
  type PrincipalTable,
  type RoleTable,
} from '../store/tables.js';

const assignmentsPath = '/workspaces/:workspaceId/roleAssignments';
const assignmentPath = `${assignmentsPath}/:assignmentId`;

/**
 * The role assignments of a workspace. Callers with the role Member or Admin see them, and change
 * those of roles that are not stronger than their own.
 */
export const roleRoutes: readonly Route[] = [
  ...routesInWorkspace([
    {
      method: 'POST',
      path: assignmentsPath,
      summary: 'Assign a role in a workspace',
      success: 201,
      minimumRole: 'Member',
      scopeAccess: 'write',
      run: createAssignment,
    },
    {
      method: 'GET',
      path: assignmentsPath,
      summary: 'List role assignments',
      minimumRole: 'Member',
      scopeAccess: 'read',
      run: listAssignments,
    },
  ]),
  ...routesInWorkspace(
    [
      {
        method: 'GET',
        path: assignmentPath,
        summary: 'Get a role assignment',
        minimumRole: 'Member',
        scopeAccess: 'read',
        run: getAssignment,
      },
      {
        method: 'PATCH',
        path: assignmentPath,
        summary: 'Change the role of an assignment',
        minimumRole: 'Member',
        scopeAccess: 'write',
        run: updateAssignment,
      },
      {
        method: 'DELETE',
        path: assignmentPath,
        summary: 'Remove a role assignment',
        minimumRole: 'Member',
        scopeAccess: 'write',
        run: deleteAssignment,
      },
    ],
    (call, access) => findAssignment(call, access),
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

async function createAssignment(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const { principal, role: roleName } = call.json();
  const role = readRole(roleName);
  if (!isObject(principal) || !isGuid(principal['id']))
    throw new Problem('InvalidInput', 'principal.id is required and must be a UUID.');
  const { type } = principal;
  if (typeof type !== 'string' || !principalTypes.includes(type))
    throw new Problem(
      'InvalidInput',
      `principal.type ${JSON.stringify(type ?? null)} is not allowed: it is one of ${principalTypes.join(', ')}.`,
    );
  assertMayManageRole(access, role);
  const row = {
    workspace_id: access.workspace.id,
    principal_id: principal['id'].toLowerCase(),
    principal_type: type,
    role,
  };
  const conflict = 'The principal has a role in the workspace already: change that one.';
  const insertion = call.runtime.db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, row.workspace_id);
    await requireRoomForRole(transaction, row.workspace_id);
    await transaction.insertInto('items_role').values(row).execute();
  });
  await mapUniqueViolation(
    insertion,
    () => new Problem('PrincipalAlreadyHasWorkspaceRolePermissions', conflict),
  );
  return created(
    (await viewAssignments(call, [row]))[0],
    `${call.origin}${call.path}/${row.principal_id}`,
  );
}

/** @throws Problem 400 for a workspace with as many assignments as it can have. */
async function requireRoomForRole(
  transaction: ItemsTransaction,
  workspaceId: string,
): Promise<void> {
  const { count } = await transaction
    .selectFrom('items_role')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const limit = workspace.limits.roleAssignments;
  if (Number(count) >= limit)
    throw new Problem('InvalidInput', `A workspace has at most ${limit} role assignments.`);
}

async function listAssignments(
  call: Call,
  { workspace: { id } }: WorkspaceAccess,
): Promise<Answer> {
  const query = call.runtime.db.selectFrom('items_role').selectAll().where('workspace_id', '=', id);
  return pageAnswer(call, query, (rows) => viewAssignments(call, rows));
}

async function getAssignment(call: Call, _access: WorkspaceAccess, row: RoleRow): Promise<Answer> {
  return ok((await viewAssignments(call, [row]))[0]);
}

async function updateAssignment(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const role = readRole(call.json()['role']);
  assertMayManageRole(access, role);
  const row = await changeAssignment(call, access, async (transaction, current) => {
    if (role !== 'Admin') await assertOtherAdmin(call, transaction, current);
    await transaction
      .updateTable('items_role')
      .set({ role })
      .where('seq', '=', current.seq)
      .execute();
  });
  return getAssignment(call, access, { ...row, role });
}

async function deleteAssignment(call: Call, access: WorkspaceAccess): Promise<Answer> {
  await changeAssignment(call, access, async (transaction, current) => {
    await assertOtherAdmin(call, transaction, current);
    await transaction.deleteFrom('items_role').where('seq', '=', current.seq).execute();
  });
  return ok();
}

/**
 * Changes the assignment of the path as it is while no other role of the workspace changes.
 *
 * @returns the assignment before the change.
 */
function changeAssignment(
  call: Call,
  access: WorkspaceAccess,
  change: (transaction: ItemsTransaction, current: RoleRow) => Promise<void>,
): Promise<RoleRow> {
  return call.runtime.db.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, access.workspace.id);
    const current = await findAssignment(call, access, transaction);
    assertMayManageRole(access, current.role as WorkspaceRole);
    await change(transaction, current);
    return current;
  });
}

/** A workspace without an administrator would be lost. */
async function assertOtherAdmin(
  call: Call,
  transaction: ItemsTransaction,
  row: RoleRow,
): Promise<void> {
  if (row.role !== 'Admin' || call.caller.kind === 'unrestricted') return;
  const { workspace_id, seq } = row;
  const admins = transaction
    .selectFrom('items_role')
    .select('seq')
    .where((each) => each.and({ workspace_id, role: 'Admin' }));
  if (!(await admins.where('seq', '!=', seq).executeTakeFirst()))
    throw new Problem('InvalidInput', 'The last Admin of a workspace can not be taken away.');
}

function assertMayManageRole(
  { role: ownRole, workspace }: WorkspaceAccess,
  role: WorkspaceRole,
): void {
  if (isAtLeast(ownRole, role)) return;
  throw new Problem(
    'InsufficientWorkspaceRole',
    `A ${ownRole} can't change a role assignment of ${role}.`,
    relatedResourceOption(workspace.id, 'Workspace'),
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

async function findAssignment(
  call: Call,
  { workspace }: WorkspaceAccess,
  reader: ItemsReader = call.runtime.db,
): Promise<RoleRow> {
  const id = call.params['assignmentId'] ?? '';
  const key = { workspace_id: workspace.id, principal_id: id };
  const row = await reader
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

async function viewAssignments(
  call: Call,
  rows: readonly Omit<RoleRow, 'seq'>[],
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ principal_id }) => principal_id);
  const principals = await call.runtime.db
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
      ...principalDetails(
        principals.find((each) => each.id === id),
        type,
        appId,
      ),
    },
    role,
  }));
}

function principalDetails(
  principal: Selectable<PrincipalTable> | undefined,
  type: string,
  appId: string,
): Record<string, unknown> {
  if (!principal) return {};
  const displayName = principal.display_name;
  if (type === 'User') return { displayName, userDetails: { userPrincipalName: principal.detail } };
  if (type === 'ServicePrincipal')
    return { displayName, servicePrincipalDetails: { [appId]: principal.detail } };
  if (type === 'Group') return { displayName, groupDetails: { groupType: principal.detail } };
  return { displayName };
}
