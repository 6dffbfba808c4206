export * from './common/index.js';
export { createDirectoryClient, isExpiredDelta, quoted } from './directory/index.js';
export type {
  AuthenticationMethods,
  BatchRequest,
  BatchResponse,
  DeltaEntry,
  DeltaOptions,
  DeltaPage,
  DirectoryClient,
  DirectoryClientOptions,
} from './directory/index.js';
export { createBillingClient, summarize } from './billing/index.js';
export type { Amount, BillingClient, BillingClientOptions, ListTransactions, Transaction, TransactionProperties } from './billing/index.js';
export { createItemsClient } from './items/index.js';
export type { Eventhouse, Eventstream, Item, ItemDefinition, ItemsClient, ItemsClientOptions, Workspace } from './items/index.js';
export { createResourceManagerClient } from './resource-manager/index.js';
