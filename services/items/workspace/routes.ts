import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { workspace as description } from '../../../kinds/workspace/workspace.js';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { type EnteredWorkspace, findWorkspace, principalsOf, requireAccess } from '../access/roles.js';
import { requireScope } from '../access/scopes.js';
import { bodyOf, Checks } from '../http/body.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { continuationOf, page, pageSize } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import type { WorkspaceTable, CapacityTable } from '../store/tables.js';
import { isUniqueViolation, nameKey } from '../store/unique.js';
import { requireActiveCapacity } from './capacity-routes.js';

const { properties } = description;

/** Workspaces themselves. */
export const workspaceRoutes: readonly Route[] = [
  { method: 'POST', path: '/workspaces', summary: 'Create a workspace', success: 201, handler: create },
  { method: 'GET', path: '/workspaces', summary: 'List workspaces', handler: list },
  { method: 'GET', path: '/workspaces/:workspaceId', summary: 'Get a workspace', handler: get },
  { method: 'PATCH', path: '/workspaces/:workspaceId', summary: 'Update a workspace', handler: update },
  { method: 'DELETE', path: '/workspaces/:workspaceId', summary: 'Delete a workspace', handler: remove },
];

async function create(call: Call): Promise<Answer> {
  requireScope(call, { to: 'write' });
  const body = bodyOf(call);
  const checks = new Checks('InvalidInput');
  const displayName = checkName(body['displayName']);
  const description = checks.value('description', body['description'], properties.description) ?? '';
  const capacityId = checks.uuid('capacityId', body['capacityId']) ?? null;
  checks.done();
  if (capacityId !== null) await requireActiveCapacity(call, capacityId);
  const id = randomUUID();
  const { db } = call.runtime;
  try {
    await db.transaction().execute(async (transaction) => {
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
      const admin = { workspace_id: id, principal_id: call.caller.objectId.toLowerCase(), principal_type: type, role: 'Admin' };
      await transaction.insertInto('items_role').values(admin).execute();
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameExists(displayName) : error;
  }
  return created(await infoOf(call, id), `${call.origin}/v1/workspaces/${id}`);
}

async function list(call: Call): Promise<Answer> {
  requireScope(call, { to: 'read' });
  const after = continuationOf(call);
  const { db } = call.runtime;
  let query = db.selectFrom('items_workspace').selectAll().where('seq', '>', after);
  if (call.caller.kind !== 'anyone') {
    const held = db
      .selectFrom('items_role')
      .select('workspace_id')
      .where('principal_id', 'in', [...(await principalsOf(call))]);
    query = query.where('id', 'in', held);
  }
  const rows = await query
    .orderBy('seq')
    .limit(pageSize + 1)
    .execute();
  return page(call, rows, rows.slice(0, pageSize).map(viewWorkspace));
}

async function get(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Viewer', { to: 'read' });
  return ok(await infoOf(call, entered.workspace.id));
}

async function update(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Admin', { to: 'write' });
  const body = bodyOf(call);
  const checks = new Checks('InvalidRequest');
  const displayName = body['displayName'] === undefined ? undefined : checkName(body['displayName']);
  const description = checks.value('description', body['description'], properties.description);
  checks.done();
  const change: Partial<Selectable<WorkspaceTable>> = {
    ...(displayName === undefined ? {} : { display_name: displayName, name_key: nameKey(displayName) }),
    ...(description === undefined ? {} : { description }),
  };
  try {
    if (Object.keys(change).length > 0)
      await call.runtime.db.updateTable('items_workspace').set(change).where('id', '=', entered.workspace.id).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? nameExists(displayName ?? '') : error;
  }
  return ok(await infoOf(call, entered.workspace.id));
}

async function remove(call: Call): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Admin', { to: 'write' });
  await removeWorkspace(call, entered);
  return ok();
}

async function removeWorkspace(call: Call, { workspace: { id } }: EnteredWorkspace): Promise<void> {
  await call.runtime.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('items_workspace').where('id', '=', id).execute();
    const items = transaction.selectFrom('items_item').select('id').where('workspace_id', '=', id);
    await transaction.deleteFrom('items_definition').where('item_id', 'in', items).execute();
    await transaction.deleteFrom('items_item_tag').where('item_id', 'in', items).execute();
    await transaction.deleteFrom('items_item').where('workspace_id', '=', id).execute();
    await transaction.deleteFrom('items_folder').where('workspace_id', '=', id).execute();
    await transaction.deleteFrom('items_role').where('workspace_id', '=', id).execute();
  });
}

/** A workspace as single answers show it. */
async function infoOf(call: Call, id: string): Promise<Record<string, unknown>> {
  const { db } = call.runtime;
  const workspace = await db.selectFrom('items_workspace').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const capacity =
    workspace.capacity_id === null
      ? undefined
      : await db.selectFrom('items_capacity').selectAll().where('id', '=', workspace.capacity_id).executeTakeFirst();
  return viewWorkspaceInfo(workspace, capacity);
}

function checkName(value: unknown): string {
  if (typeof value !== 'string') throw new Problem('InvalidInput', 'displayName is required and must be a non-empty string.');
  const mistake = mistakeIn(properties.displayName, value);
  if (mistake === undefined) return value;
  const codes: Readonly<Record<string, string>> = { maxLength: 'WorkspaceNameTooLong', refuses: 'WorkspaceNameIsReserved' };
  throw new Problem(codes[mistake.keyword] ?? 'InvalidInput', `displayName is not allowed: ${mistake.words}.`);
}

function nameExists(displayName: string): Problem {
  return new Problem('WorkspaceNameAlreadyExists', `There is a workspace named "${displayName}" already.`, { isRetriable: false });
}

/** A workspace as listings show it. */
function viewWorkspace(workspace: Selectable<WorkspaceTable>): Record<string, unknown> {
  return {
    id: workspace.id,
    displayName: workspace.display_name,
    description: workspace.description,
    type: workspace.type,
    ...(workspace.capacity_id === null ? {} : { capacityId: workspace.capacity_id }),
  };
}

/** A workspace as single answers show it. */
function viewWorkspaceInfo(
  workspace: Selectable<WorkspaceTable>,
  capacity: Selectable<CapacityTable> | undefined,
): Record<string, unknown> {
  const identity =
    workspace.identity_application_id === null
      ? {}
      : {
          workspaceIdentity: {
            applicationId: workspace.identity_application_id,
            servicePrincipalId: workspace.identity_principal_id,
          },
        };
  return {
    ...viewWorkspace(workspace),
    capacityAssignmentProgress: 'Completed',
    ...(capacity === undefined ? {} : { capacityRegion: capacity.region }),
    oneLakeEndpoints: {
      blobEndpoint: `https://${workspace.id}.blob.onelake.localhost`,
      dfsEndpoint: `https://${workspace.id}.dfs.onelake.localhost`,
    },
    ...identity,
  };
}
