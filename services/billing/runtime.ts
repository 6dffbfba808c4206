import type { Dialect } from '../../core/dialect/dialect.js';
import type { Database } from '../common/database.js';
import type { Throttle } from '../common/throttle.js';
import type { TokenVerifier } from '../common/token-verifier.js';
import type { FieldNames } from './query/names.js';
import type { PrintedRows } from './store/printed-rows.js';
import type { BillingDatabase } from './store/tables.js';

/** What every part of the service works with. */
export interface BillingRuntime {
  readonly database: Database;
  readonly db: BillingDatabase;
  readonly dialect: Dialect;
  readonly tokens: TokenVerifier;
  readonly throttle: Throttle;
  /** The fields as the dialect names them, to find and to print. */
  readonly names: FieldNames;
  readonly printed: PrintedRows;
}
