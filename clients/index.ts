export { CastellanError, isCastellanError } from '../core/errors/castellan-error.js';
export type { ErrorCode } from '../core/errors/catalogue.js';
export type {
  AccessToken,
  AzureCliOptions,
  ClientSecretOptions,
  EnvironmentCredentialOptions,
  Fetch,
  HttpClient,
  HttpClientOptions,
  HttpRequest,
  HttpResponse,
  ListRequest,
  ManagedIdentityOptions,
  OperationState,
  Page,
  QueryOptions,
  ServiceErrorDetail,
  ServiceErrorProperties,
  TokenProvider,
  WaitOptions,
} from './common/index.js';
export {
  ServiceError,
  azureCliCredential,
  clientSecretCredential,
  createHttpClient,
  credentialFromEnvironment,
  entriesOf,
  fetchTrusting,
  isServiceError,
  managedIdentityCredential,
  waitForOutcome,
  pagesOf,
  readServiceError,
  cacheTokens,
  segment,
  staticToken,
} from './common/index.js';
export { createDirectoryClient, isExpiredDelta, quote } from './directory/index.js';
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
export type {
  Amount,
  BillingClient,
  BillingClientOptions,
  Transaction,
  TransactionProperties,
  TransactionQuery,
} from './billing/index.js';
export { createItemsClient } from './items/index.js';
export type {
  Eventhouse as EventhouseItem,
  Eventstream as EventstreamItem,
  Item,
  ItemDefinition,
  ItemsClient,
  ItemsClientOptions,
  Workspace as WorkspaceObject,
} from './items/index.js';
export { createResourceManagerClient } from './resource-manager/index.js';
