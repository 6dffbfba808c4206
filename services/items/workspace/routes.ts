import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { workspace as description } from '../../../kinds/workspace/workspace.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { routesInWorkspace } from '../access/workspace-routes.js';
import { type AccessedWorkspace, principalsOf, requireScope } from '../access/roles.js';
import { BodyChecks } from '../http/checks.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { page } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { nameKey, mapUniqueViolation, type WorkspaceTable } from '../store/tables.js';
import { requireActiveCapacity } from './capacity-routes.js';

const { properties } = description;
const one = '/workspaces/:workspaceId';

/** Workspaces themselves. */
export const workspaceRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace',
    success: 201,
    handler: create,
  },
  { method: 'GET', path: '/workspaces', summary: 'List workspaces', handler: list },
  ...routesInWorkspace([
    {
      method: 'GET',
      path: one,
      summary: 'Get a workspace',
      minimumRole: 'Viewer',
      access: 'read',
      run: get,
    },
    {
      method: 'PATCH',
      path: one,
      summary: 'Update a workspace',
      minimumRole: 'Admin',
      access: 'write',
      run: update,
    },
    {
      method: 'DELETE',
      path: one,
      summary: 'Delete a workspace',
      minimumRole: 'Admin',
      access: 'write',
      run: remove,
    },
  ]),
];

async function create(call: Call): Promise<Answer> {
  requireScope(call, { to: 'write' });
  const body = call.json();
  const checks = new BodyChecks('InvalidInput');
  const displayName = checkName(body['displayName']);
  const description =
    checks.value('description', body['description'], properties.description) ?? '';
  const capacityId = checks.uuid('capacityId', body['capacityId']) ?? null;
  checks.finish();
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
    if (call.caller.kind === 'anyone') return;
    const type = call.caller.kind === 'application' ? 'ServicePrincipal' : 'User';
    const admin = {
      workspace_id: id,
      principal_id: call.caller.objectId.toLowerCase(),
      principal_type: type,
      role: 'Admin',
    };
    await transaction.insertInto('items_role').values(admin).execute();
  });
  await mapUniqueViolation(creation, () => nameExists(displayName));
  return created(await infoOf(call, id), `${call.origin}/v1/workspaces/${id}`);
}

async function list(call: Call): Promise<Answer> {
  requireScope(call, { to: 'read' });
  const { db } = call.runtime;
  const all = db.selectFrom('items_workspace').selectAll();
  if (call.caller.kind === 'anyone') return page(call, all, (rows) => rows.map(viewWorkspace));
  const principals = [...(await principalsOf(call))];
  const roles = db
    .selectFrom('items_role')
    .select('workspace_id')
    .where('principal_id', 'in', principals);
  return page(call, all.where('id', 'in', roles), (rows) => rows.map(viewWorkspace));
}

async function get(call: Call, { workspace }: AccessedWorkspace): Promise<Answer> {
  return ok(await infoOf(call, workspace.id));
}

async function update(call: Call, access: AccessedWorkspace): Promise<Answer> {
  const body = call.json();
  const checks = new BodyChecks('InvalidRequest');
  const displayName =
    body['displayName'] === undefined ? undefined : checkName(body['displayName']);
  const description = checks.value('description', body['description'], properties.description);
  checks.finish();
  const { id } = access.workspace;
  const change: Partial<Selectable<WorkspaceTable>> = {
    id,
    ...(displayName !== undefined && { display_name: displayName, name_key: nameKey(displayName) }),
    ...omitUndefined({ description }),
  };
  const changed = call.runtime.db
    .updateTable('items_workspace')
    .set(change)
    .where('id', '=', id)
    .execute();
  await mapUniqueViolation(changed, () => nameExists(displayName ?? ''));
  return get(call, access);
}

async function remove(call: Call, { workspace: { id } }: AccessedWorkspace): Promise<Answer> {
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

function checkName(value: unknown): string {
  if (typeof value !== 'string')
    throw new Problem('InvalidInput', 'displayName is required and must be a non-empty string.');
  const mistake = mistakeIn(properties.displayName, value);
  if (mistake === undefined) return value;
  const codes: Readonly<Record<string, string>> = {
    maxLength: 'WorkspaceNameTooLong',
    refuses: 'WorkspaceNameIsReserved',
  };
  throw new Problem(
    codes[mistake.keyword] ?? 'InvalidInput',
    `displayName is not allowed: ${mistake.message}.`,
  );
}

function nameExists(displayName: string): Problem {
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
async function infoOf({ runtime: { db } }: Call, id: string): Promise<Record<string, unknown>> {
  const workspace = await db
    .selectFrom('items_workspace')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
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
