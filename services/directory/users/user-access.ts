import type { Access } from '../authorization/access.js';
import { permit } from '../authorization/access.js';
import type { DirectoryRequest } from '../http/request.js';
import { findUser } from './find-user.js';
import { userReadPermissions, userWritePermissions, userWriteRoles } from './user-type.js';

/** Who may list users: not guests. */
export const userListAccess: Access = permit(userReadPermissions, { guests: false });

/** Who may read one user: with `User.Read` a signed-in user reads himself. */
export const userReadAccess: Access = {
  delegated: [...userReadPermissions, 'User.Read', 'User.ReadWrite'],
  application: userReadPermissions,
};

/** Who may create, change and delete users. */
export const userWriteAccess: Access = permit(userWritePermissions, { roles: userWriteRoles });

/** Whether the request is about the signed-in user's own account. */
export async function isOwnAccount(request: DirectoryRequest): Promise<boolean> {
  const user = await findUser(request, request.parameter('id'));
  return request.caller.kind === 'user' && user?.id === request.caller.objectId.toLowerCase();
}
