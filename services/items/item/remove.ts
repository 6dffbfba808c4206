import type { ItemsTransaction } from '../store/tables.js';
import { freePlaces } from './insert.js';

/** Removes an item with its children, definitions and tags, and gives their places back. */
export async function removeItem(transaction: ItemsTransaction, workspaceId: string, itemId: string): Promise<void> {
  const found = await transaction
    .selectFrom('items_item')
    .select('id')
    .where((column) => column.or([column('id', '=', itemId), column('parent_id', '=', itemId)]))
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return;
  // The workspace first, as in every change: the same order of locks everywhere.
  await freePlaces(transaction, workspaceId, ids.length);
  await transaction.deleteFrom('items_definition').where('item_id', 'in', ids).execute();
  await transaction.deleteFrom('items_item_tag').where('item_id', 'in', ids).execute();
  await transaction.deleteFrom('items_item').where('id', 'in', ids).execute();
}
