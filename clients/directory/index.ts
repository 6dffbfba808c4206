export { createDirectoryClient } from './client.js';
export type { DirectoryClient } from './client.js';
export { isExpiredDelta } from './delta.js';
export type { DeltaEntry, DeltaOptions, DeltaPage } from './delta.js';
export { quote } from './connection.js';
export type { DirectoryClientOptions, ListOptions } from './connection.js';
export type { BatchRequest, BatchResponse } from './batch.js';
export type {
  Application,
  ApplicationDraft,
  AppRole,
  AppRoleAssignment,
  PermissionScope,
  ServicePrincipal,
} from './types/application.js';
export type { DirectoryObject } from './types/directory-object.js';
export type { Domain } from './types/domain.js';
export type {
  Group,
  GroupDraft,
  GroupLifecyclePolicy,
  GroupSetting,
  GroupSettingTemplate,
} from './types/group.js';
export type { AdministrativeUnit, DirectoryRole } from './types/role.js';
export type { AuthenticationMethod, User, UserDraft } from './types/user.js';
export type { AuthenticationMethods } from './authentication-methods.js';
