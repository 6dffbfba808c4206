import type { Selectable } from 'kysely';
import type { ReadDefinition } from '../item/definition.js';
import type { ItemsTransaction, OperationTable } from '../store/tables.js';

/** A stored operation. */
export type OperationRow = Selectable<OperationTable>;

/** The work of an operation, stored with it so that it continues after a restart. */
export interface OperationRequest {
  /** The request that started it: named in its failure. */
  readonly requestId: string;
  /** createItem: whether the result is shown as its type's own endpoints show it. */
  readonly typed?: boolean;
  /** createItem: it is to fail (`--fail-items`). */
  readonly fail?: boolean;
  /** updateDefinition. */
  readonly definition?: ReadDefinition;
  readonly metadata?: 'keep' | 'update';
}

/** The input of a new operation. */
export interface NewOperation {
  readonly kind: OperationRow['kind'];
  readonly workspaceId: string;
  readonly itemId: string;
  readonly request: OperationRequest;
}

/** Runs long-running operations: accepted in the same transaction as what they hold, ended when they are due, also after a restart. */
export interface OperationEngine {
  /**
   * Whether the next operation is accepted and done later, rather than answered immediately (`--long-running`).
   *
   * @param size the bytes of the request's body.
   */
  takesItsTime(size: number): boolean;
  /** Accepts an operation inside a transaction. @returns its id */
  start(transaction: ItemsTransaction, operation: NewOperation): Promise<string>;
  /** Completes every operation that is due; cheap when none is. */
  settleDue(): Promise<void>;
  /** Seconds that an accepted operation is expected to take, at least 1, for `Retry-After`. */
  readonly retryAfter: number;
  close(): Promise<void>;
}
