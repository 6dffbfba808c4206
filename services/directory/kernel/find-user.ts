import { objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { isGuid } from '../../../core/values/guid.js';

/** A user by id or user principal name. @throws DirectoryError 404. */
export async function findUser(request: DirectoryRequest, key: string): Promise<StoredObject> {
  const { objects } = request.directory;
  const [user] = isGuid(key) ? [await objects.getOfType('user', key)] : await objects.findBy('user', 'user_principal_name', key);
  if (user) return user;
  throw objectNotFound(key);
}
