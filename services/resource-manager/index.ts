export { createResourceManagerService, openResourceManager } from './service.js';
export type { Replica } from './kind.js';
export type { DeclaredApp, PlatformOptions, ResourceManagerService } from './service.js';
