export type { Amount, TransactionProperties } from '../generated/objects.js';
export { createBillingClient, detectBillingDialect } from './client.js';
export type { BillingClient, BillingClientOptions, TransactionQuery } from './client.js';
export { summarize } from './summary/spend-summary.js';
export { stringifyExactAmounts } from './exact-amounts.js';
export type { Transaction } from './transaction.js';
