import type { Dialect } from '../../core/dialect/dialect.js';
import type { Clock } from '../common/clock.js';
import type { LongRunningOptions } from '../common/service.js';
import type { OperationEngine } from './operation/operation.js';
import type { CommitQueue } from './store/commit-queue.js';
import type { ItemsDatabase } from './store/tables.js';

/** What every part of the service works with. */
export interface ItemsRuntime {
  readonly db: ItemsDatabase;
  /** For creations: many share a commit. */
  readonly commits: CommitQueue;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly longRunning: LongRunningOptions;
  readonly failItems: string | undefined;
  readonly sharedCapacity: boolean;
  /** Groups of an object, where a directory is served beside. */
  readonly groupsOf: ((objectId: string) => Promise<readonly string[]>) | undefined;
  readonly operations: OperationEngine;
}
