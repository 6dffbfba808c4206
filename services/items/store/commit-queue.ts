import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import type { ItemsDatabase, ItemsTransaction } from './tables.js';

/** Runs small changes, each all or nothing and durable before it is acknowledged. */
export interface CommitQueue {
  /**
   * Runs a change.
   *
   * @returns the result of the work after it is committed; work that throws leaves nothing and its
   *   error is passed on.
   */
  run<T>(work: (transaction: ItemsTransaction) => Promise<T>): Promise<T>;
}

interface Job {
  readonly work: (transaction: ItemsTransaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The most changes in a commit: with more, the first ones would wait too long. */
const maxJobsPerCommit = 64;

/**
 * SQLite runs one write transaction at a time, and each waits for the disk: waiting changes are put
 * into one transaction, each in its own savepoint, and wait for the disk once. PostgreSQL does the
 * same itself.
 */
export function createCommitQueue({ engine, connection }: Database): CommitQueue {
  const db = connection as unknown as ItemsDatabase;
  if (engine !== 'sqlite') return { run: (work) => db.transaction().execute(work) };
  const queue: Job[] = [];
  let isDraining = false;
  const drain = async (): Promise<void> => {
    while (queue.length > 0) await commit(db, queue.splice(0, maxJobsPerCommit));
    isDraining = false;
  };
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve: resolve as Job['resolve'], reject });
        if (isDraining) return;
        isDraining = true;
        // Requests that have already arrived share the commit.
        setImmediate(() => void drain());
      }),
  };
}

/** Never rejects: each job gets its own result, after the commit. */
async function commit(db: ItemsDatabase, jobs: readonly Job[]): Promise<void> {
  let outcomes: (() => void)[] = [];
  try {
    await db.transaction().execute(async (transaction) => {
      for (const job of jobs)
        outcomes.push(
          jobs.length === 1
            ? await runAlone(job, transaction)
            : await runInSavepoint(job, transaction),
        );
    });
  } catch (error) {
    outcomes = jobs.map(
      ({ reject }) =>
        () =>
          reject(error),
    );
  }
  for (const notify of outcomes) notify();
}

/** The job has its own transaction, which its failure rolls back. */
async function runAlone(
  { work, resolve }: Job,
  transaction: ItemsTransaction,
): Promise<() => void> {
  const value = await work(transaction);
  return () => resolve(value);
}

/** The job shares its transaction with others: its failure rolls back to its savepoint. */
async function runInSavepoint(
  { work, resolve, reject }: Job,
  transaction: ItemsTransaction,
): Promise<() => void> {
  await sql`savepoint one`.execute(transaction);
  try {
    const value = await work(transaction);
    await sql`release one`.execute(transaction);
    return () => resolve(value);
  } catch (error) {
    await sql`rollback to one`.execute(transaction);
    await sql`release one`.execute(transaction);
    return () => reject(error);
  }
}
