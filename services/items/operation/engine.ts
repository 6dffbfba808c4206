import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../common/clock.js';
import type { LongRunningOptions } from '../../common/service.js';
import type { ItemsDatabase, ItemsTransaction } from '../store/tables.js';
import type { OperationEngine, OperationRequest, OperationRow } from './operation.js';
import { replaceDefinition, viewDefinition } from '../item/definition-store.js';
import { removeItem } from '../item/insert.js';
import type { ItemRow } from '../item/view.js';
import { Problem } from '../http/problem.js';

/** How long the ends of operations can be read. */
const keptMs = 7 * 24 * 3_600_000;
const atOnce = 100;

/** Makes the engine and goes on with what an earlier process left. */
export async function startOperationEngine(db: ItemsDatabase, clock: Clock, options: LongRunningOptions): Promise<OperationEngine> {
  let nextDue = Infinity;
  let drawn = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const findNext = async (): Promise<void> => {
    const next = await db
      .selectFrom('items_operation')
      .select((column) => column.fn.min('due_at').as('due'))
      .where('status', '=', 'Running')
      .executeTakeFirst();
    nextDue = next?.due === null || next?.due === undefined ? Infinity : Number(next.due);
    wakeUp();
  };
  const wakeUp = (): void => {
    clearTimeout(timer);
    if (closed || nextDue === Infinity) return;
    const wait = Math.min(Math.max(nextDue - clock.now().getTime(), 0), 60_000);
    // What fails here is tried again by the next request, which then sees the error.
    timer = setTimeout(() => void engine.settleDue().catch(() => (nextDue = clock.now().getTime() + 1000)), wait);
    timer.unref();
  };
  const settleAll = async (): Promise<void> => {
    for (;;) {
      const now = clock.now().getTime();
      const due = await db
        .selectFrom('items_operation')
        .selectAll()
        .where('status', '=', 'Running')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(atOnce)
        .execute();
      for (const operation of due) await settle(db, operation, now);
      if (due.length < atOnce) break;
    }
    await findNext();
  };
  const engine: OperationEngine = {
    retryAfter: Math.max(1, Math.ceil(options.seconds)),
    takesItsTime(size) {
      if (options.mode === 'size') return size >= (options.bytes ?? 0);
      if (options.mode !== 'random') return options.mode === 'always';
      // The same seed draws the same answers in the same order.
      return (createHash('sha256').update(`${options.seed}:${drawn++}`).digest()[0] ?? 0) < 128;
    },
    async start(transaction, operation) {
      const id = randomUUID();
      const now = clock.now().getTime();
      const due = now + options.seconds * 1000;
      await transaction
        .insertInto('items_operation')
        .values({
          id,
          kind: operation.kind,
          workspace_id: operation.workspaceId,
          item_id: operation.itemId,
          status: 'Running',
          created_at: now,
          updated_at: now,
          due_at: due,
          request: JSON.stringify(operation.request),
          result: null,
          error: null,
        })
        .execute();
      if (due < nextDue) {
        nextDue = due;
        wakeUp();
      }
      return id;
    },
    async settleDue() {
      if (closed || clock.now().getTime() < nextDue) return;
      running ??= settleAll().finally(() => (running = undefined));
      await running;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
  await db
    .deleteFrom('items_operation')
    .where('updated_at', '<', clock.now().getTime() - keptMs)
    .where('status', '!=', 'Running')
    .execute();
  await settleAll();
  return engine;
}

/**
 * Ends an operation: its outcome and its effect become visible together, in one transaction. What can't be done is a failure with
 * its reason, and leaves nothing behind.
 */
async function settle(db: ItemsDatabase, operation: OperationRow, now: number): Promise<void> {
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
