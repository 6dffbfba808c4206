import type { FieldNames } from './query/field-names.js';
import type { TransactionStore } from './store/transaction-store.js';

/** What the service's operations work with. */
export interface BillingRuntime {
  readonly store: TransactionStore;
  /** The fields as the dialect names them. */
  readonly names: FieldNames;
}
