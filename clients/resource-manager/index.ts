export { createResourceManagerClient } from './client.js';
export type { ResourceManagerClient } from './client.js';
export { apiVersions } from './connection.js';
export type { CallOptions, ResourceType } from './connection.js';
export { authConfigId, parseResourceId, resourceGroupId, resourceId } from './resource-id.js';
export type {
  ContainerAppProperties,
  LogWorkspaceProperties,
  ManagedEnvironmentProperties,
  Resource,
  ResourceIdentity,
  Resources,
} from './resources.js';
