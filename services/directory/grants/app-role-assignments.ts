import { applicationReadPermissions } from '../applications/application-type.js';
import { permit } from '../authorization/access.js';
import { objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { listItems } from '../kernel/item-list.js';
import { findUser } from '../users/find-user.js';
import type { QueryRules } from '../odata/index.js';
import type { Item } from '../store/items.js';
import type { StoredObject } from '../store/objects.js';
import { removeAssignment, type Side } from './assignment-store.js';
import { createAssignment } from './create-assignment.js';

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
    const all = (await request.directory.items.list(side, object.id)).map(shown);
    return listItems(request, `${collection.slice(1)}('${object.id}')/${side}`, all, rules);
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
