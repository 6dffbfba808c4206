import { replaceDefinition, viewDefinition } from '../item/definition-store.js';
import { removeItem } from '../item/remove.js';
import type { ItemRow } from '../item/view.js';
import { Problem } from '../http/problem.js';
import type { ItemsDatabase, ItemsTransaction } from '../store/tables.js';
import type { OperationRequest, OperationRow } from './operation.js';

/**
 * Ends an operation: its outcome and its effect become visible together, in one transaction. What can't be done is a failure with
 * its reason, and leaves nothing behind.
 */
export async function settle(db: ItemsDatabase, operation: OperationRow, now: number): Promise<void> {
  const request = JSON.parse(operation.request) as OperationRequest;
  try {
    await db.transaction().execute(async (transaction) => {
      if (!(await claim(transaction, operation.id, now, 'Succeeded'))) return;
      const result = await carryOut(transaction, operation, request);
      if (result !== undefined)
        await transaction
          .updateTable('items_operation')
          .set({ result: JSON.stringify(result) })
          .where('id', '=', operation.id)
          .execute();
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await db.transaction().execute(async (transaction) => {
      if (!(await claim(transaction, operation.id, now, 'Failed'))) return;
      if (operation.kind === 'createItem') await removeItem(transaction, operation.workspace_id, operation.item_id);
      const why = error.toJson(request.requestId);
      await transaction.updateTable('items_operation').set({ error: why }).where('id', '=', operation.id).execute();
    });
  }
}

/** Takes an operation to its end; false when another process did so before. */
async function claim(transaction: ItemsTransaction, id: string, now: number, status: OperationRow['status']): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('items_operation')
    .set({ status, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'Running')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function carryOut(transaction: ItemsTransaction, operation: OperationRow, request: OperationRequest): Promise<unknown> {
  const item = await transaction.selectFrom('items_item').selectAll().where('id', '=', operation.item_id).executeTakeFirst();
  if (!item) throw new Problem('ItemNotFound', `The item ${operation.item_id} was deleted before the operation ended.`);
  switch (operation.kind) {
    case 'createItem':
      return finishCreation(transaction, item, request);
    case 'getDefinition':
      return viewDefinition(transaction, item);
    case 'updateDefinition':
      await replaceDefinition(transaction, item, request.definition ?? { parts: [] }, request.metadata ?? 'keep');
      return undefined;
  }
}

async function finishCreation(transaction: ItemsTransaction, item: ItemRow, request: OperationRequest): Promise<undefined> {
  if (request.fail)
    throw new Problem('UnknownError', `The ${item.type} "${item.display_name}" could not be created: its provisioning failed.`);
  await transaction
    .updateTable('items_item')
    .set({ state: 'active' })
    .where((column) => column.or([column('id', '=', item.id), column('parent_id', '=', item.id)]))
    .execute();
  return undefined;
}
