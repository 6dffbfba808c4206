import type { Selectable } from 'kysely';
import type { CheckedDefinition } from '../item/definition.js';
import type { ItemsTransaction, OperationTable } from '../store/tables.js';

/** How long the state and the result of an operation can be read after its end. */
export const resultRetentionMs = 7 * 24 * 3_600_000;

/** A stored operation. */
export type OperationRow = Selectable<OperationTable>;

/** The work of an operation, stored so that it continues after a restart. */
export interface OperationRequest {
  /** The id of the request that started the operation, for the error of a failure. */
  readonly requestId: string;
  /** The type of the item, which the scope of a reader must include. @default any, of earlier versions */
  readonly itemType?: string;
  /** Of `createItem`: whether to return the result like the type's own endpoints. */
  readonly typed?: boolean;
  /** Of `createItem`: whether it must fail (`--fail-items`). */
  readonly fail?: boolean;
  /** Of `updateDefinition`: the new definition. */
  readonly definition?: CheckedDefinition;
  /** Of `updateDefinition`: whether `.platform` changes name and description. */
  readonly metadata?: 'keep' | 'update';
}

/** The input of a new operation. */
export interface NewOperation {
  readonly kind: OperationRow['kind'];
  readonly workspaceId: string;
  readonly itemId: string;
  readonly request: OperationRequest;
}

/**
 * Runs long-running operations. An operation is accepted in the transaction that reserves what it
 * needs, such as the name of a new item, and completed when it is due, also after a restart.
 */
export interface OperationEngine {
  /**
   * Whether to accept the next operation for later, instead of answering immediately
   * (`--long-running`).
   *
   * @param bodyBytes the size of the request's body in bytes.
   */
  isLongRunning(bodyBytes: number): boolean;
  /** Accepts an operation inside a transaction. @returns its id */
  start(transaction: ItemsTransaction, operation: NewOperation): Promise<string>;
  /** Completes every due operation; cheap if there is none. */
  completeDue(): Promise<void>;
  /** Seconds that an accepted operation is expected to take, at least 1, for `Retry-After`. */
  readonly retryAfterSeconds: number;
  /** Stops completing operations, after those that are being completed. */
  close(): Promise<void>;
}
