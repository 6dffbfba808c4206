import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import type { ItemsDatabase, ItemsTransaction } from './tables.js';

/** Runs small changes, each all or nothing and durable before it is acknowledged. */
export interface CommitQueue {
  /**
   * @returns the result of the work after it is committed; work that throws leaves nothing and its
   *   error is passed on.
   */
  run<T>(work: (transaction: ItemsTransaction) => Promise<T>): Promise<T>;
}

interface Job {
  readonly work: (transaction: ItemsTransaction) => Promise<unknown>;
  readonly done: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** The most changes in a commit: with more, the first ones would wait too long. */
const together = 64;

/**
 * SQLite runs one write transaction at a time, and each waits for the disk: waiting changes are put
 * into one transaction, each in its own savepoint, and wait for the disk once. PostgreSQL does the
 * same itself.
 */
export function createCommitQueue({ engine, connection }: Database): CommitQueue {
  const db = connection as unknown as ItemsDatabase;
  if (engine !== 'sqlite') return { run: (work) => db.transaction().execute(work) };
  const waiting: Job[] = [];
  let draining = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await commit(db, waiting.splice(0, together));
    draining = false;
  };
  return {
    run: (work) =>
      new Promise((done, fail) => {
        waiting.push({ work, done: done as Job['done'], fail });
        if (draining) return;
        draining = true;
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
          jobs.length === 1 ? await alone(job, transaction) : await apart(job, transaction),
        );
    });
  } catch (error) {
    outcomes = jobs.map(
      ({ fail }) =>
        () =>
          fail(error),
    );
  }
  for (const settle of outcomes) settle();
}

/** The job has its own transaction, which its failure rolls back. */
async function alone({ work, done }: Job, transaction: ItemsTransaction): Promise<() => void> {
  const value = await work(transaction);
  return () => done(value);
}

async function apart(
  { work, done, fail }: Job,
  transaction: ItemsTransaction,
): Promise<() => void> {
  await sql`savepoint one`.execute(transaction);
  try {
    const value = await work(transaction);
    await sql`release one`.execute(transaction);
    return () => done(value);
  } catch (error) {
    await sql`rollback to one`.execute(transaction);
    await sql`release one`.execute(transaction);
    return () => fail(error);
  }
}
