import { findItem, findWorkspace, requireAccess } from '../access/roles.js';
import { bodyOf, bodySize } from '../http/body.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { Problem } from '../http/problem.js';
import { accepted } from '../operation/accepted.js';
import type { NewOperation } from '../operation/operation.js';
import { requireDefinition } from './definition.js';
import { replaceDefinition, viewDefinition } from './definition-store.js';
import { type ItemType, knownType } from './item-type.js';

/** Reading and replacing definitions: for those who may write. */
export function definitionRoutes(item: string, family: ItemType | undefined): readonly Route[] {
  const noun = family?.name.toLowerCase() ?? 'item';
  return [
    {
      method: 'POST',
      path: `${item}/getDefinition`,
      summary: `Get the definition of an ${noun}`,
      handler: (call) => getDefinition(call, family),
    },
    {
      method: 'POST',
      path: `${item}/updateDefinition`,
      summary: `Replace the definition of an ${noun}`,
      handler: (call) => updateDefinition(call, family),
    },
  ];
}

async function getDefinition(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, family?.name);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
  const format = call.query.get('format');
  const { format: own } = knownType(item.type);
  if (format !== null && format !== '' && own !== undefined && ![own, 'default'].includes(format.toLowerCase()))
    throw new Problem('InvalidDefinitionFormat', `The definition format "${format}" is not known for ${item.type}.`);
  if (!call.runtime.operations.takesItsTime(bodySize(call))) return ok(await viewDefinition(call.runtime.db, item));
  return start(call, { kind: 'getDefinition', workspaceId: item.workspace_id, itemId: item.id, request: { requestId: call.requestId } });
}

async function updateDefinition(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, family?.name);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
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
