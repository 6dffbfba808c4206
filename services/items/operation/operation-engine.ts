import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import { leasePollMs } from '../../common/lease.js';
import type { Clock } from '../../common/clock.js';
import type { LongRunningOptions } from '../../common/service.js';
import type { ItemRow, ItemsDatabase, ItemsTransaction } from '../store/tables.js';
import {
  type NewOperation,
  type OperationEngine,
  type OperationRequest,
  type OperationRow,
  resultRetentionMs,
} from './operation.js';
import { replaceDefinition, viewDefinition } from '../item/definition-store.js';
import { removeItem } from '../item/item-rows.js';
import { Problem } from '../http/problem.js';

/** The most due operations that are read at once. */
const batchSize = 100;
/** The wait until operations that another process is completing are read again. */
const retryWaitMs = 50;

/** The longest wait of a timer; longer ones are set again. */
const maxTimerMs = 60_000;
/** How far the clocks of the processes of a database may differ. */
const clockToleranceMs = 60_000;

/** Creates the engine and continues the operations of earlier processes. */
export async function startOperationEngine(
  db: ItemsDatabase,
  clock: Clock,
  options: LongRunningOptions,
  databaseEngine: DatabaseEngine,
): Promise<OperationEngine> {
  const engine = new Engine(db, clock, options, databaseEngine);
  await engine.completeDueAndScheduleNext();
  return engine;
}

class Engine implements OperationEngine {
  readonly retryAfterSeconds: number;
  #nextDue = Infinity;
  /** The latest time at which an operation was accepted or looked for. */
  #latestTime = 0;
  #drawCount = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly db: ItemsDatabase,
    private readonly clock: Clock,
    private readonly options: LongRunningOptions,
    private readonly databaseEngine: DatabaseEngine,
  ) {
    this.retryAfterSeconds = Math.max(1, Math.ceil(options.seconds));
  }

  /** Whether the next operation is long-running; with the mode `random`, each call is a draw. */
  isLongRunning(size: number): boolean {
    const { mode, bytes = 0, seed } = this.options;
    if (mode === 'size') return size >= bytes;
    if (mode !== 'random') return mode === 'always';
    // Half of all operations, in the same sequence for the same seed.
    return (createHash('sha256').update(`${seed}:${this.#drawCount++}`).digest()[0] ?? 0) < 128;
  }

  async start(
    transaction: ItemsTransaction,
    { kind, workspaceId, itemId, request }: NewOperation,
  ): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now().getTime();
    this.#latestTime = Math.max(this.#latestTime, now);
    const due = now + this.options.seconds * 1000;
    const identity = {
      id,
      kind,
      workspace_id: workspaceId,
      item_id: itemId,
      request: JSON.stringify(request),
    };
    const state = {
      status: 'Running',
      created_at: now,
      updated_at: now,
      due_at: due,
      result: null,
      error: null,
    } as const;
    await transaction
      .insertInto('items_operation')
      .values({ ...identity, ...state })
      .execute();
    if (due < this.#nextDue) this.#wakeUpAt(due);
    return id;
  }

  async completeDue(): Promise<void> {
    const now = this.clock.now().getTime();
    const isClockSetBack = now < this.#latestTime;
    if (this.#closed || (now < this.#nextDue && !isClockSetBack)) return;
    this.#running ??= this.completeDueAndScheduleNext().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Completes due operations, deletes expired ones, and schedules the next one. */
  async completeDueAndScheduleNext(): Promise<void> {
    this.#latestTime = this.clock.now().getTime();
    await this.#deleteExpired();
    await this.#rescheduleFutureOperations();
    const runningOperations = this.db.selectFrom('items_operation').where('status', '=', 'Running');
    let isBusyElsewhere = false;
    for (let hasMore = true; hasMore;) {
      const now = this.clock.now().getTime();
      const dueOperations = await runningOperations
        .selectAll()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(batchSize)
        .execute();
      let completedCount = 0;
      for (const operation of dueOperations)
        if (await completeOperation(this.db, operation, now, this.databaseEngine)) completedCount++;
      isBusyElsewhere = completedCount < dueOperations.length;
      hasMore = dueOperations.length === batchSize && completedCount > 0;
    }
    const next = await runningOperations
      .select((column) => column.fn.min('due_at').as('due'))
      .executeTakeFirst();
    const due = next?.due === null || next?.due === undefined ? Infinity : Number(next.due);
    this.#wakeUpAt(isBusyElsewhere ? Math.max(due, this.clock.now().getTime() + retryWaitMs) : due);
  }

  async #deleteExpired(): Promise<void> {
    const latestExpired = this.clock.now().getTime() - resultRetentionMs;
    await this.db
      .deleteFrom('items_operation')
      .where('status', 'in', ['Succeeded', 'Failed'])
      .where('due_at', '<=', latestExpired) // not after `updated_at`, and with an index
      .where('updated_at', '<=', latestExpired)
      .execute();
  }

  /** After the clock was set back, operations take as long from now on as they would have. */
  async #rescheduleFutureOperations(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.db
      .updateTable('items_operation')
      .set((column) => ({
        due_at: sql<number>`${now} + ${column.ref('due_at')} - ${column.ref('created_at')}`,
        created_at: now,
        updated_at: now,
      }))
      .where('status', '=', 'Running')
      .where('created_at', '>', now + clockToleranceMs)
      .execute();
  }

  #wakeUpAt(due: number): void {
    const now = this.clock.now().getTime();
    // Other processes of the database accept operations, and may be killed before they are due.
    if (this.databaseEngine === 'postgres') due = Math.min(due, now + leasePollMs);
    this.#nextDue = due;
    clearTimeout(this.#timer);
    if (this.#closed || due === Infinity) return;
    const wait = Math.min(Math.max(due - now, 0), maxTimerMs);
    this.#timer = setTimeout(() => {
      if (this.clock.now().getTime() < this.#nextDue) return this.#wakeUpAt(this.#nextDue);
      // After a failure the next request retries, and then gets the error.
      this.completeDue().catch(() => (this.#nextDue = this.clock.now().getTime() + 1000));
    }, wait);
    this.#timer.unref();
  }
}

/**
 * Ends an operation: its result and its effect become visible in one transaction. A failed
 * operation has a reason and no effect.
 */
async function completeOperation(
  db: ItemsDatabase,
  operation: OperationRow,
  now: number,
  databaseEngine: DatabaseEngine,
): Promise<boolean> {
  const request = JSON.parse(operation.request) as OperationRequest;
  const claimAs = (transaction: ItemsTransaction, status: OperationRow['status']) =>
    claim(transaction, operation.id, { now, status, databaseEngine });
  try {
    return await db.transaction().execute(async (transaction) => {
      if (!(await claimAs(transaction, 'Succeeded'))) return false;
      const result = await execute(transaction, operation, request);
      if (result !== undefined)
        await transaction
          .updateTable('items_operation')
          .set({ result: JSON.stringify(result) })
          .where('id', '=', operation.id)
          .execute();
      return true;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return db.transaction().execute(async (transaction) => {
      if (!(await claimAs(transaction, 'Failed'))) return false;
      if (operation.kind === 'createItem')
        await removeItem(transaction, operation.workspace_id, operation.item_id);
      const errorJson = error.toJson(request.requestId);
      await transaction
        .updateTable('items_operation')
        .set({ error: errorJson })
        .where('id', '=', operation.id)
        .execute();
      return true;
    });
  }
}

/**
 * Claims an operation by its final status, in the transaction that has its effect: a process that
 * is killed in between leaves it to the others. False if another process completes it.
 */
async function claim(
  transaction: ItemsTransaction,
  id: string,
  {
    now,
    status,
    databaseEngine,
  }: {
    readonly now: number;
    readonly status: OperationRow['status'];
    readonly databaseEngine: DatabaseEngine;
  },
): Promise<boolean> {
  if (databaseEngine === 'postgres') {
    const row = transaction.selectFrom('items_operation').select('id').where('id', '=', id);
    if ((await row.forUpdate().skipLocked().executeTakeFirst()) === undefined) return false;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('items_operation')
    .set({ status, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'Running')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function execute(
  transaction: ItemsTransaction,
  operation: OperationRow,
  request: OperationRequest,
): Promise<unknown> {
  const item = await transaction
    .selectFrom('items_item')
    .selectAll()
    .where('id', '=', operation.item_id)
    .executeTakeFirst();
  if (!item)
    throw new Problem(
      'ItemNotFound',
      `The item ${operation.item_id} was deleted before the operation ended.`,
    );
  switch (operation.kind) {
    case 'createItem':
      return finishCreation(transaction, item, request);
    case 'getDefinition':
      return viewDefinition(transaction, item);
    case 'updateDefinition':
      await replaceDefinition(
        transaction,
        item,
        request.definition ?? { parts: [] },
        request.metadata ?? 'keep',
      );
      return undefined;
  }
}

async function finishCreation(
  transaction: ItemsTransaction,
  item: ItemRow,
  request: OperationRequest,
): Promise<undefined> {
  if (request.fail)
    throw new Problem(
      'UnknownError',
      `The ${item.type} "${item.display_name}" could not be created: its provisioning failed.`,
    );
  await transaction
    .updateTable('items_item')
    .set({ state: 'active' })
    .where((column) => column.or([column('id', '=', item.id), column('parent_id', '=', item.id)]))
    .execute();
  return undefined;
}
