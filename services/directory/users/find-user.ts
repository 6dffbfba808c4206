import { objectNotFound } from '../http/errors.js';
import type { PathKey } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import { isGuid } from '../../../core/values/guid.js';
import type { StoredObject } from '../store/objects.js';

/** A user by id or user principal name. */
export async function findUser(request: DirectoryRequest, key: PathKey): Promise<StoredObject | undefined> {
  if (typeof key !== 'string')
    return key.property === 'userPrincipalName'
      ? (await request.directory.objects.findBy('user', 'user_principal_name', key.value))[0]
      : undefined;
  if (isGuid(key)) return request.directory.objects.getOfType('user', key);
  return (await request.directory.objects.findBy('user', 'user_principal_name', key))[0];
}

/** @throws DirectoryError 404. */
export async function requireUser(request: DirectoryRequest, key = request.parameter('id')): Promise<StoredObject> {
  const user = await findUser(request, key);
  if (!user) throw objectNotFound(key);
  return user;
}
