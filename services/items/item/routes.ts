import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { itemProperties } from '../../../kinds/item/item.js';
import { BodyError } from '../../common/body-parsers.js';
import { routesInWorkspace } from '../access/workspace-operation.js';
import { type WorkspaceAccess, findItem } from '../access/workspace-access.js';
import { BodyChecks } from '../http/body-checks.js';
import { type Answer, type Call, created, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import { acceptedAnswer } from '../operation/routes.js';
import { type ItemRow, nameKey, mapUniqueViolation } from '../store/tables.js';
import { foldersToList } from '../workspace/folder-routes.js';
import { insertItem, nameConflict, removeItem } from './item-rows.js';
import {
  isCreatable,
  type ItemType,
  itemTypes,
  getItemType,
  typesWithOwnEndpoints,
} from './item-type.js';
import { checkDisplayName, type JsonObject, readNewItem } from './new-item.js';
import { viewItem, viewItems } from './item-view.js';
import type { NewOperation } from '../operation/operation.js';
import { requireDefinition } from './definition.js';
import { replaceDefinition, viewDefinition } from './definition-store.js';

/**
 * Both families of item endpoints: the typed ones (`/eventhouses`) and the generic `/items`. The
 * last argument of `routesInWorkspace` names the item type that the token's scope must include.
 */
export const itemRoutes: readonly Route[] = [
  ...typesWithOwnEndpoints.flatMap((type) => familyRoutes(type.collection, type)),
  ...familyRoutes('items', undefined),
];

function familyRoutes(collection: string, type: ItemType | undefined): readonly Route[] {
  const collectionPath = `/workspaces/:workspaceId/${collection}`;
  const itemPath = `${collectionPath}/:itemId`;
  const object = type === undefined ? 'an item' : `an item of type ${type.name}`;
  const writeAccess = { minimumRole: 'Contributor', scopeAccess: 'write' } as const;
  const readAccess = { minimumRole: 'Viewer', scopeAccess: 'read' } as const;

  return [
    ...routesInWorkspace(
      [
        {
          method: 'POST',
          path: collectionPath,
          summary: `Create ${object}`,
          success: 201,
          ...writeAccess,
          run: (call, access) => createItem(call, access, type),
        },
      ],
      undefined,
      (_target, call) => (type ?? typeInBody(call))?.name ?? 'Item',
    ),
    ...routesInWorkspace(
      [
        {
          method: 'GET',
          path: collectionPath,
          summary: `List ${collection}`,
          ...readAccess,
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
          path: itemPath,
          summary: `Get ${object}`,
          ...readAccess,
          run: (call, _access, target) => getItem(call, target, type),
        },
        {
          method: 'PATCH',
          path: itemPath,
          summary: `Update ${object}`,
          ...writeAccess,
          run: (call, _access, target) => updateItem(call, target, type),
        },
        {
          method: 'DELETE',
          path: itemPath,
          summary: `Delete ${object}`,
          ...writeAccess,
          run: deleteItem,
        },
        {
          method: 'POST',
          path: `${itemPath}/getDefinition`,
          summary: `Get the definition of ${object}`,
          ...writeAccess,
          run: getDefinition,
        },
        {
          method: 'POST',
          path: `${itemPath}/updateDefinition`,
          summary: `Replace the definition of ${object}`,
          ...writeAccess,
          run: updateDefinition,
        },
      ],
      (call, access) => findItem(call, access, type?.name),
      (target) => target.type,
    ),
  ];
}

async function createItem(
  call: Call,
  access: WorkspaceAccess,
  endpointType: ItemType | undefined,
): Promise<Answer> {
  const body = call.json();
  const type = endpointType ?? requireType(body);
  if (!isCreatable(type))
    throw new Problem('UnsupportedItemType', `Items of type ${type.name} can't be created.`);
  const item = await readNewItem(call, access, type, body);
  const { operations, failingItemPrefix, db, commitQueue } = call.runtime;
  // `castellan serve --fail-items PREFIX` makes creations fail, for tests of clients.
  const mustFail =
    failingItemPrefix !== undefined && item.displayName.startsWith(failingItemPrefix);
  if (!mustFail && !operations.isLongRunning(call.body.length)) {
    const row = await insertItem(commitQueue, item, 'active');
    return created(
      await viewItem(call.runtime, db, row, {
        includeProperties: endpointType !== undefined,
        includeIdentity: true,
        tags: 'none',
      }),
    );
  }
  let operationId = '';
  await insertItem(commitQueue, item, 'provisioning', async (transaction) => {
    const request = {
      requestId: call.requestId,
      itemType: type.name,
      typed: endpointType !== undefined,
      fail: mustFail,
    };
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
  access: WorkspaceAccess,
  endpointType: ItemType | undefined,
): Promise<Answer> {
  const type = endpointType?.name ?? call.query.get('type');
  if (type !== null && !itemTypes.has(type))
    throw new Problem('InvalidItemType', `The item type "${type}" is not known.`);
  const folders = await foldersToList(call, access);
  const { db } = call.runtime;
  let query = db
    .selectFrom('items_item')
    .selectAll()
    .where('workspace_id', '=', access.workspace.id)
    .where('state', '=', 'active');
  if (type !== null) query = query.where('type', '=', type);
  if (folders === 'top') query = query.where('folder_id', 'is', null);
  else if (folders !== 'everywhere') query = query.where('folder_id', 'in', folders);
  return pageAnswer(call, query, (rows) =>
    viewItems(call.runtime, db, rows, {
      includeProperties: endpointType !== undefined,
      includeIdentity: false,
    }),
  );
}

async function getItem(
  { runtime }: Call,
  item: ItemRow,
  endpointType: ItemType | undefined,
): Promise<Answer> {
  return ok(
    await viewItem(runtime, runtime.db, item, {
      includeProperties: endpointType !== undefined,
      includeIdentity: endpointType !== undefined,
    }),
  );
}

async function updateItem(
  call: Call,
  item: ItemRow,
  endpointType: ItemType | undefined,
): Promise<Answer> {
  const body = call.json();
  const checks = new BodyChecks('InvalidRequest');
  const displayName =
    body['displayName'] === undefined
      ? undefined
      : checkDisplayName(checks, body['displayName'], getItemType(item.type));
  const description = checks.value('description', body['description'], itemProperties.description);
  checks.throwIfInvalid();
  const change = {
    id: item.id, // as is: SQL must set at least one column
    ...(displayName !== undefined && { display_name: displayName, name_key: nameKey(displayName) }),
    ...omitUndefined({ description }),
  };
  const updating = call.runtime.db
    .updateTable('items_item')
    .set(change)
    .where('id', '=', item.id)
    .execute();
  await mapUniqueViolation(updating, () => nameConflict(item.type, displayName ?? ''));
  return getItem(call, { ...item, ...change }, endpointType);
}

async function deleteItem(call: Call, _access: WorkspaceAccess, item: ItemRow): Promise<Answer> {
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
 * The type in a generic creation, for the scope that it needs. The body is not checked yet: one
 * that cannot be parsed needs the scope of any item.
 */
function typeInBody(call: Call): ItemType | undefined {
  try {
    const { type } = call.json();
    return typeof type === 'string' ? itemTypes.get(type) : undefined;
  } catch (error) {
    if (error instanceof BodyError) return undefined; // reported after the rights are checked
    throw error;
  }
}

/** Returns an item's definition, for callers who may write. */
export async function getDefinition(
  call: Call,
  _access: WorkspaceAccess,
  item: ItemRow,
): Promise<Answer> {
  const format = call.query.get('format');
  const { format: typeFormat } = getItemType(item.type);
  if (
    format !== null &&
    format !== '' &&
    typeFormat !== undefined &&
    ![typeFormat, 'default'].includes(format.toLowerCase())
  )
    throw new Problem(
      'InvalidDefinitionFormat',
      `The definition format "${format}" is not known for ${item.type}.`,
    );
  if (!call.runtime.operations.isLongRunning(call.body.length))
    return ok(await viewDefinition(call.runtime.db, item));
  return startOperation(call, {
    kind: 'getDefinition',
    workspaceId: item.workspace_id,
    itemId: item.id,
    request: { requestId: call.requestId, itemType: item.type },
  });
}

/** Replaces an item's definition, and with `updateMetadata=true` its name and description. */
export async function updateDefinition(
  call: Call,
  _access: WorkspaceAccess,
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
  const { type: itemType } = item;
  const request = { requestId: call.requestId, itemType, definition, metadata } as const;
  return startOperation(call, {
    kind: 'updateDefinition',
    workspaceId: item.workspace_id,
    itemId: item.id,
    request,
  });
}

async function startOperation(call: Call, operation: NewOperation): Promise<Answer> {
  const { db, operations } = call.runtime;
  return acceptedAnswer(
    call,
    await db.transaction().execute((transaction) => operations.start(transaction, operation)),
  );
}
