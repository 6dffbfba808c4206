import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { isCreatable } from './kinds.js';

/** The group of a path, by id or by `uniqueName`. @throws DirectoryError 404. */
export async function findGroup(request: DirectoryRequest): Promise<StoredObject> {
  const key = request.key('id');
  if (typeof key === 'string') {
    const group = await request.directory.objects.getOfType('group', key);
    if (group) return group;
    throw objectNotFound(key);
  }
  const [group] = await groupsByUniqueName(request);
  if (group) return group;
  throw objectNotFound(key.value);
}

/** The groups with the unique name of the path: one or none. @throws DirectoryError 400 for another alternate key. */
export async function groupsByUniqueName(request: DirectoryRequest): Promise<StoredObject[]> {
  const key = request.key('id');
  if (typeof key === 'string' || key.property.toLowerCase() !== 'uniquename')
    throw badRequest('A group is addressed by its id or by its uniqueName.');
  if (key.value === '') throw badRequest('uniqueName must not be empty.', 'uniqueName');
  return request.directory.objects.findBy('group', 'unique_name', key.value);
}

/** Mail-enabled security groups and distribution groups are read-only here. @throws DirectoryError 400. */
export function requireManaged(group: StoredObject): void {
  if (!isCreatable(group.body))
    throw new DirectoryError(
      400,
      'Request_BadRequest',
      'Unable to update the specified properties for objects that have originated within an external service.',
    );
}
