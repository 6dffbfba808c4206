import { type Access, permit, requirePermission } from '../authorization/access.js';
import { objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { DirectoryModule } from '../directory-module.js';
import { requireUser } from '../users/find-user.js';
import { requireObject } from '../kernel/single.js';
import { membershipRelations } from '../store/relations.js';
import type { StoredObject } from '../store/objects.js';
import { checkMembers, type FindObject, getMembers } from './checks.js';
import { visibleMemberships } from './hidden-groups.js';
import { navigationRoutes } from './navigation.js';
import { outsideOf, sourcesOf } from './sources.js';

const directoryRead = ['Directory.Read.All', 'Directory.ReadWrite.All'];
const groupRead = ['GroupMember.Read.All', 'GroupMember.ReadWrite.All', 'Group.Read.All', 'Group.ReadWrite.All'];
const userRead = ['User.Read.All', 'User.ReadWrite.All', 'User.ReadBasic.All'];
/** What a person may ask about themselves with. */
const selfRead = ['User.Read', 'User.ReadWrite'];

const readers: Readonly<Record<string, { readonly type: string; readonly permissions: readonly string[] }>> = {
  groups: { type: 'group', permissions: groupRead },
  users: { type: 'user', permissions: [...userRead, ...groupRead] },
  devices: { type: 'device', permissions: ['Device.Read.All', 'Device.ReadWrite.All', ...groupRead] },
  servicePrincipals: { type: 'servicePrincipal', permissions: ['Application.Read.All', 'Application.ReadWrite.All', ...groupRead] },
  contacts: { type: 'orgContact', permissions: ['OrgContact.Read.All', ...groupRead] },
};

/** What every kind of object belongs to: memberOf, transitiveMemberOf and the transitive checks. */
export const membership: DirectoryModule = {
  routes(router) {
    for (const [collection, { type, permissions }] of Object.entries(readers))
      addRoutes(router, `/${collection}/{id}`, accessOf(type, permissions), finderOf(type));
    const anything = permit([...directoryRead, ...groupRead, ...userRead]);
    checkRoutes(router, '/directoryObjects/{id}', anything, findAny);
  },
};

function addRoutes(router: Router, path: string, access: Access, find: FindObject): void {
  navigationRoutes(router, {
    path: `${path}/memberOf`,
    access,
    find,
    source: (object, type) => sourcesOf(object.number, membershipRelations, type),
    restrict: visibleMemberships,
  });
  navigationRoutes(router, {
    path: `${path}/transitiveMemberOf`,
    access,
    find,
    source: (object, type) => outsideOf(object.number, type),
    restrict: visibleMemberships,
    cost: 5,
  });
  checkRoutes(router, path, access, find);
}

function checkRoutes(router: Router, path: string, access: Access, find: FindObject): void {
  const options = { cost: 4 };
  router.on('POST', `${path}/checkMemberGroups`, access, checkMembers(find, 'groupIds'), options);
  router.on('POST', `${path}/checkMemberObjects`, access, checkMembers(find, 'ids'), options);
  router.on('POST', `${path}/getMemberGroups`, access, getMembers(find, true), options);
  router.on('POST', `${path}/getMemberObjects`, access, getMembers(find, false), options);
}

/** People may ask about themselves with `User.Read`, which their access rule then names too; the finder holds them to themselves. */
function accessOf(type: string, permissions: readonly string[]): Access {
  const all = [...permissions, ...directoryRead];
  return type === 'user' ? { delegated: [...all, ...selfRead], application: all } : permit(all);
}

function finderOf(type: string): FindObject {
  if (type !== 'user') return (request) => requireObject(request, type, request.parameter('id'));
  return async (request) => {
    const user = await requireUser(request, request.parameter('id'));
    requireSelfOrPermission(request, user);
    return user;
  };
}

function requireSelfOrPermission(request: DirectoryRequest, user: StoredObject): void {
  const { caller } = request;
  if (caller.kind !== 'user' || user.id === caller.objectId.toLowerCase()) return;
  requirePermission(caller, ...userRead, ...groupRead, ...directoryRead);
}

async function findAny(request: DirectoryRequest): Promise<StoredObject> {
  const id = request.parameter('id');
  const object = await request.directory.objects.get(id);
  if (object) return object;
  throw objectNotFound(id);
}
