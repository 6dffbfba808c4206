export { cacheTokens, staticToken } from './token-provider.js';
export type { AccessToken, TokenProvider } from './token-provider.js';
export {
  azureCliCredential,
  clientSecretCredential,
  credentialFromEnvironment,
  managedIdentityCredential,
} from './credentials.js';
export type {
  AzureCliOptions,
  ClientSecretOptions,
  EnvironmentCredentialOptions,
  ManagedIdentityOptions,
} from './credentials.js';
export { createHttpClient } from './http-client.js';
export type { HttpClient, HttpClientOptions } from './http-client.js';
export type { HttpRequest, HttpResponse } from './http-messages.js';
export { RecentCreations } from './recent-creations.js';
export { waitForOutcome } from './long-running.js';
export type { OperationState, WaitOptions } from './long-running.js';
export { entriesOf, followPages, pagesOf } from './paging.js';
export type { ListRequest, Page } from './paging.js';
export {
  isServiceError,
  readServiceError,
  ServiceError,
  undefinedIfNotFound,
} from './service-error.js';
export type { ServiceErrorDetail, ServiceErrorProperties } from './service-error.js';
export { fetchTrusting } from './fetch.js';
export type { Fetch } from './fetch.js';
export { segment } from './url.js';
export type { QueryOptions } from './url.js';
