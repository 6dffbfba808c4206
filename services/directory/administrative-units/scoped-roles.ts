import { randomBytes } from 'node:crypto';
import type { Access } from '../authorization/access.js';
import { badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { ownProperties } from '../kernel/references.js';
import { requireObject } from '../kernel/single.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Item } from '../store/items.js';
import type { StoredObject } from '../store/objects.js';

/** A membership is kept twice: under its unit, and under the principal, so that it goes with either. */
const [underUnit, underPrincipal] = ['scopedRoleMembers', 'scopedRoleMemberOf'];

/** Roles that principals hold over one administrative unit. */
export function scopedRoleRoutes(router: Router, collection: string, read: Access, write: Access): void {
  const path = `${collection}/{id}/scopedRoleMembers`;
  const unitOf = (request: DirectoryRequest): Promise<StoredObject> =>
    requireObject(request, 'administrativeUnit', request.parameter('id'));
  router.on('GET', path, read, async (request) => {
    const unit = await unitOf(request);
    const value = (await request.directory.items.list(underUnit, unit.id)).map(shown);
    return ok({ '@odata.context': `${request.base}/$metadata#scopedRoleMemberships`, value });
  });
  router.on('POST', path, write, async (request) => {
    const body = ownProperties(request.json());
    const membership = await request.directory.sql.write(async () => create(request.directory, await unitOf(request), body));
    return created({ '@odata.context': `${request.base}/$metadata#scopedRoleMemberships/$entity`, ...shown(membership) });
  });
  router.on('GET', `${path}/{membership}`, read, async (request) =>
    ok({
      '@odata.context': `${request.base}/$metadata#scopedRoleMemberships/$entity`,
      ...shown(await requireMembership(request, await unitOf(request))),
    }),
  );
  router.on('DELETE', `${path}/{membership}`, write, async (request) => {
    await request.directory.sql.write(async () => {
      await remove(request.directory, await requireMembership(request, await unitOf(request)));
    });
    return noContent;
  });
}

/** The roles that one principal holds over units. */
export async function scopedRolesOf(directory: Directory, principalId: string): Promise<readonly Record<string, unknown>[]> {
  return (await directory.items.list(underPrincipal, principalId)).map(shown);
}

/** What a deleted unit, role or principal leaves behind. */
export async function removeScopedRolesOf(directory: Directory, object: StoredObject): Promise<void> {
  for (const collection of [underUnit, underPrincipal])
    for (const membership of await directory.items.list(collection, object.id)) await remove(directory, membership);
}

async function create(directory: Directory, unit: StoredObject, body: Readonly<Record<string, unknown>>): Promise<Item> {
  const { roleId, roleMemberInfo, administrativeUnitId } = body;
  if (administrativeUnitId !== undefined && String(administrativeUnitId).toLowerCase() !== unit.id)
    throw badRequest("Invalid value specified for property 'administrativeUnitId': it must be the id in the path.", 'administrativeUnitId');
  const role = typeof roleId === 'string' ? await directory.objects.getOfType('directoryRole', roleId) : undefined;
  if (!role) throw objectNotFound(String(roleId));
  const principalId = isObject(roleMemberInfo) ? String(roleMemberInfo['id']) : '';
  const principal = await directory.objects.get(principalId);
  if (!principal) throw objectNotFound(principalId);
  const standing = await directory.items.list(underUnit, unit.id);
  if (
    standing.some(
      ({ body: other }) =>
        other['roleId'] === role.id && isObject(other['roleMemberInfo']) && other['roleMemberInfo']['id'] === principal.id,
    )
  )
    throw badRequest("One or more added object references already exist for the following modified properties: 'scopedRoleMembers'.");
  const id = randomBytes(24).toString('base64url');
  const membership = {
    administrativeUnitId: unit.id,
    roleId: role.id,
    roleMemberInfo: {
      id: principal.id,
      displayName: principal.body['displayName'] ?? null,
      userPrincipalName: principal.body['userPrincipalName'] ?? null,
    },
  };
  await directory.items.put(underPrincipal, principal.id, id, membership);
  return directory.items.put(underUnit, unit.id, id, membership);
}

async function remove(directory: Directory, { id, body }: Item): Promise<void> {
  await directory.items.remove(underUnit, String(body['administrativeUnitId']), id);
  const member = body['roleMemberInfo'];
  if (isObject(member)) await directory.items.remove(underPrincipal, String(member['id']), id);
}

async function requireMembership(request: DirectoryRequest, unit: StoredObject): Promise<Item> {
  const id = request.parameter('membership');
  const membership = await request.directory.items.get(underUnit, unit.id, id);
  if (!membership) throw objectNotFound(id);
  return membership;
}

function shown({ id, body }: Item): Record<string, unknown> {
  return { id, ...body };
}
