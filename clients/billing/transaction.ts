import type { SystemData, TransactionProperties } from '../generated/objects.js';

/**
 * A transaction of an invoice (Billing rules, "Transaction"). Unknown values of enumerations pass
 * through.
 */
export interface Transaction {
  /**
   * The full path: `/providers/…/billingAccounts/{account}/invoices/{invoice}/transactions/{name}`.
   */
  readonly id: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The resource type, in the names of the service's dialect. */
  readonly type: string;
  /** What was charged. */
  readonly properties: TransactionProperties;
  /** Who created and last changed the record, and when. */
  readonly systemData?: SystemData;
  /** Tags of the record, by their names. */
  readonly tags?: Readonly<Record<string, string>>;
}
