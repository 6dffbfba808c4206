import { randomBytes, createHash } from 'node:crypto';
import { badRequest, denied, objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { ownProperties } from '../kernel/references.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Item } from '../store/items.js';
import type { StoredObject } from '../store/objects.js';
import { putAssignment, type Side, sides } from './assignment-store.js';
import { wholeSeconds } from '../kernel/instant.js';
import type { SeedEntry } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';
import { seededReference } from '../kernel/seeding.js';

/** The role id that means default access: no role in particular. */
const defaultAccess = '00000000-0000-0000-0000-000000000000';
const maximumPerPrincipal = 1500;
/** What an assignment calls the kinds of principals. */
const principalTypes: Readonly<Record<string, string>> = { user: 'User', group: 'Group', servicePrincipal: 'ServicePrincipal' };

/**
 * Gives a role of an application to a user, group or service principal. Inside a transaction.
 *
 * @param from the object in the path: the resource or the principal, as the side says.
 * @throws DirectoryError 400 for a role that isn't there, isn't enabled or doesn't allow the principal, and for one that is given already;
 * 404 for an unknown end; 403 over the quota.
 */
export async function createAssignment(request: DirectoryRequest, side: Side, from: StoredObject): Promise<Item> {
  const { directory } = request;
  const { appRoleId, principalId, resourceId } = ids(ownProperties(request.json()));
  if ((side === 'appRoleAssignedTo' ? resourceId : principalId) !== from.id)
    throw badRequest(`Invalid value specified for property '${sides[side]}': it must be the id in the path.`, sides[side]);
  const resource = await directory.objects.getOfType('servicePrincipal', resourceId);
  if (!resource) throw objectNotFound(resourceId);
  const principal = await directory.objects.get(principalId);
  if (!principal) throw objectNotFound(principalId);
  const principalType = principalTypes[principal.type];
  if (principalType === undefined)
    throw badRequest('Not a valid reference update: roles are assigned to users, groups and service principals.');
  checkRole(resource, appRoleId, principal.type);
  const standing = await directory.items.list('appRoleAssignments', principal.id);
  if (standing.some(({ body }) => body['appRoleId'] === appRoleId && body['resourceId'] === resource.id))
    throw badRequest('Permission being assigned already exists on the object.', 'appRoleId');
  if (standing.length >= maximumPerPrincipal) throw denied(`A principal has at most ${maximumPerPrincipal} app role assignments.`);
  const body = {
    deletedDateTime: null,
    appRoleId,
    createdDateTime: wholeSeconds(directory.clock.now()),
    principalDisplayName: principal.body['displayName'] ?? null,
    principalId: principal.id,
    principalType,
    resourceDisplayName: resource.body['displayName'] ?? null,
    resourceId: resource.id,
  };
  const id = randomBytes(32).toString('base64url');
  await putAssignment(directory, id, body);
  return { id, body };
}

function ids(body: Readonly<Record<string, unknown>>): { appRoleId: string; principalId: string; resourceId: string } {
  const guidOf = (name: string): string => {
    const value = body[name];
    if (!isGuid(value)) throw badRequest(`Invalid value specified for property '${name}': a GUID is expected.`, name);
    return value.toLowerCase();
  };
  return { appRoleId: guidOf('appRoleId'), principalId: guidOf('principalId'), resourceId: guidOf('resourceId') };
}

function checkRole(resource: StoredObject, appRoleId: string, principalType: string): void {
  const roles = Array.isArray(resource.body['appRoles']) ? resource.body['appRoles'].filter(isObject) : [];
  if (appRoleId === defaultAccess) return;
  const role = roles.find((each) => String(each['id']).toLowerCase() === appRoleId);
  if (!role || role['isEnabled'] === false)
    throw badRequest(`Permission being assigned was not found on application '${String(resource.body['appId'])}'.`, 'appRoleId');
  const needed = principalType === 'servicePrincipal' ? 'Application' : 'User';
  const allowed = Array.isArray(role['allowedMemberTypes']) ? (role['allowedMemberTypes'] as unknown[]) : [];
  if (!allowed.includes(needed))
    throw badRequest(`The role '${appRoleId}' cannot be assigned to a ${principalType}: it allows ${allowed.join(', ')}.`, 'appRoleId');
}

/** Gives the roles that a seeded service principal lists under `appRoleAssignedTo`: each entry names `principalId`, and `appRoleId` where it has one. */
export async function seedAssignments(directory: Directory, entry: SeedEntry): Promise<void> {
  const given = entry['appRoleAssignedTo'];
  if (!Array.isArray(given)) return;
  const resource = await seededReference(directory, 'servicePrincipals', entry['id']);
  for (const { principalId, appRoleId = defaultAccess } of given as SeedEntry[]) {
    const principal = await seededReference(directory, 'servicePrincipals: appRoleAssignedTo', principalId);
    const standing = await directory.items.list('appRoleAssignments', principal.id);
    if (standing.some(({ body }) => body['appRoleId'] === appRoleId && body['resourceId'] === resource.id)) continue;
    const id = createHash('sha256')
      .update(`${resource.id} ${principal.id} ${String(appRoleId)}`)
      .digest('base64url');
    await putAssignment(directory, id, {
      deletedDateTime: null,
      appRoleId,
      createdDateTime: wholeSeconds(directory.clock.now()),
      principalDisplayName: principal.body['displayName'] ?? null,
      principalId: principal.id,
      principalType: principalTypes[principal.type] ?? null,
      resourceDisplayName: resource.body['displayName'] ?? null,
      resourceId: resource.id,
    });
  }
}
