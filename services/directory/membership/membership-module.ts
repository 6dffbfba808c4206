import { sql } from 'kysely';
import { type Access, permit, requirePermission } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import { findVisibleGroup } from '../groups/group-access.js';
import { badRequest, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { requireByPathKey, requireObject } from '../kernel/single-object.js';
import { containingObjectsTable } from '../store/links.js';
import type { Body, StoredObject } from '../store/objects.js';
import { membershipRelations } from '../store/relations.js';
import { numberInTableCondition, type Fragment } from '../store/sql.js';
import { requireUser } from '../users/user-type.js';
import { visibleMembershipsCondition } from './hidden-memberships.js';
import {
  directoryReadPermissions,
  membershipReadPermissions,
  userReadPermissions,
} from './permissions.js';
import { addNavigationRoutes, transitiveMemberOf, sourcesOf } from '../kernel/navigation-routes.js';
import { jsonValue } from '../odata/index.js';

/** The permissions with which users can read their own memberships. */
const ownReadPermissions = ['User.Read', 'User.ReadWrite'];

/** The collections whose objects can be members, with the permissions to read their memberships. */
const membershipCollections: Readonly<
  Record<string, { readonly type: string; readonly permissions: readonly string[] }>
> = {
  groups: { type: 'group', permissions: membershipReadPermissions },
  users: { type: 'user', permissions: [...userReadPermissions, ...membershipReadPermissions] },
  devices: {
    type: 'device',
    permissions: ['Device.Read.All', 'Device.ReadWrite.All', ...membershipReadPermissions],
  },
  servicePrincipals: {
    type: 'servicePrincipal',
    permissions: [
      'Application.Read.All',
      'Application.ReadWrite.All',
      ...membershipReadPermissions,
    ],
  },
  contacts: {
    type: 'orgContact',
    permissions: ['OrgContact.Read.All', ...membershipReadPermissions],
  },
};

/**
 * The memberships of every type of object: memberOf, transitiveMemberOf and the transitive checks.
 */
export const membershipModule: DirectoryModule = {
  routes(router) {
    for (const [collection, { type, permissions }] of Object.entries(membershipCollections))
      addMembershipRoutes(
        router,
        `/${collection}/{id}`,
        membershipReadAccess(type, permissions),
        objectFinder(type),
      );
    const anyObjectReadAccess = permit([
      ...directoryReadPermissions,
      ...membershipReadPermissions,
      ...userReadPermissions,
    ]);
    addCheckRoutes(router, '/directoryObjects/{id}', anyObjectReadAccess, findAnyObject);
  },
};

function addMembershipRoutes(router: Router, path: string, access: Access, find: FindObject): void {
  addNavigationRoutes(router, {
    path: `${path}/memberOf`,
    access,
    find,
    source: (object, type) => sourcesOf(object.number, membershipRelations, type),
    restrict: visibleMembershipsCondition,
  });
  addNavigationRoutes(router, {
    path: `${path}/transitiveMemberOf`,
    access,
    find,
    source: (object, type) => transitiveMemberOf(object.number, type),
    restrict: visibleMembershipsCondition,
    cost: 5,
  });
  addCheckRoutes(router, path, access, find);
}

function addCheckRoutes(router: Router, path: string, access: Access, find: FindObject): void {
  const options = { cost: 4 };
  router.on(
    'POST',
    `${path}/checkMemberGroups`,
    access,
    checkMembershipsHandler(find, 'groupIds'),
    options,
  );
  router.on(
    'POST',
    `${path}/checkMemberObjects`,
    access,
    checkMembershipsHandler(find, 'ids'),
    options,
  );
  router.on(
    'POST',
    `${path}/getMemberGroups`,
    access,
    getMembershipsHandler(find, 'groups'),
    options,
  );
  router.on(
    'POST',
    `${path}/getMemberObjects`,
    access,
    getMembershipsHandler(find, 'objects'),
    options,
  );
}

/**
 * Who may read memberships. `User.Read` lets users read their own ones: {@link objectFinder} checks
 * that they are.
 */
function membershipReadAccess(type: string, permissions: readonly string[]): Access {
  const allPermissions = [...permissions, ...directoryReadPermissions];
  return type === 'user'
    ? { delegated: [...allPermissions, ...ownReadPermissions], application: allPermissions }
    : permit(allPermissions);
}

function objectFinder(type: string): FindObject {
  if (type === 'group') return findVisibleGroup;
  if (type !== 'user')
    return (request) => requireByPathKey(request, request.directory.types.get(type));
  return async (request) => {
    const user = await requireUser(request);
    requireSelfOrPermission(request, user);
    return user;
  };
}

function requireSelfOrPermission(request: DirectoryRequest, user: StoredObject): void {
  const { caller } = request;
  if (caller.kind !== 'user' || user.id === caller.objectId.toLowerCase()) return;
  requirePermission(
    caller,
    ...userReadPermissions,
    ...membershipReadPermissions,
    ...directoryReadPermissions,
  );
}

function findAnyObject(request: DirectoryRequest): Promise<StoredObject> {
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

/** Finds the object whose memberships are read, and checks that the caller may read them. */
export type FindObject = (request: DirectoryRequest) => Promise<StoredObject>;

/**
 * `checkMemberGroups` and `checkMemberObjects`: which of the given ids the object is in,
 * transitively.
 */
export function checkMembershipsHandler(find: FindObject, parameter: 'groupIds' | 'ids') {
  return async (request: DirectoryRequest): Promise<Reply> => {
    const ids = parseIds(request.json(), parameter, membershipLimits.checkedIds);
    const object = await find(request);
    if (ids.length === 0) return stringCollectionReply(request, []);
    const rows = await containingIds(
      request,
      object,
      parameter === 'groupIds' ? 'groups' : 'objects',
      sql`o.id in (${sql.join(ids)})`,
    );
    const containing = new Set(rows.map((row) => row.id));
    return stringCollectionReply(
      request,
      [...new Set(ids)].filter((id) => containing.has(id)),
    );
  };
}

/** `getMemberGroups` and `getMemberObjects`: everything that the object is in, transitively. */
export function getMembershipsHandler(find: FindObject, result: 'groups' | 'objects') {
  return async (request: DirectoryRequest): Promise<Reply> => {
    const body = request.optionalJson();
    const securityEnabledOnly = body['securityEnabledOnly'] ?? false;
    if (typeof securityEnabledOnly !== 'boolean')
      throw badRequest('securityEnabledOnly must be true or false.', 'securityEnabledOnly');
    const object = await find(request);
    if (securityEnabledOnly && object.type !== 'user' && object.type !== 'servicePrincipal')
      throw badRequest(
        'securityEnabledOnly can be true for users and service principals only.',
        'securityEnabledOnly',
      );
    const { resultSize } = membershipLimits;
    const securityEnabledCondition = sql`(o.type <> 'group' or ${jsonValue(request.directory.sql.engine, sql`o.body`, ['securityEnabled'], 'boolean')})`;
    const ids = await containingIds(
      request,
      object,
      result,
      securityEnabledOnly ? securityEnabledCondition : undefined,
      resultSize + 1,
    );
    if (ids.length > resultSize)
      throw new DirectoryError(
        400,
        'Directory_ResultSizeLimitExceeded',
        `The result holds more than ${resultSize} ids.`,
      );
    return stringCollectionReply(
      request,
      ids.map((row) => row.id),
    );
  };
}

/**
 * The ids of the groups or objects that an object is in, transitively, if the caller may see them.
 */
async function containingIds(
  request: DirectoryRequest,
  object: StoredObject,
  result: 'groups' | 'objects',
  condition?: Fragment,
  limit = 1_000,
): Promise<{ id: string }[]> {
  const { sql: database } = request.directory;
  const visibility = await visibleMembershipsCondition(request, object);
  const optionalConditions = [
    numberInTableCondition(database.engine, 'containing'),
    result === 'groups' ? sql`o.type = 'group'` : undefined,
    condition,
    visibility,
  ];
  const conditions = optionalConditions.filter((each) => each !== undefined);
  return database.query(sql`${containingObjectsTable(object.number)} select o.id from directory_object o
    where ${sql.join(conditions, sql` and `)} order by o.number limit ${sql.lit(limit)}`);
}

/** Ids of a body, in lower case. @throws DirectoryError 400. */
export function parseIds(body: Body, parameter: string, limit: number): string[] {
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

function stringCollectionReply(request: DirectoryRequest, value: readonly string[]): Reply {
  return ok(request.withContext('Collection(Edm.String)', { value }));
}
