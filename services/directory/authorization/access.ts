import type { Caller } from '../../common/caller.js';
import { insufficientPrivileges } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { ObjectType } from '../kernel/object-type.js';
import { type DirectoryRole, roleTemplateIds, groupWriterRoles } from './directory-roles.js';

/** Who may call an operation. Each list means "any of these". */
export interface Access {
  /** Delegated permissions (`scp`); absent: not available to signed-in users. */
  readonly delegated?: readonly string[];
  /** Application permissions (`roles`); absent: not available to applications. */
  readonly application?: readonly string[];
  /** Directory roles of which a signed-in user must have one; absent: none is needed. */
  readonly roles?: readonly DirectoryRole[];
  /** Admits a signed-in user without such a role, for example an owner of the group. */
  readonly admitsWithoutRole?: (request: DirectoryRequest) => Promise<boolean>;
  /** Whether guests may use it. @default true */
  readonly allowsGuests?: boolean;
}

/** Whether the caller has one of the directory roles. */
export function hasRole(caller: Caller, ...roles: readonly DirectoryRole[]): boolean {
  return (
    caller.kind === 'unrestricted' ||
    roles.some((role) => caller.directoryRoles.has(roleTemplateIds[role]))
  );
}

/** Whether the caller's token has one of the permissions, delegated or application. */
export function hasPermission(caller: Caller, ...permissions: readonly string[]): boolean {
  if (caller.kind === 'unrestricted') return true;
  const callerPermissions = caller.kind === 'user' ? caller.scopes : caller.roles;
  return permissions.some((permission) => callerPermissions.has(permission));
}

/** @throws DirectoryError 403 for a token without any of the permissions. */
export function requirePermission(caller: Caller, ...permissions: readonly string[]): void {
  if (hasPermission(caller, ...permissions)) return;
  throw insufficientPrivileges(`one of the permissions ${permissions.join(', ')} is needed`);
}

/**
 * Checks a request by the access rule of its operation.
 *
 * @throws DirectoryError 403 naming what is missing.
 */
export async function authorize(request: DirectoryRequest, access: Access): Promise<void> {
  const { caller } = request;
  if (caller.kind === 'unrestricted') return;
  const permissions = caller.kind === 'user' ? access.delegated : access.application;
  if (permissions === undefined)
    throw insufficientPrivileges(`it is not available to ${caller.kind}s' tokens`);
  requirePermission(caller, ...permissions);
  if (caller.kind !== 'user') return;
  if (caller.isGuest && access.allowsGuests === false)
    throw insufficientPrivileges('guests may not use it');
  const { roles, admitsWithoutRole } = access;
  if (roles === undefined || hasRole(caller, ...roles)) return;
  if (admitsWithoutRole === undefined || !(await admitsWithoutRole(request)))
    requireRole(caller, roles);
}

/** @throws DirectoryError 403 for a signed-in user without one of the directory roles. */
export function requireRole(caller: Caller, roles: readonly DirectoryRole[]): void {
  if (caller.kind === 'user' && !hasRole(caller, ...roles))
    throw insufficientPrivileges(`one of the directory roles ${roles.join(', ')} is needed`);
}

/** @throws DirectoryError 403 for a signed-in user without a role that may write every group. */
export function requireGroupWriterRole(caller: Caller): void {
  requireRole(caller, groupWriterRoles);
}

/** An access rule with the same permissions for users and applications. */
export function permit(
  permissions: readonly string[],
  options: Omit<Access, 'delegated' | 'application'> = {},
): Access {
  return { delegated: permissions, application: permissions, ...options };
}

/** Who may read objects of a type. */
export function readAccessOf({ readPermissions }: ObjectType): Access {
  return permit(readPermissions);
}

/** Who may write them. */
export function writeAccessOf({ writePermissions, writeRoles }: ObjectType): Access {
  return permit(writePermissions, { roles: writeRoles });
}

/** An access rule that the further permissions satisfy too. */
export function withPermissions(access: Access, further: readonly string[] = []): Access {
  const { delegated = [], application = [] } = access;
  return {
    ...access,
    delegated: [...delegated, ...further],
    application: [...application, ...further],
  };
}
