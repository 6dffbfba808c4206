import type { EnteredWorkspace } from '../access/roles.js';
import { bodyOf, bodySize } from '../http/body.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { Problem } from '../http/problem.js';
import type { NewOperation } from '../operation/operation.js';
import { accepted } from '../operation/routes.js';
import { requireDefinition } from './definition.js';
import { replaceDefinition, viewDefinition } from './definition-store.js';
import { knownType } from './item-type.js';
import type { ItemRow } from './view.js';

/** Answers an item's definition, for those who may write. */
export async function getDefinition(call: Call, _entered: EnteredWorkspace, item: ItemRow): Promise<Answer> {
  const format = call.query.get('format');
  const { format: own } = knownType(item.type);
  if (format !== null && format !== '' && own !== undefined && ![own, 'default'].includes(format.toLowerCase()))
    throw new Problem('InvalidDefinitionFormat', `The definition format "${format}" is not known for ${item.type}.`);
  if (!call.runtime.operations.takesItsTime(bodySize(call))) return ok(await viewDefinition(call.runtime.db, item));
  return start(call, { kind: 'getDefinition', workspaceId: item.workspace_id, itemId: item.id, request: { requestId: call.requestId } });
}

/** Replaces it. */
export async function updateDefinition(call: Call, _entered: EnteredWorkspace, item: ItemRow): Promise<Answer> {
  const given = call.query.get('updateMetadata') ?? 'false';
  if (!/^(true|false)$/i.test(given))
    throw new Problem('InvalidParameter', `updateMetadata "${given}" is not allowed: it is true or false.`);
  const metadata = given.toLowerCase() === 'true' ? 'update' : 'keep';
  const definition = requireDefinition(bodyOf(call)['definition'], knownType(item.type));
  if (!call.runtime.operations.takesItsTime(bodySize(call))) {
    await call.runtime.db.transaction().execute((transaction) => replaceDefinition(transaction, item, definition, metadata));
    return ok();
  }
  const request = { requestId: call.requestId, definition, metadata } as const;
  return start(call, { kind: 'updateDefinition', workspaceId: item.workspace_id, itemId: item.id, request });
}

async function start(call: Call, operation: NewOperation): Promise<Answer> {
  const { db, operations } = call.runtime;
  return accepted(call, await db.transaction().execute((transaction) => operations.start(transaction, operation)));
}
