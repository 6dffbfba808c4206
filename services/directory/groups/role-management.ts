import type { Caller } from '../../common/caller.js';
import { hasPermission, requireRole } from '../authorization/access.js';
import { insufficientPrivileges } from '../http/answers.js';

/** Role-assignable groups are managed only by privileged callers. @throws DirectoryError 403. */
export function requireRoleManagement(caller: Caller): void {
  if (!hasPermission(caller, 'RoleManagement.ReadWrite.Directory'))
    throw insufficientPrivileges('role-assignable groups need RoleManagement.ReadWrite.Directory');
  if (caller.kind === 'user')
    requireRole(caller, ['privilegedRoleAdministrator', 'globalAdministrator']);
}
