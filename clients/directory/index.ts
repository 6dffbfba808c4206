export { createDirectoryClient } from './client.js';
export type { DirectoryClient } from './client.js';
export { isExpiredDelta } from './delta.js';
export type { DeltaEntry, DeltaOptions, DeltaPage } from './delta.js';
export { quote } from './options.js';
export type { DirectoryClientOptions, ListOptions } from './options.js';
export type { BatchRequest, BatchResponse } from './request.js';
export type {
  Application,
  ApplicationDraft,
  AppRole,
  AppRoleAssignment,
  PermissionScope,
  ServicePrincipal,
} from './types/application.js';
export type { DirectoryObject } from './types/directory-object.js';
export type {
  AdministrativeUnit,
  DirectoryRole,
  Group,
  GroupDraft,
  GroupLifecyclePolicy,
  GroupSetting,
  GroupSettingTemplate,
} from './types/group.js';
export type { AuthenticationMethod, Domain, User, UserDraft } from './types/user.js';
export type { AuthenticationMethods } from './authentication-methods.js';
