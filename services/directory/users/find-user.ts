import { objectNotFound } from '../http/errors.js';
import type { PathKey } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import { findKeyed } from '../kernel/single.js';
import type { StoredObject } from '../store/objects.js';
import { type Access, readersOf, writersOf } from '../authorization/access.js';
import { userType } from './user-type.js';

/** A user by id or user principal name. */
export function findUser(request: DirectoryRequest, key: PathKey): Promise<StoredObject | undefined> {
  return findKeyed(request, userType, key);
}

/** @throws DirectoryError 404. */
export async function requireUser(request: DirectoryRequest, key = request.parameter('id')): Promise<StoredObject> {
  const user = await findUser(request, key);
  if (!user) throw objectNotFound(key);
  return user;
}

/** Who may list users: not guests. */
export const userListAccess: Access = { ...readersOf(userType), guests: false };

/** Who may read one user: with `User.Read` a signed-in user reads himself. */
export const userReadAccess: Access = {
  delegated: [...userType.readPermissions, 'User.Read', 'User.ReadWrite'],
  application: userType.readPermissions,
};

/** Who may create, change and delete users. */
export const userWriteAccess: Access = writersOf(userType);

/** Whether the request is about the signed-in user's own account. */
export async function isOwnAccount(request: DirectoryRequest): Promise<boolean> {
  const user = await findUser(request, request.parameter('id'));
  return request.caller.kind === 'user' && user?.id === request.caller.objectId.toLowerCase();
}
