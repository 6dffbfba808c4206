import type { Selectable } from 'kysely';
import type { Call } from '../http/call.js';
import { isGuid } from '../../../core/values/guid.js';
import { Problem } from '../http/problem.js';
import {
  type ItemsDatabase,
  type ItemTable,
  workspaceNotFound,
  type WorkspaceTable,
} from '../store/tables.js';

/** Workspace roles, the weakest first. */
export const workspaceRoles = ['Viewer', 'Contributor', 'Member', 'Admin'] as const;
/** A workspace role. */
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** An existing workspace, with the caller's role. */
export interface WorkspaceAccess {
  readonly workspace: Selectable<WorkspaceTable>;
  readonly role: WorkspaceRole;
}

/** Whether a role includes another. */
export function isAtLeast(role: WorkspaceRole, minimumRole: WorkspaceRole): boolean {
  return workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(minimumRole);
}

/**
 * The workspace of a request's path, with the caller's role in it.
 *
 * @throws Problem 404 when there is none, 403 when the caller has no role there.
 */
export async function findWorkspace(
  call: Call,
  workspaceId = call.params['workspaceId'] ?? '',
): Promise<WorkspaceAccess> {
  const { db } = call.runtime;
  const workspace = isGuid(workspaceId)
    ? await db
        .selectFrom('items_workspace')
        .selectAll()
        .where('id', '=', workspaceId)
        .executeTakeFirst()
    : undefined;
  if (!workspace) throw workspaceNotFound(workspaceId);
  if (call.caller.kind === 'unrestricted') return { workspace, role: 'Admin' };
  const role = await strongestRole(call, workspace.id);
  if (role === undefined)
    throw new Problem(
      'InsufficientWorkspaceRole',
      'The caller has no role in the workspace.',
      relatedResourceOption(workspace.id, 'Workspace'),
    );
  return { workspace, role };
}

/**
 * The caller's strongest role in a workspace: direct, through groups, or as a member of the whole
 * tenant.
 */
async function strongestRole(call: Call, workspaceId: string): Promise<WorkspaceRole | undefined> {
  const { objectId, tenantId } = call.caller;
  const assignments = await call.runtime.db
    .selectFrom('items_role')
    .select(['principal_id', 'principal_type', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where((column) =>
      column.or([
        column('principal_id', '=', objectId.toLowerCase()),
        column('principal_type', 'in', collectivePrincipalTypes),
      ]),
    )
    .execute();
  const groups = assignments.some((row) => row.principal_type === 'Group')
    ? await cachedCallerGroups(call)
    : [];
  const appliesToCaller = (row: { principal_id: string; principal_type: string }): boolean => {
    if (row.principal_type === 'EntireTenant') return row.principal_id === tenantId.toLowerCase();
    return row.principal_type === 'Group'
      ? groups.includes(row.principal_id)
      : row.principal_id === objectId.toLowerCase();
  };
  const roles = assignments
    .filter(appliesToCaller)
    .map(({ role }) => workspaceRoles.indexOf(role as WorkspaceRole));
  return workspaceRoles[Math.max(-1, ...roles)];
}

/** Types of principals that stand for many callers. */
const collectivePrincipalTypes = ['Group', 'EntireTenant'];

/** All ids by which the caller may have a role. */
export async function callerPrincipalIds(call: Call): Promise<readonly string[]> {
  const { objectId, tenantId } = call.caller;
  return [objectId.toLowerCase(), tenantId.toLowerCase(), ...(await cachedCallerGroups(call))];
}

/** Requires a workspace role and a scope. @throws Problem 403 */
export function requireAccess(
  call: Call,
  access: WorkspaceAccess,
  minimumRole: WorkspaceRole,
  requiredScope: RequiredScope,
): void {
  if (!isAtLeast(access.role, minimumRole)) {
    const message = `The caller is ${access.role} in the workspace; ${minimumRole} or more is needed.`;
    throw new Problem(
      'InsufficientWorkspaceRole',
      message,
      relatedResourceOption(access.workspace.id, 'Workspace'),
    );
  }
  requireScope(call, requiredScope);
}

/**
 * The item of a request's path.
 *
 * @param type what it must be; undefined for the generic family.
 * @throws Problem 404 when there is none (or it is still being created).
 */
export async function findItem(
  call: Call,
  access: WorkspaceAccess,
  type: string | undefined,
): Promise<Selectable<ItemTable>> {
  const itemId = call.params['itemId'] ?? '';
  const query = call.runtime.db
    .selectFrom('items_item')
    .selectAll()
    .where((row) => row.and({ id: itemId, workspace_id: access.workspace.id, state: 'active' }));
  const item = isGuid(itemId) ? await query.executeTakeFirst() : undefined;
  if (item && (type === undefined || item.type === type)) return item;
  throw new Problem(
    'ItemNotFound',
    `The ${type ?? 'item'} ${itemId} could not be found in the workspace.`,
    relatedResourceOption(itemId, type ?? 'Item'),
  );
}

/** The option of a `Problem` that names a resource. */
export function relatedResourceOption(
  resourceId: string,
  resourceType: string,
): { relatedResource: { resourceId: string; resourceType: string } } {
  return { relatedResource: { resourceId, resourceType } };
}

const groupsByCall = new WeakMap<Call, Promise<readonly string[]>>();

/**
 * The caller's groups: those in the token, and those in the directory of the same process
 * (including nested ones); without a directory, those in the seed.
 */
function cachedCallerGroups(call: Call): Promise<readonly string[]> {
  let groups = groupsByCall.get(call);
  if (!groups) groupsByCall.set(call, (groups = findCallerGroups(call)));
  return groups;
}

async function findCallerGroups({ caller, runtime }: Call): Promise<readonly string[]> {
  const groupIds = [...(caller.groups ?? [])];
  const id = caller.objectId.toLowerCase();
  if (id === '') return groupIds;
  const groups =
    runtime.groupsOf === undefined
      ? await seededGroups(runtime.db, id)
      : await runtime.groupsOf(id);
  return [...new Set([...groupIds, ...groups])];
}

async function seededGroups(db: ItemsDatabase, objectId: string): Promise<readonly string[]> {
  const groups = new Set<string>();
  for (let memberIds = [objectId]; memberIds.length > 0;) {
    const rows = await db
      .selectFrom('items_group_member')
      .select('group_id')
      .where('member_id', 'in', memberIds)
      .execute();
    memberIds = [...new Set(rows.map(({ group_id }) => group_id))].filter((id) => !groups.has(id));
    for (const id of memberIds) groups.add(id);
  }
  return [...groups];
}

/**
 * The scope that a request needs: to read or to write items of a type, or what surrounds them
 * (workspaces, folders, roles, capacities).
 */
export interface RequiredScope {
  readonly access: 'read' | 'write';
  /** An item type, `Capacity` or `Tenant`; undefined for what surrounds items. */
  readonly type?: string;
}

/** The resources, one of which a sufficient scope must name. */
function scopeResources(type: string | undefined): readonly string[] {
  if (type === undefined) return ['Workspace', 'Item', 'Eventhouse', 'Eventstream'];
  if (type === 'Capacity') return [type, ...scopeResources(undefined)];
  return type === 'Tenant' ? [type] : [type, 'Item'];
}

/**
 * Requires a delegated permission: `{Type}.ReadWrite.All` or `Item.ReadWrite.All` to write, also
 * `.Read.All` to read. What surrounds items is available with any of them; the tenant's objects
 * (`Tenant`) need their own permission. Applications need workspace roles, and scopes only if their
 * tokens have any; the cloud's own tools use `user_impersonation`, which counts as all of them.
 *
 * @throws Problem 403 `InsufficientScopes`.
 */
export function requireScope(call: Call, { access, type }: RequiredScope): void {
  const { caller, runtime } = call;
  if (caller.kind === 'unrestricted' || (caller.kind === 'application' && caller.scopes.size === 0))
    return;
  if (runtime.dialect === 'azure' && caller.scopes.has('user_impersonation')) return;
  const levels = access === 'write' ? ['ReadWrite'] : ['Read', 'ReadWrite'];
  const sufficientScopes = scopeResources(type).flatMap((kind) =>
    levels.map((level) => `${kind}.${level}.All`),
  );
  if (sufficientScopes.some((scope) => caller.scopes.has(scope))) return;
  throw new Problem(
    'InsufficientScopes',
    `The token has none of the scopes ${sufficientScopes.join(', ')}.`,
  );
}
