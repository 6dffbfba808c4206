import { itemProperties } from '../../../kinds/item/item.js';
import { findItem, findWorkspace, requireAccess } from '../access/roles.js';
import { bodyOf, bodySize, Checks, type JsonObject } from '../http/body.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { continuationOf, page, pageSize } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { accepted } from '../operation/accepted.js';
import { isUniqueViolation, nameKey } from '../store/unique.js';
import { definitionRoutes } from './definition-routes.js';
import { belowFolder } from './folder-tree.js';
import { insertItem, nameTaken } from './insert.js';
import { isCreatable, type ItemType, itemTypes, knownType, typedFamilies } from './item-type.js';
import { checkDisplayName } from './name.js';
import { readNewItem } from './new-item.js';
import { removeItem } from './remove.js';
import { viewItem, viewItems } from './view.js';

/** Both families of item endpoints over the same items: the typed ones and the generic `/items`. */
export const itemRoutes: readonly Route[] = [
  ...typedFamilies.flatMap((type) => familyRoutes(type.word, type)),
  ...familyRoutes('items', undefined),
];

function familyRoutes(word: string, type: ItemType | undefined): readonly Route[] {
  const list = `/workspaces/:workspaceId/${word}`;
  const item = `${list}/:itemId`;
  const noun = type?.name.toLowerCase() ?? 'item';
  return [
    { method: 'POST', path: list, summary: `Create an ${noun}`, success: 201, handler: (call) => create(call, type) },
    { method: 'GET', path: list, summary: `List ${word}`, handler: (call) => listItems(call, type) },
    { method: 'GET', path: item, summary: `Get an ${noun}`, handler: (call) => get(call, type) },
    { method: 'PATCH', path: item, summary: `Update an ${noun}`, handler: (call) => update(call, type) },
    { method: 'DELETE', path: item, summary: `Delete an ${noun}`, handler: (call) => remove(call, type) },
    ...definitionRoutes(item, type),
  ];
}

async function create(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Contributor', { to: 'write', ...typeNeed(family ?? typeInBody(call)) });
  const body = bodyOf(call);
  const type = family ?? requireType(body);
  if (!isCreatable(type)) throw new Problem('UnsupportedItemType', `Items of type ${type.name} can't be created.`);
  const item = await readNewItem(call, entered, type, body);
  const { operations, failItems, db, commits } = call.runtime;
  const fail = failItems !== undefined && item.displayName.startsWith(failItems);
  if (!fail && !operations.takesItsTime(bodySize(call))) {
    const row = await insertItem(commits, item, 'active');
    return created(await viewItem(call.runtime, db, row, { properties: family !== undefined, identity: true, tags: 'none' }));
  }
  let operationId = '';
  await insertItem(commits, item, 'provisioning', async (transaction) => {
    const request = { requestId: call.requestId, typed: family !== undefined, fail };
    operationId = await operations.start(transaction, { kind: 'createItem', workspaceId: item.workspaceId, itemId: item.id, request });
  });
  return accepted(call, operationId);
}

async function listItems(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  requireAccess(call, entered, 'Viewer', { to: 'read', ...typeNeed(family) });
  const type = family?.name ?? call.query.get('type');
  if (type !== null && !itemTypes.has(type)) throw new Problem('InvalidItemType', `The item type "${type}" is not known.`);
  const after = continuationOf(call);
  const folders = await belowFolder(call, entered);
  let query = call.runtime.db
    .selectFrom('items_item')
    .selectAll()
    .where('workspace_id', '=', entered.workspace.id)
    .where('state', '=', 'active')
    .where('seq', '>', after);
  if (type !== null) query = query.where('type', '=', type);
  if (folders === 'top') query = query.where('folder_id', 'is', null);
  else if (folders !== 'everywhere') query = query.where('folder_id', 'in', folders);
  const rows = await query
    .orderBy('seq')
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  return page(call, rows, await viewItems(call.runtime, call.runtime.db, shown, { properties: family !== undefined, identity: false }));
}

async function get(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, family?.name);
  requireAccess(call, entered, 'Viewer', { to: 'read', type: item.type });
  return ok(await viewItem(call.runtime, call.runtime.db, item, { properties: family !== undefined, identity: family !== undefined }));
}

async function update(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, family?.name);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
  const body = bodyOf(call);
  const checks = new Checks('InvalidRequest');
  const displayName = body['displayName'] === undefined ? undefined : checkDisplayName(checks, body['displayName'], knownType(item.type));
  const description = checks.value('description', body['description'], itemProperties.description);
  checks.done();
  const change = {
    ...(displayName === undefined ? {} : { display_name: displayName, name_key: nameKey(displayName) }),
    ...(description === undefined ? {} : { description }),
  };
  const { db } = call.runtime;
  try {
    if (Object.keys(change).length > 0) await db.updateTable('items_item').set(change).where('id', '=', item.id).execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(item.type, displayName ?? '');
    throw error;
  }
  return ok(await viewItem(call.runtime, db, { ...item, ...change }, { properties: family !== undefined, identity: family !== undefined }));
}

async function remove(call: Call, family: ItemType | undefined): Promise<Answer> {
  const entered = await findWorkspace(call);
  const item = await findItem(call, entered, family?.name);
  requireAccess(call, entered, 'Contributor', { to: 'write', type: item.type });
  const hardDelete = call.query.get('hardDelete');
  if (hardDelete !== null && !/^(true|false)$/i.test(hardDelete))
    throw new Problem('InvalidParameter', `hardDelete "${hardDelete}" is not allowed: it is true or false.`);
  await call.runtime.db.transaction().execute((transaction) => removeItem(transaction, item.workspace_id, item.id));
  return ok();
}

/** The type that a generic creation names. @throws Problem `InvalidItemType` */
function requireType(body: JsonObject): ItemType {
  const name = body['type'];
  const type = typeof name === 'string' ? itemTypes.get(name) : undefined;
  if (!type) throw new Problem('InvalidItemType', `The item type ${JSON.stringify(name ?? null)} is not known.`);
  return type;
}

/** The same for the scope, before the body may be judged: what can't be read needs the general scope. */
function typeInBody(call: Call): ItemType | undefined {
  try {
    return itemTypes.get(String(bodyOf(call)['type']));
  } catch (error) {
    if (error instanceof Problem) return undefined; // reported after the rights are known
    throw error;
  }
}

function typeNeed(type: ItemType | undefined): { type: string } {
  return { type: type?.name ?? 'Item' };
}
