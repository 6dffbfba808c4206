import { randomBytes } from 'node:crypto';
import type { Access } from '../authorization/access.js';
import { badRequest, invalidProperty, objectNotFound } from '../http/errors.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { itemOperations, shownItem } from '../kernel/item-operations.js';
import { requireObject } from '../kernel/single.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';

/** A membership is kept twice: under its unit, and under the principal, so that it goes with either. */
const [underUnit, underPrincipal] = ['scopedRoleMembers', 'scopedRoleMemberOf'];

/** Roles that principals hold over one administrative unit. */
export function scopedRoleRoutes(router: Router, collection: string, read: Access, write: Access): void {
  itemOperations<StoredObject>(router, {
    path: `${collection}/{id}/scopedRoleMembers`,
    context: 'scopedRoleMemberships',
    read,
    write,
    owner: (request) => requireObject(request, 'administrativeUnit', request.parameter('id')),
    rules: { resource: 'ScopedRoleMembership', properties: {}, relationships: {} },
    create: ({ directory }, values, unit) => create(directory, unit, values),
    remove: ({ directory }, membership) => remove(directory, membership),
  });
}

/** The roles that one principal holds over units. */
export async function scopedRolesOf(directory: Directory, principalId: string): Promise<readonly Body[]> {
  return (await directory.items.list(underPrincipal, principalId)).map(shownItem);
}

/** What a deleted unit, role or principal leaves behind. */
export async function removeScopedRolesOf(directory: Directory, object: StoredObject): Promise<void> {
  for (const collection of [underUnit, underPrincipal])
    for (const membership of await directory.items.list(collection, object.id)) await remove(directory, membership);
}

async function create(directory: Directory, unit: StoredObject, body: Body): Promise<Item> {
  const { roleId, roleMemberInfo, administrativeUnitId } = body;
  if (administrativeUnitId !== undefined && String(administrativeUnitId).toLowerCase() !== unit.id)
    throw invalidProperty('administrativeUnitId', 'it must be the id in the path');
  const role = typeof roleId === 'string' ? await directory.objects.getOfType('directoryRole', roleId) : undefined;
  if (!role) throw objectNotFound(String(roleId));
  const principalId = isObject(roleMemberInfo) ? String(roleMemberInfo['id']) : '';
  const principal = await directory.objects.get(principalId);
  if (!principal) throw objectNotFound(principalId);
  const held = (await directory.items.list(underPrincipal, principal.id)).map((item) => item.body);
  if (held.some((other) => other['roleId'] === role.id && other['administrativeUnitId'] === unit.id))
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
