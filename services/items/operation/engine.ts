import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../common/clock.js';
import type { LongRunningOptions } from '../../common/service.js';
import type { ItemsDatabase } from '../store/tables.js';
import type { OperationEngine } from './operation.js';
import { settle } from './settle.js';

/** How long the ends of operations can be read. */
const keptMs = 7 * 24 * 3_600_000;

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
        .limit(100)
        .execute();
      for (const operation of due) await settle(db, operation, now);
      if (due.length < 100) break;
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
