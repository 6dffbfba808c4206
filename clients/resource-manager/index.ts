export { createResourceManagerClient } from './client.js';
export type { ResourceManagerClient } from './client.js';
export { apiVersions } from './options.js';
export type { CallOptions, ResourceType } from './options.js';
export { authConfigId, parseResourceId, resourceGroupId, resourceId } from './resource-id.js';
export type {
  ContainerAppProperties,
  LogWorkspaceProperties,
  ManagedEnvironmentProperties,
  Resource,
  ResourceIdentity,
  Resources,
} from './resources.js';
