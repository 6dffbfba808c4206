import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { itemProperties } from '../../../kinds/item/item.js';
import { BodyError } from '../../common/body-parsers.js';
import { routesInWorkspace } from '../access/workspace-routes.js';
import { type AccessedWorkspace, findItem } from '../access/roles.js';
import { BodyChecks } from '../http/checks.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { page } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { acceptedAnswer } from '../operation/routes.js';
import { type ItemRow, nameKey, mapUniqueViolation } from '../store/tables.js';
import { listedFolders } from '../workspace/folder-routes.js';
import { insertItem, nameConflict, removeItem } from './insert.js';
import { isCreatable, type ItemType, itemTypes, getItemType, typedFamilies } from './item-type.js';
import { checkDisplayName, type JsonObject, readNewItem } from './new-item.js';
import { viewItem, viewItems } from './view.js';
import type { NewOperation } from '../operation/operation.js';
import { requireDefinition } from './definition.js';
import { replaceDefinition, viewDefinition } from './definition-store.js';

/** Both families of item endpoints: the typed ones and the generic `/items`. */
export const itemRoutes: readonly Route[] = [
  ...typedFamilies.flatMap((type) => familyRoutes(type.word, type)),
  ...familyRoutes('items', undefined),
];

function familyRoutes(word: string, type: ItemType | undefined): readonly Route[] {
  const list = `/workspaces/:workspaceId/${word}`;
  const item = `${list}/:itemId`;
  const noun = type?.name.toLowerCase() ?? 'item';
  const writing = { minimumRole: 'Contributor', access: 'write' } as const;
  const reading = { minimumRole: 'Viewer', access: 'read' } as const;
  const a = `an ${noun}`;
  return [
    ...routesInWorkspace(
      [
        {
          method: 'POST',
          path: list,
          summary: `Create ${a}`,
          success: 201,
          ...writing,
          run: (call, access) => create(call, access, type),
        },
      ],
      undefined,
      (_found, call) => (type ?? typeInBody(call))?.name ?? 'Item',
    ),
    ...routesInWorkspace(
      [
        {
          method: 'GET',
          path: list,
          summary: `List ${word}`,
          ...reading,
          run: (call, access) => listItems(call, access, type),
        },
      ],
      undefined,
      () => type?.name ?? 'Item',
    ),
    ...routesInWorkspace<ItemRow>(
      [
        {
          method: 'GET',
          path: item,
          summary: `Get ${a}`,
          ...reading,
          run: (call, _entered, target) => get(call, target, type),
        },
        {
          method: 'PATCH',
          path: item,
          summary: `Update ${a}`,
          ...writing,
          run: (call, _entered, target) => update(call, target, type),
        },
        { method: 'DELETE', path: item, summary: `Delete ${a}`, ...writing, run: remove },
        {
          method: 'POST',
          path: `${item}/getDefinition`,
          summary: `Get the definition of ${a}`,
          ...writing,
          run: getDefinition,
        },
        {
          method: 'POST',
          path: `${item}/updateDefinition`,
          summary: `Replace the definition of ${a}`,
          ...writing,
          run: updateDefinition,
        },
      ],
      (call, access) => findItem(call, access, type?.name),
      (target) => target.type,
    ),
  ];
}

async function create(
  call: Call,
  access: AccessedWorkspace,
  family: ItemType | undefined,
): Promise<Answer> {
  const body = call.json();
  const type = family ?? requireType(body);
  if (!isCreatable(type))
    throw new Problem('UnsupportedItemType', `Items of type ${type.name} can't be created.`);
  const item = await readNewItem(call, access, type, body);
  const { operations, failItems, db, commits } = call.runtime;
  const fail = failItems !== undefined && item.displayName.startsWith(failItems);
  if (!fail && !operations.isLongRunning(call.body.length)) {
    const row = await insertItem(commits, item, 'active');
    return created(
      await viewItem(call.runtime, db, row, {
        properties: family !== undefined,
        identity: true,
        tags: 'none',
      }),
    );
  }
  let operationId = '';
  await insertItem(commits, item, 'provisioning', async (transaction) => {
    const request = { requestId: call.requestId, typed: family !== undefined, fail };
    operationId = await operations.start(transaction, {
      kind: 'createItem',
      workspaceId: item.workspaceId,
      itemId: item.id,
      request,
    });
  });
  return acceptedAnswer(call, operationId);
}

async function listItems(
  call: Call,
  access: AccessedWorkspace,
  family: ItemType | undefined,
): Promise<Answer> {
  const type = family?.name ?? call.query.get('type');
  if (type !== null && !itemTypes.has(type))
    throw new Problem('InvalidItemType', `The item type "${type}" is not known.`);
  const folders = await listedFolders(call, access);
  const { db } = call.runtime;
  let query = db
    .selectFrom('items_item')
    .selectAll()
    .where('workspace_id', '=', access.workspace.id)
    .where('state', '=', 'active');
  if (type !== null) query = query.where('type', '=', type);
  if (folders === 'top') query = query.where('folder_id', 'is', null);
  else if (folders !== 'everywhere') query = query.where('folder_id', 'in', folders);
  return page(call, query, (rows) =>
    viewItems(call.runtime, db, rows, { properties: family !== undefined, identity: false }),
  );
}

async function get(
  { runtime }: Call,
  item: ItemRow,
  family: ItemType | undefined,
): Promise<Answer> {
  return ok(
    await viewItem(runtime, runtime.db, item, {
      properties: family !== undefined,
      identity: family !== undefined,
    }),
  );
}

async function update(call: Call, item: ItemRow, family: ItemType | undefined): Promise<Answer> {
  const body = call.json();
  const checks = new BodyChecks('InvalidRequest');
  const displayName =
    body['displayName'] === undefined
      ? undefined
      : checkDisplayName(checks, body['displayName'], getItemType(item.type));
  const description = checks.value('description', body['description'], itemProperties.description);
  checks.finish();
  const change = {
    id: item.id,
    ...(displayName !== undefined && { display_name: displayName, name_key: nameKey(displayName) }),
    ...omitUndefined({ description }),
  };
  const changed = call.runtime.db
    .updateTable('items_item')
    .set(change)
    .where('id', '=', item.id)
    .execute();
  await mapUniqueViolation(changed, () => nameConflict(item.type, displayName ?? ''));
  return get(call, { ...item, ...change }, family);
}

async function remove(call: Call, _entered: AccessedWorkspace, item: ItemRow): Promise<Answer> {
  const hardDelete = call.query.get('hardDelete');
  if (hardDelete !== null && !/^(true|false)$/i.test(hardDelete))
    throw new Problem(
      'InvalidParameter',
      `hardDelete "${hardDelete}" is not allowed: it is true or false.`,
    );
  await call.runtime.db
    .transaction()
    .execute((transaction) => removeItem(transaction, item.workspace_id, item.id));
  return ok();
}

/** The type in a generic creation. @throws Problem `InvalidItemType` */
function requireType(body: JsonObject): ItemType {
  const name = body['type'];
  const type = typeof name === 'string' ? itemTypes.get(name) : undefined;
  if (!type)
    throw new Problem(
      'InvalidItemType',
      `The item type ${JSON.stringify(name ?? null)} is not known.`,
    );
  return type;
}

/**
 * The same for the scope, before the body is checked: an unreadable body needs the general scope.
 */
function typeInBody(call: Call): ItemType | undefined {
  try {
    return itemTypes.get(String(call.json()['type']));
  } catch (error) {
    if (error instanceof BodyError) return undefined; // reported after the rights are checked
    throw error;
  }
}

/** Returns an item's definition, for callers who may write. */
export async function getDefinition(
  call: Call,
  _entered: AccessedWorkspace,
  item: ItemRow,
): Promise<Answer> {
  const format = call.query.get('format');
  const { format: own } = getItemType(item.type);
  if (
    format !== null &&
    format !== '' &&
    own !== undefined &&
    ![own, 'default'].includes(format.toLowerCase())
  )
    throw new Problem(
      'InvalidDefinitionFormat',
      `The definition format "${format}" is not known for ${item.type}.`,
    );
  if (!call.runtime.operations.isLongRunning(call.body.length))
    return ok(await viewDefinition(call.runtime.db, item));
  return start(call, {
    kind: 'getDefinition',
    workspaceId: item.workspace_id,
    itemId: item.id,
    request: { requestId: call.requestId },
  });
}

/** Replaces the definition. */
export async function updateDefinition(
  call: Call,
  _entered: AccessedWorkspace,
  item: ItemRow,
): Promise<Answer> {
  const option = call.query.get('updateMetadata') ?? 'false';
  if (!/^(true|false)$/i.test(option))
    throw new Problem(
      'InvalidParameter',
      `updateMetadata "${option}" is not allowed: it is true or false.`,
    );
  const metadata = option.toLowerCase() === 'true' ? 'update' : 'keep';
  const definition = requireDefinition(call.json()['definition'], getItemType(item.type));
  if (!call.runtime.operations.isLongRunning(call.body.length)) {
    await call.runtime.db
      .transaction()
      .execute((transaction) => replaceDefinition(transaction, item, definition, metadata));
    return ok();
  }
  const request = { requestId: call.requestId, definition, metadata } as const;
  return start(call, {
    kind: 'updateDefinition',
    workspaceId: item.workspace_id,
    itemId: item.id,
    request,
  });
}

async function start(call: Call, operation: NewOperation): Promise<Answer> {
  const { db, operations } = call.runtime;
  return acceptedAnswer(
    call,
    await db.transaction().execute((transaction) => operations.start(transaction, operation)),
  );
}
