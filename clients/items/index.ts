export { createItemsClient } from './client.js';
export type { ItemsClient } from './client.js';
export type {
  CreateItemRequest as CreateItem,
  Eventhouse,
  Eventstream,
  Item,
  ItemDefinition,
  KqlDatabase,
} from './item.js';
export type { ItemsClientOptions } from './connection.js';
export type { Folder } from './folders.js';
export type { RoleAssignment, WorkspaceRole } from './role-assignments.js';
export type { Workspace } from './workspaces.js';
