import { randomBytes } from 'node:crypto';
import { applicationReadPermissions } from '../applications/application-type.js';
import { permit } from '../authorization/access.js';
import { badRequest, denied, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { idPattern, ownProperties } from '../kernel/references.js';
import { isObject } from '../kernel/write-body.js';
import { whole } from '../applications/secrets.js';
import { findUser } from '../users/find-user.js';
import type { QueryRules } from '../odata/index.js';
import { checkFilter, compileFilterInMemory } from '../odata/index.js';
import type { Item } from '../store/items.js';
import type { StoredObject } from '../store/objects.js';
import type { Side } from './assignment-store.js';
import { putAssignment, removeAssignment, sides } from './assignment-store.js';

const defaultAccess = '00000000-0000-0000-0000-000000000000';
const maximumPerPrincipal = 1500;
const readPermissions = [
  ...applicationReadPermissions,
  'AppRoleAssignment.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'User.Read.All',
];
const read = permit(readPermissions);
const write = permit(['AppRoleAssignment.ReadWrite.All'], {
  roles: [
    'globalAdministrator',
    'applicationAdministrator',
    'cloudApplicationAdministrator',
    'privilegedRoleAdministrator',
    'directoryWriters',
    'userAdministrator',
    'groupsAdministrator',
  ],
});
const text = { type: 'guid', default: ['eq', 'in'] } as const;
const rules: QueryRules = {
  resource: 'AppRoleAssignment',
  properties: {
    id: text,
    appRoleId: text,
    principalId: text,
    resourceId: text,
    principalType: { type: 'string', default: ['eq'] },
    principalDisplayName: { type: 'string', default: ['eq', 'startsWith'] },
  },
  relationships: {},
};
const principalTypes: Readonly<Record<string, string>> = { user: 'User', group: 'Group', servicePrincipal: 'ServicePrincipal' };

/** App role assignments, from the resource's side and from the principal's. */
export function appRoleAssignmentRoutes(router: Router): void {
  sideRoutes(router, '/servicePrincipals', 'servicePrincipal', 'appRoleAssignedTo');
  sideRoutes(router, '/servicePrincipals', 'servicePrincipal', 'appRoleAssignments');
  sideRoutes(router, '/users', 'user', 'appRoleAssignments');
  sideRoutes(router, '/groups', 'group', 'appRoleAssignments');
}

function sideRoutes(router: Router, collection: string, type: string, side: Side): void {
  const path = `${collection}/{id}/${side}`;
  const end = async (request: DirectoryRequest): Promise<StoredObject> => requireEnd(request, type);
  const context = (request: DirectoryRequest, object: StoredObject): string =>
    `${request.base}/$metadata#${collection.slice(1)}('${object.id}')/${side}`;
  router.on('GET', path, read, async (request) => {
    const object = await end(request);
    const { filter, select } = request.options;
    if (filter) checkFilter(filter, rules);
    const all = (await request.directory.items.list(side, object.id)).map(shown);
    const value = filter ? all.filter(compileFilterInMemory(filter)) : all;
    return ok({ '@odata.context': context(request, object), value: select ? value.map((each) => picked(each, select)) : value });
  });
  router.on('GET', `${path}/{assignment}`, read, async (request) => {
    const object = await end(request);
    return ok({ '@odata.context': `${context(request, object)}/$entity`, ...shown(await requireAssignment(request, side, object)) });
  });
  router.on('POST', path, write, async (request) => {
    const [object, assignment] = await request.directory.sql.write(async () => {
      const from = await end(request);
      return [from, await createAssignment(request, side, from)] as const;
    });
    const location = `${request.base}${collection}/${object.id}/${side}/${assignment.id}`;
    return created({ '@odata.context': `${context(request, object)}/$entity`, ...shown(assignment) }, location);
  });
  router.on('DELETE', `${path}/{assignment}`, write, async (request) => {
    await request.directory.sql.write(async () => {
      const object = await end(request);
      await removeAssignment(request.directory, await requireAssignment(request, side, object));
    });
    return noContent;
  });
}

async function createAssignment(request: DirectoryRequest, side: Side, from: StoredObject): Promise<Item> {
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
    createdDateTime: whole(directory.clock.now()),
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
  const read_ = (name: string, absent?: string): string => {
    const value = body[name] ?? absent;
    if (typeof value !== 'string' || !idPattern.test(value))
      throw badRequest(`Invalid value specified for property '${name}': a GUID is expected.`, name);
    return value.toLowerCase();
  };
  return { appRoleId: read_('appRoleId', defaultAccess), principalId: read_('principalId'), resourceId: read_('resourceId') };
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

async function requireEnd(request: DirectoryRequest, type: string): Promise<StoredObject> {
  const key = request.key('id');
  const text_ = typeof key === 'string' ? key : key.value;
  const object =
    type === 'user'
      ? await findUser(request, key)
      : typeof key === 'string'
        ? await request.directory.objects.getOfType(type, key)
        : (await request.directory.objects.findBy(type, 'app_id', key.value))[0];
  if (!object) throw objectNotFound(text_);
  return object;
}

async function requireAssignment(request: DirectoryRequest, side: Side, object: StoredObject): Promise<Item> {
  const id = request.parameter('assignment');
  const assignment = await request.directory.items.get(side, object.id, id);
  if (!assignment) throw objectNotFound(id);
  return assignment;
}

function shown({ id, body }: Item): Record<string, unknown> {
  return { id, ...body };
}

function picked(value: Record<string, unknown>, select: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => select.includes(name)));
}
