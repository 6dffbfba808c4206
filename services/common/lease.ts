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
    const key = createHash('sha256').update(name).digest().readInt32BE(0);
    const lock = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${leaseSpace}, ${key}) as taken`.execute(session);
    if (lock.rows[0]?.taken !== true) return false;
    try {
      await work();
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${leaseSpace}, ${key})`.execute(session);
    }
  });
}

/** Tells our leases from other locks of two numbers on the same server. */
const leaseSpace = 736_190;

/**
 * Does work again and again in the background, where several processes may share a database: on
 * SQLite requests and timers of the only process suffice.
 *
 * @returns stops it, after the present turn.
 */
export function repeatWhereShared(
  { engine }: Database,
  work: () => Promise<void>,
): () => Promise<void> {
  if (engine === 'sqlite') return () => Promise.resolve();
  let turn: Promise<void> = Promise.resolve();
  let isTurning = false;
  const timer = setInterval(() => {
    if (isTurning) return;
    isTurning = true;
    turn = work()
      .catch(() => undefined) // the work is still there at the next turn
      .finally(() => (isTurning = false));
  }, leasePollMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
