import type { Selectable } from 'kysely';
import type { ReadDefinition } from '../item/definition.js';
import type { OperationTable } from '../store/tables.js';

/** An operation as it stands in the database. */
export type OperationRow = Selectable<OperationTable>;

/** What an operation is to do, kept with it so that a restart can go on with it. */
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

/** What is needed to start an operation. */
export interface NewOperation {
  readonly kind: OperationRow['kind'];
  readonly workspaceId: string;
  readonly itemId: string;
  readonly request: OperationRequest;
}
