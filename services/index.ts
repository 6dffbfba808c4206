export { startSidecar } from './auth-sidecar/index.js';
export type { RunningSidecar, SidecarOptions } from './auth-sidecar/index.js';
export { createBillingService } from './billing/index.js';
export type { Caller } from './common/caller.js';
export type { Clock } from './common/clock.js';
export { clockStartingAt, systemClock } from './common/clock.js';
export type { Database } from './common/database.js';
export { openDatabase } from './common/database.js';
export type {
  LongRunningOptions,
  Service,
  ServiceContext,
  ServiceFactory,
} from './common/service.js';
export { createTokenVerifier, noAuthentication } from './common/token-verifier.js';
export { createDirectoryService } from './directory/index.js';
export { createItemsService } from './items/index.js';
export { createResourceManagerService } from './resource-manager/index.js';
