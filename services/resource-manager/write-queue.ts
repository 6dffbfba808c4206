import type { Database } from '../common/database.js';
import { afterOtherProcesses } from '../common/lease.js';

/**
 * Runs writes one after the other, also those of other processes of the database, so that none reads
 * what another is changing. Resources of different groups share the queue, because they refer to
 * each other: an app names its environment, a role assignment its role.
 */
export class WriteQueue {
  /** The end of the last write. */
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Database) {}

  run<T>(write: () => Promise<T>): Promise<T> {
    const result = this.lastWrite.then(() =>
      afterOtherProcesses(this.database, 'resource-manager.writes', write),
    );
    // The next write starts whether or not this one succeeds; the caller gets the error.
    this.lastWrite = result.catch(() => undefined);
    return result;
  }
}
