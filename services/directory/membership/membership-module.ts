import { sql } from 'kysely';
import { type Access, permit, requirePermission } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import { badRequest, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { requireObject } from '../kernel/single-object.js';
import { containingObjects } from '../store/links.js';
import type { Body, StoredObject } from '../store/objects.js';
import { membershipRelations } from '../store/relations.js';
import { isNumberIn, type Fragment } from '../store/sql.js';
import { requireUser } from '../users/user-type.js';
import { visibleMemberships } from './hidden-groups.js';
import { directoryRead, groupRead, userRead } from './permissions.js';
import { addNavigationRoutes, transitiveParents, sourcesOf } from './navigation.js';
import { jsonValue } from '../odata/index.js';

/** The permissions with which users can read their own memberships. */
const selfRead = ['User.Read', 'User.ReadWrite'];

const readers: Readonly<
  Record<string, { readonly type: string; readonly permissions: readonly string[] }>
> = {
  groups: { type: 'group', permissions: groupRead },
  users: { type: 'user', permissions: [...userRead, ...groupRead] },
  devices: {
    type: 'device',
    permissions: ['Device.Read.All', 'Device.ReadWrite.All', ...groupRead],
  },
  servicePrincipals: {
    type: 'servicePrincipal',
    permissions: ['Application.Read.All', 'Application.ReadWrite.All', ...groupRead],
  },
  contacts: { type: 'orgContact', permissions: ['OrgContact.Read.All', ...groupRead] },
};

/**
 * The memberships of every type of object: memberOf, transitiveMemberOf and the transitive checks.
 */
export const membershipModule: DirectoryModule = {
  routes(router) {
    for (const [collection, { type, permissions }] of Object.entries(readers))
      addRoutes(router, `/${collection}/{id}`, accessOf(type, permissions), finderOf(type));
    const anything = permit([...directoryRead, ...groupRead, ...userRead]);
    checkRoutes(router, '/directoryObjects/{id}', anything, findAny);
  },
};

function addRoutes(router: Router, path: string, access: Access, find: FindObject): void {
  addNavigationRoutes(router, {
    path: `${path}/memberOf`,
    access,
    find,
    source: (object, type) => sourcesOf(object.number, membershipRelations, type),
    restrict: visibleMemberships,
  });
  addNavigationRoutes(router, {
    path: `${path}/transitiveMemberOf`,
    access,
    find,
    source: (object, type) => transitiveParents(object.number, type),
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

/**
 * Users can read their own memberships with `User.Read`, which the access rule then names; the
 * finder checks that they are their own.
 */
function accessOf(type: string, permissions: readonly string[]): Access {
  const all = [...permissions, ...directoryRead];
  return type === 'user' ? { delegated: [...all, ...selfRead], application: all } : permit(all);
}

function finderOf(type: string): FindObject {
  if (type !== 'user')
    return (request) => requireObject(request.directory, request.parameter('id'), type);
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

function findAny(request: DirectoryRequest): Promise<StoredObject> {
  return requireObject(request.directory, request.parameter('id'));
}

/** The limits of membership requests. */
export const membershipLimits = {
  /** Ids in one `checkMemberGroups` or `checkMemberObjects`. */
  checkedIds: 20,
  /** Ids in an answer of `getMemberGroups` and `getMemberObjects`. */
  resultSize: 11_000,
  /** Ids in one `getByIds`. */
  fetchedIds: 1_000,
} as const;

/** Finds the object of a check. */
export type FindObject = (request: DirectoryRequest) => Promise<StoredObject>;

/**
 * `checkMemberGroups` and `checkMemberObjects`: which of the given ids the object is in,
 * transitively.
 */
export function checkMembers(find: FindObject, parameter: 'groupIds' | 'ids') {
  return async (request: DirectoryRequest): Promise<Reply> => {
    const ids = readIds(request.json(), parameter, membershipLimits.checkedIds);
    const object = await find(request);
    if (ids.length === 0) return strings(request, []);
    const rows = await containers(
      request,
      object,
      parameter === 'groupIds',
      sql`o.id in (${sql.join(ids)})`,
    );
    const members = new Set(rows.map((row) => row.id));
    return strings(
      request,
      [...new Set(ids)].filter((id) => members.has(id)),
    );
  };
}

/** `getMemberGroups` and `getMemberObjects`: everything that the object is in, transitively. */
export function getMembers(find: FindObject, onlyGroups: boolean) {
  return async (request: DirectoryRequest): Promise<Reply> => {
    const body = request.optionalJson();
    const security = body['securityEnabledOnly'] ?? false;
    if (typeof security !== 'boolean')
      throw badRequest('securityEnabledOnly must be true or false.', 'securityEnabledOnly');
    const object = await find(request);
    if (security && object.type !== 'user' && object.type !== 'servicePrincipal')
      throw badRequest(
        'securityEnabledOnly can be true for users and service principals only.',
        'securityEnabledOnly',
      );
    const { resultSize } = membershipLimits;
    const securityEnabled = sql`(o.type <> 'group' or ${jsonValue(request.directory.sql.engine, sql`o.body`, ['securityEnabled'], 'boolean')})`;
    const ids = await containers(
      request,
      object,
      onlyGroups,
      security ? securityEnabled : undefined,
      resultSize + 1,
    );
    if (ids.length > resultSize)
      throw new DirectoryError(
        400,
        'Directory_ResultSizeLimitExceeded',
        `The result holds more than ${resultSize} ids.`,
      );
    return strings(
      request,
      ids.map((row) => row.id),
    );
  };
}

/** Everything that an object is in, transitively, as far as the caller may see it. */
async function containers(
  request: DirectoryRequest,
  object: StoredObject,
  onlyGroups: boolean,
  condition?: Fragment,
  limit = 1_000,
): Promise<{ id: string }[]> {
  const { sql: database } = request.directory;
  const visible = await visibleMemberships(request, object);
  const all = [
    isNumberIn(database.engine, 'up'),
    onlyGroups ? sql`o.type = 'group'` : undefined,
    condition,
    visible,
  ];
  const conditions = all.filter((each) => each !== undefined);
  return database.query(sql`${containingObjects(object.number)} select o.id from directory_object o
    where ${sql.join(conditions, sql` and `)} order by o.number limit ${sql.lit(limit)}`);
}

/** Ids of a body, in lower case. @throws DirectoryError 400. */
export function readIds(body: Body, parameter: string, limit: number): string[] {
  const ids = body[parameter];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw badRequest(`${parameter} must be a list of ids.`, parameter);
  if (ids.length > limit)
    throw badRequest(
      `${parameter} holds ${ids.length} ids; at most ${limit} are allowed.`,
      parameter,
    );
  return (ids as string[]).map((id) => id.toLowerCase());
}

function strings(request: DirectoryRequest, value: readonly string[]): Reply {
  return ok(request.context('Collection(Edm.String)', { value }));
}
