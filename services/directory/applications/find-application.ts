import { objectNotFound } from '../http/errors.js';
import type { PathKey } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';

/** An application or service principal by id, or by the alternate keys `appId` and `uniqueName`. */
export async function findByKey(
  request: DirectoryRequest,
  type: 'application' | 'servicePrincipal',
  key: PathKey,
): Promise<StoredObject | undefined> {
  const { objects } = request.directory;
  if (typeof key === 'string') return objects.getOfType(type, key);
  if (key.property === 'appId') return (await objects.findBy(type, 'app_id', key.value))[0];
  return key.property === 'uniqueName' ? (await objects.findBy(type, 'unique_name', key.value))[0] : undefined;
}

/** @throws DirectoryError 404. */
export async function requireByKey(request: DirectoryRequest, type: 'application' | 'servicePrincipal'): Promise<StoredObject> {
  const key = request.key('id');
  const object = await findByKey(request, type, key);
  if (!object) throw objectNotFound(typeof key === 'string' ? key : key.value);
  return object;
}
