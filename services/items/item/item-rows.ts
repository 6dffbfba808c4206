import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { workspace as workspaceKind } from '../../../kinds/workspace/workspace.js';
import { Problem } from '../http/problem.js';
import type { CommitQueue } from '../store/commit-queue.js';
import {
  type ItemRow,
  type ItemsTransaction,
  type ItemTable,
  lockWorkspaceIfExists,
  nameKey,
  mapUniqueViolation,
  workspaceNotFound,
} from '../store/tables.js';
import { assertFolder } from '../workspace/folder-tree.js';
import { hasSqlEndpoint } from './type-properties.js';
import { assertEventhouse, type NewItem } from './new-item.js';

/**
 * Inserts an item, together with the item that the service creates beside it (`childTypeOf`), in
 * one transaction: of two that race for a name exactly one wins, and a crash leaves all or nothing.
 *
 * @param state `provisioning`: reserves name and place, but is invisible until an operation ends.
 * @param extraWork other changes of the same transaction.
 * @returns the inserted row.
 * @throws Problem 409 `ItemDisplayNameAlreadyInUse` or `WorkspaceItemsLimitExceeded`.
 */
export async function insertItem(
  commitQueue: CommitQueue,
  item: NewItem,
  state: ItemTable['state'],
  extraWork: (transaction: ItemsTransaction) => Promise<void> = () => Promise.resolve(),
): Promise<ItemRow> {
  const childType = childTypeOf(item);
  const row = itemRow(item, state);
  const insertion = commitQueue.run(async (transaction) => {
    await addToItemCount(transaction, item.workspaceId, childType === undefined ? 1 : 2);
    await assertPlace(transaction, item);
    await transaction.insertInto('items_item').values(row).execute();
    if (childType !== undefined)
      await transaction
        .insertInto('items_item')
        .values(await childRow(transaction, item, childType, state))
        .execute();
    if (item.parts !== undefined)
      await transaction
        .insertInto('items_definition')
        .values({ item_id: item.id, parts: JSON.stringify(item.parts) })
        .execute();
    await extraWork(transaction);
  });
  await mapUniqueViolation(insertion, () => nameConflict(item.type.name, item.displayName));
  return row;
}

/** @throws Problem 404 when the folder or the eventhouse has been deleted since they were read. */
async function assertPlace(
  transaction: ItemsTransaction,
  { workspaceId, folderId, parentId }: NewItem,
): Promise<void> {
  if (folderId !== null) await assertFolder(transaction, workspaceId, folderId);
  if (parentId !== null) await assertEventhouse(transaction, workspaceId, parentId);
}

/** The error for a name that another item of the type has. */
export function nameConflict(type: string, displayName: string): Problem {
  const message = `The display name "${displayName}" is already in use by another ${type} in the workspace.`;
  return new Problem('ItemDisplayNameAlreadyInUse', message, { isRetriable: false });
}

/**
 * Adds new items to the count of the workspace, up to its limit. The update locks the workspace's
 * row, so that the count stays right.
 */
async function addToItemCount(
  transaction: ItemsTransaction,
  workspaceId: string,
  addedCount: number,
): Promise<void> {
  const limit = workspaceKind.limits.items;
  const { numUpdatedRows } = await transaction
    .updateTable('items_workspace')
    .set((column) => ({ item_count: column('item_count', '+', addedCount) }))
    .where('id', '=', workspaceId)
    .where('item_count', '<=', limit - addedCount)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const workspace = await transaction
    .selectFrom('items_workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (!workspace) throw workspaceNotFound(workspaceId);
  throw new Problem(
    'WorkspaceItemsLimitExceeded',
    `The workspace can't have more than ${limit} items, parents and children counted.`,
    {
      isRetriable: false,
    },
  );
}

/** Deletes an item with its children, definitions and tags, and subtracts them from the count. */
export async function removeItem(
  transaction: ItemsTransaction,
  workspaceId: string,
  itemId: string,
): Promise<void> {
  // First, as in every change: locks are taken in the same order, and no child is added meanwhile.
  // A deleted workspace has taken its items with it.
  if (!(await lockWorkspaceIfExists(transaction, workspaceId))) return;
  const rows = await transaction
    .selectFrom('items_item')
    .select('id')
    .where((column) => column.or([column('id', '=', itemId), column('parent_id', '=', itemId)]))
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const workspace = transaction.updateTable('items_workspace').where('id', '=', workspaceId);
  await workspace
    .set((column) => ({ item_count: column('item_count', '-', ids.length) }))
    .execute();
  await transaction.deleteFrom('items_definition').where('item_id', 'in', ids).execute();
  await transaction.deleteFrom('items_item_tag').where('item_id', 'in', ids).execute();
  await transaction.deleteFrom('items_item').where('id', 'in', ids).execute();
}

function itemRow(item: NewItem, state: ItemTable['state']): ItemRow {
  return {
    id: item.id,
    workspace_id: item.workspaceId,
    type: item.type.name,
    display_name: item.displayName,
    name_key: nameKey(item.displayName),
    description: item.description,
    folder_id: item.folderId,
    parent_id: item.parentId,
    label_id: item.labelId,
    creator: item.creator,
    settings: JSON.stringify(item.settings),
    logical_id: item.logicalId,
    state,
  };
}

/**
 * The type of the item that the service creates with a new one: the query database of an
 * eventhouse, the SQL endpoint of a lakehouse or mirrored database.
 */
function childTypeOf({ type, parts }: NewItem): 'KQLDatabase' | 'SQLEndpoint' | undefined {
  if (hasSqlEndpoint(type.name)) return 'SQLEndpoint';
  // With a definition no database is created: its databases are separate items.
  return type.name === 'Eventhouse' && parts === undefined ? 'KQLDatabase' : undefined;
}

/**
 * The child of a new item: under the same name, or one derived from it if another item of its type
 * has that.
 */
async function childRow(
  transaction: ItemsTransaction,
  parent: NewItem,
  type: 'KQLDatabase' | 'SQLEndpoint',
  state: ItemTable['state'],
): Promise<Insertable<ItemTable>> {
  const id = randomUUID();
  const conflict = await transaction
    .selectFrom('items_item')
    .select('id')
    .where((row) =>
      row.and({
        workspace_id: parent.workspaceId,
        type,
        name_key: nameKey(parent.displayName),
      }),
    )
    .executeTakeFirst();
  const displayName = conflict
    ? `${parent.displayName.slice(0, 100)}_${id.slice(0, 8)}`
    : parent.displayName;
  return {
    ...itemRow({ ...parent, displayName }, state),
    id,
    type,
    description: '',
    parent_id: parent.id,
    settings: JSON.stringify(type === 'KQLDatabase' ? { databaseType: 'ReadWrite' } : {}),
    logical_id: randomUUID(),
  };
}
