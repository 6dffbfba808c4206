import { objectNotFound, denied } from '../http/errors.js';
import type { PathKey } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { type Access, hasPermission, permit } from '../authorization/access.js';
import { applicationReadPermissions, applicationWritePermissions, applicationWriteRoles } from './application-type.js';

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

/** Who may read applications and service principals. */
export const applicationRead: Access = permit(applicationReadPermissions);

/** Who may change them: administrators, and owners what they own. */
export const applicationWrite: Access = permit(applicationWritePermissions, {
  roles: applicationWriteRoles,
  exception: async (request) => (isCreation(request) ? !request.caller.guest : ownsTarget(request)),
});

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
