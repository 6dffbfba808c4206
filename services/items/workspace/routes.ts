import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { workspace as workspaceKind } from '../../../kinds/workspace/workspace.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { routesInWorkspace } from '../access/workspace-operation.js';
import {
  type WorkspaceAccess,
  callerPrincipalIds,
  requireScope,
  type WorkspaceRole,
  workspaceRoles,
} from '../access/workspace-access.js';
import { BodyChecks } from '../http/body-checks.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import {
  nameKey,
  mapUniqueViolation,
  workspaceNotFound,
  type WorkspaceTable,
} from '../store/tables.js';
import { requireActiveCapacity } from './capacity-routes.js';

const { properties } = workspaceKind;
const workspacePath = '/workspaces/:workspaceId';

/** Workspaces themselves. */
export const workspaceRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace',
    success: 201,
    handler: createWorkspace,
  },
  { method: 'GET', path: '/workspaces', summary: 'List workspaces', handler: listWorkspaces },
  ...routesInWorkspace([
    {
      method: 'GET',
      path: workspacePath,
      summary: 'Get a workspace',
      minimumRole: 'Viewer',
      scopeAccess: 'read',
      run: getWorkspace,
    },
    {
      method: 'PATCH',
      path: workspacePath,
      summary: 'Update a workspace',
      minimumRole: 'Admin',
      scopeAccess: 'write',
      run: updateWorkspace,
    },
    {
      method: 'DELETE',
      path: workspacePath,
      summary: 'Delete a workspace',
      minimumRole: 'Admin',
      scopeAccess: 'write',
      run: deleteWorkspace,
    },
  ]),
];

async function createWorkspace(call: Call): Promise<Answer> {
  requireScope(call, { access: 'write' });
  const body = call.json();
  const checks = new BodyChecks('InvalidInput');
  const displayName = readDisplayName(body['displayName']);
  const description =
    checks.value('description', body['description'], properties.description) ?? '';
  const capacityId = checks.uuid('capacityId', body['capacityId']) ?? null;
  checks.throwIfInvalid();
  if (capacityId !== null) await requireActiveCapacity(call, capacityId);
  const id = randomUUID();
  const { db } = call.runtime;
  const creation = db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('items_workspace')
      .values({
        id,
        display_name: displayName,
        name_key: nameKey(displayName),
        description,
        type: 'Workspace',
        capacity_id: capacityId,
        item_count: 0,
        identity_application_id: null,
        identity_principal_id: null,
      })
      .execute();
    if (call.caller.kind === 'unrestricted') return;
    const type = call.caller.kind === 'application' ? 'ServicePrincipal' : 'User';
    const admin = {
      workspace_id: id,
      principal_id: call.caller.objectId.toLowerCase(),
      principal_type: type,
      role: 'Admin',
    };
    await transaction.insertInto('items_role').values(admin).execute();
  });
  await mapUniqueViolation(creation, () => nameConflict(displayName));
  return created(await viewWorkspaceInfo(call, id), `${call.origin}/v1/workspaces/${id}`);
}

async function listWorkspaces(call: Call): Promise<Answer> {
  requireScope(call, { access: 'read' });
  const { db } = call.runtime;
  const roles = readRoles(call.query.get('roles'));
  const allWorkspaces = db.selectFrom('items_workspace').selectAll();
  // who may do everything is an administrator of every workspace
  if (call.caller.kind === 'unrestricted')
    return pageAnswer(
      call,
      roles.includes('Admin') ? allWorkspaces : allWorkspaces.where('id', '=', ''),
      (rows) => rows.map(viewWorkspace),
    );
  const principals = [...(await callerPrincipalIds(call))];
  const assignments = db
    .selectFrom('items_role')
    .select('workspace_id')
    .where('principal_id', 'in', principals)
    .where('role', 'in', roles);
  return pageAnswer(call, allWorkspaces.where('id', 'in', assignments), (rows) =>
    rows.map(viewWorkspace),
  );
}

/** The roles of the option `roles`, separated by commas; by default all. @throws Problem 400 */
function readRoles(text: string | null): readonly WorkspaceRole[] {
  if (text === null || text === '') return workspaceRoles;
  return text.split(',').map((word) => {
    const role = workspaceRoles.find((each) => each.toLowerCase() === word.trim().toLowerCase());
    if (role !== undefined) return role;
    throw new Problem(
      'InvalidParameter',
      `roles "${text}" is not allowed: it is a list of ${[...workspaceRoles].reverse().join(', ')}.`,
    );
  });
}

async function getWorkspace(call: Call, { workspace }: WorkspaceAccess): Promise<Answer> {
  return ok(await viewWorkspaceInfo(call, workspace.id));
}

async function updateWorkspace(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const body = call.json();
  const checks = new BodyChecks('InvalidRequest');
  const displayName =
    body['displayName'] === undefined ? undefined : readDisplayName(body['displayName']);
  const description = checks.value('description', body['description'], properties.description);
  checks.throwIfInvalid();
  const { id } = access.workspace;
  const change: Partial<Selectable<WorkspaceTable>> = {
    id,
    ...(displayName !== undefined && { display_name: displayName, name_key: nameKey(displayName) }),
    ...omitUndefined({ description }),
  };
  const updating = call.runtime.db
    .updateTable('items_workspace')
    .set(change)
    .where('id', '=', id)
    .execute();
  await mapUniqueViolation(updating, () => nameConflict(displayName ?? ''));
  return getWorkspace(call, access);
}

async function deleteWorkspace(
  call: Call,
  { workspace: { id } }: WorkspaceAccess,
): Promise<Answer> {
  await call.runtime.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('items_workspace').where('id', '=', id).execute();
    const items = transaction.selectFrom('items_item').select('id').where('workspace_id', '=', id);
    await transaction.deleteFrom('items_definition').where('item_id', 'in', items).execute();
    await transaction.deleteFrom('items_item_tag').where('item_id', 'in', items).execute();
    await transaction.deleteFrom('items_item').where('workspace_id', '=', id).execute();
    await transaction.deleteFrom('items_folder').where('workspace_id', '=', id).execute();
    await transaction.deleteFrom('items_role').where('workspace_id', '=', id).execute();
  });
  return ok();
}

function readDisplayName(value: unknown): string {
  if (typeof value !== 'string')
    throw new Problem('InvalidInput', 'displayName is required and must be a non-empty string.');
  const mistake = mistakeIn(properties.displayName, value);
  if (mistake === undefined) return value;
  const codes: Readonly<Record<string, string>> = {
    maxLength: 'WorkspaceNameTooLong',
    validate: 'WorkspaceNameIsReserved',
  };
  throw new Problem(
    codes[mistake.keyword] ?? 'InvalidInput',
    `displayName is not allowed: ${mistake.message}.`,
  );
}

function nameConflict(displayName: string): Problem {
  return new Problem(
    'WorkspaceNameAlreadyExists',
    `There is a workspace named "${displayName}" already.`,
    { isRetriable: false },
  );
}

/** A workspace in a listing. */
function viewWorkspace(workspace: Selectable<WorkspaceTable>): Record<string, unknown> {
  return {
    id: workspace.id,
    displayName: workspace.display_name,
    description: workspace.description,
    type: workspace.type,
    ...(workspace.capacity_id !== null && { capacityId: workspace.capacity_id }),
  };
}

/** A workspace in a single answer. */
async function viewWorkspaceInfo(
  { runtime: { db } }: Call,
  id: string,
): Promise<Record<string, unknown>> {
  const workspace = await db
    .selectFrom('items_workspace')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => workspaceNotFound(id)); // it has been deleted since it was read
  const {
    capacity_id: capacityId,
    identity_application_id: applicationId,
    identity_principal_id: servicePrincipalId,
  } = workspace;
  const capacity = await db
    .selectFrom('items_capacity')
    .selectAll()
    .where('id', '=', capacityId)
    .executeTakeFirst();
  return {
    ...viewWorkspace(workspace),
    capacityAssignmentProgress: 'Completed',
    ...omitUndefined({ capacityRegion: capacity?.region }),
    oneLakeEndpoints: {
      blobEndpoint: `https://${id}.blob.onelake.localhost`,
      dfsEndpoint: `https://${id}.dfs.onelake.localhost`,
    },
    ...(applicationId !== null && { workspaceIdentity: { applicationId, servicePrincipalId } }),
  };
}
