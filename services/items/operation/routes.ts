import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import { findWorkspace, isAtLeast, requireScope } from '../access/workspace-access.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { isGuid } from '../../../core/values/guid.js';
import { Problem } from '../http/problem.js';
import { viewItem } from '../item/item-view.js';
import { type OperationRequest, type OperationRow, resultRetentionMs } from './operation.js';

/** The states and results of operations. */
export const operationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/operations/:operationId',
    summary: 'Get the state of an operation',
    handler: getState,
  },
  {
    method: 'GET',
    path: '/operations/:operationId/result',
    summary: 'Get the result of an operation',
    handler: getResult,
  },
];

async function getState(call: Call): Promise<Answer> {
  const operation = await findOperation(call);
  const address = `${call.origin}/v1/operations/${operation.id}`;
  const now = call.runtime.clock.now().getTime();
  const headers: Record<string, string> = {
    [inDialect(dialectWords.operationIdHeader, call.runtime.dialect)]: operation.id,
  };
  if (operation.status === 'Running') {
    headers['location'] = address;
    headers['retry-after'] = String(Math.max(1, Math.ceil((operation.due_at - now) / 1000)));
  } else if (operation.status === 'Succeeded' && operation.kind !== 'updateDefinition')
    headers['location'] = `${address}/result`;
  return { ...ok(operationState(operation, now)), headers };
}

function operationState(operation: OperationRow, now: number): Record<string, unknown> {
  return {
    status: operation.status,
    createdTimeUtc: new Date(operation.created_at).toISOString(),
    lastUpdatedTimeUtc: new Date(
      operation.status === 'Running' ? now : operation.updated_at,
    ).toISOString(),
    percentComplete: percentComplete(operation, now),
    ...(operation.error !== null && { error: JSON.parse(operation.error) as unknown }),
  };
}

/** Null for a failed operation; from 0 to below 100 as long as it runs, also if a clock is reset. */
function percentComplete(operation: OperationRow, now: number): number | null {
  if (operation.status === 'Failed') return null;
  if (operation.status === 'Succeeded') return 100;
  const duration = Math.max(1, operation.due_at - operation.created_at);
  const percent = Math.floor(((now - operation.created_at) / duration) * 100);
  return Math.min(99, Math.max(0, percent));
}

async function getResult(call: Call): Promise<Answer> {
  const operation = await findOperation(call);
  const { itemType: type = 'Item', typed: includeProperties = false } = JSON.parse(
    operation.request,
  ) as OperationRequest;
  // As for the item itself, whose definition is only for those who may write.
  requireScope(call, { access: operation.kind === 'createItem' ? 'read' : 'write', type });
  if (operation.status !== 'Succeeded')
    throw new Problem(
      'OperationNotSucceeded',
      `The operation has no result: it is ${operation.status}.`,
      {
        isRetriable: operation.status === 'Running',
      },
    );
  if (operation.kind === 'updateDefinition')
    throw new Problem('OperationHasNoResult', 'The operation succeeded and has no result.');
  if (operation.kind === 'getDefinition') {
    // Only callers who may write get definitions.
    const { role } = await findWorkspace(call, operation.workspace_id);
    if (!isAtLeast(role, 'Contributor'))
      throw new Problem(
        'InsufficientWorkspaceRole',
        'Reading a definition needs the role Contributor or higher.',
      );
    return ok(JSON.parse(operation.result ?? '{}') as unknown);
  }
  const { db } = call.runtime;
  const activeItems = db.selectFrom('items_item').selectAll().where('state', '=', 'active');
  const item = await activeItems.where('id', '=', operation.item_id).executeTakeFirst();
  if (!item)
    throw new Problem('ItemNotFound', `The item ${operation.item_id} has been deleted since.`);
  return ok(await viewItem(call.runtime, db, item, { includeProperties, includeIdentity: true }));
}

/**
 * The operation of a request's path, for a caller with a role in its workspace; for others it does
 * not exist.
 */
async function findOperation(call: Call): Promise<OperationRow> {
  const id = call.params['operationId'] ?? '';
  const notFound = new Problem('OperationNotFound', `The operation ${id} could not be found.`);
  const operation = isGuid(id)
    ? await call.runtime.db
        .selectFrom('items_operation')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  const now = call.runtime.clock.now().getTime();
  if (!operation || isExpired(operation, now)) throw notFound;
  try {
    await findWorkspace(call, operation.workspace_id);
  } catch (error) {
    if (error instanceof Problem) throw notFound;
    throw error;
  }
  return operation;
}

function isExpired({ status, updated_at }: OperationRow, now: number): boolean {
  return status !== 'Running' && updated_at + resultRetentionMs <= now;
}

/**
 * The 202 of an accepted operation: the address of its state, its id, and when to poll (items
 * interface, "States and transitions").
 */
export function acceptedAnswer({ runtime, origin }: Call, operationId: string): Answer {
  return {
    status: 202,
    headers: {
      location: `${origin}/v1/operations/${operationId}`,
      [inDialect(dialectWords.operationIdHeader, runtime.dialect)]: operationId,
      'retry-after': String(runtime.operations.retryAfterSeconds),
    },
  };
}
