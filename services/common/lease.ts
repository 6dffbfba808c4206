import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.js';

/** How often a process looks for work that another one may have left, in milliseconds. */
export const leasePollMs = 3_000;

/**
 * Does work that only one process of a database may do at a time. The lease is a lock of the
 * database's session: it ends with the work, and with a process that is killed.
 *
 * @param name the same in all processes: `directory.due-work`.
 * @returns whether the work was done; false while another process does it.
 */
export async function withLease(
  { engine, connection }: Database,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (engine === 'sqlite') {
    await work(); // one process has a file
    return true;
  }
  return connection.connection().execute(async (session) => {
    const key = lockKey(name);
    const lock = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${leaseLockClass}, ${key}) as taken`.execute(session);
    if (lock.rows[0]?.taken !== true) return false;
    try {
      await work();
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${leaseLockClass}, ${key})`.execute(session);
    }
  });
}

/**
 * Does work that only one process of a database may do at a time, after that of the others. The lock
 * ends with the work, and with a process that is killed.
 *
 * @param name the same in all processes: `resource-manager.writes`.
 */
export async function afterOtherProcesses<T>(
  { engine, connection }: Database,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return work(); // one process has a file
  return connection.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${leaseLockClass}, ${lockKey(name)})`.execute(
      transaction,
    );
    return work();
  });
}

/** The second of the two numbers of an advisory lock. */
function lockKey(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE(0);
}

/** The first of the two numbers of an advisory lock: tells leases from locks of other programs. */
const leaseLockClass = 736_190;

/**
 * Repeats work in the background if several processes may share the database, to take over what a
 * stopped process left. On SQLite, which one process has, nothing is repeated.
 *
 * @returns a function that stops it after the current run.
 */
export function repeatIfShared(
  { engine }: Database,
  work: () => Promise<void>,
): () => Promise<void> {
  if (engine === 'sqlite') return () => Promise.resolve();
  let run: Promise<void> = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    run = work()
      .catch(() => undefined) // the work is still there at the next turn
      .finally(() => (isRunning = false));
  }, leasePollMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await run;
  };
}
