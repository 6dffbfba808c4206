import { applicationType } from './application-type.js';
import { denied } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { type Access, hasPermission, readersOf, writersOf } from '../authorization/access.js';

/** Who may read applications and service principals. */
export const applicationRead: Access = readersOf(applicationType);

/** Who may change them: administrators, and owners what they own. */
export const applicationWrite: Access = {
  ...writersOf(applicationType),
  exception: async (request) => (isCreation(request) ? !request.caller.guest : ownsTarget(request)),
};

/**
 * An application whose permission covers only what it owns may not touch the rest.
 *
 * @throws DirectoryError 403.
 */
export async function checkOwnedBy(request: DirectoryRequest, object: StoredObject): Promise<void> {
  if (request.caller.kind !== 'application') return;
  if (hasPermission(request.caller, 'Application.ReadWrite.All', 'Directory.ReadWrite.All')) return;
  if (!(await owns(request, object)))
    throw denied('Insufficient privileges to complete the operation: the application does not own this object.');
}

/** Everybody but guests may register applications. */
function isCreation(request: DirectoryRequest): boolean {
  return request.method === 'POST' && request.key('id') === '';
}

async function ownsTarget(request: DirectoryRequest): Promise<boolean> {
  const key = request.key('id');
  const object = typeof key === 'string' ? await request.directory.objects.get(key) : undefined;
  return object !== undefined && owns(request, object);
}

async function owns({ directory, caller }: DirectoryRequest, object: StoredObject): Promise<boolean> {
  const self = await directory.objects.get(caller.objectId);
  return self !== undefined && directory.links.has(object, 'applicationOwners', self);
}
