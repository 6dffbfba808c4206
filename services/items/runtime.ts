import type { Dialect } from '../../core/dialect/dialect.js';
import type { Clock } from '../common/clock.js';
import type { DatabaseEngine } from '../common/database.js';
import type { LongRunningOptions } from '../common/service.js';
import type { OperationEngine } from './operation/operation.js';
import type { CommitQueue } from './store/commit-queue.js';
import type { ItemsDatabase } from './store/tables.js';

/** The context of every part of the service. */
export interface ItemsRuntime {
  readonly db: ItemsDatabase;
  /** For the few statements that differ. */
  readonly databaseEngine: DatabaseEngine;
  /** For creations, several of which share a commit. */
  readonly commitQueue: CommitQueue;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly longRunning: LongRunningOptions;
  /** The name prefix of items whose creation is accepted and then fails (`--fail-items`). */
  readonly failingItemPrefix: string | undefined;
  /** Whether a workspace without a capacity can have items that need one. */
  readonly sharedCapacity: boolean;
  /** The groups of an object, from a directory in the same process. */
  readonly groupsOf: ((objectId: string) => Promise<readonly string[]>) | undefined;
  readonly operations: OperationEngine;
}
