import { hasRole } from '../authorization/access.js';
import { badRequest, methodNotAllowed, objectNotFound } from '../http/errors.js';
import { noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { mayRead } from '../kernel/may-read.js';
import { present } from '../kernel/present.js';
import { idOfRefBody, idOfTarget, resolveReference } from '../kernel/references.js';
import { navigationRoutes } from '../membership/navigation.js';
import { insideOf, targetsOf } from '../membership/sources.js';
import type { StoredObject } from '../store/objects.js';
import {
  findGroup,
  requireManaged,
  ownsGroup,
  readGroup,
  requireMembersVisible,
  requireRole,
  requireRoleManagement,
  requireVisible,
  writeMembers,
  writeOwners,
} from './find-group.js';
import { addMembers, removeMember, addOwners, ownerTypes, removeOwner } from './owners-and-members.js';

type Property = 'members' | 'owners';

/** Members and owners: lists, transitive lists, adding and removing by reference. */
export function memberRoutes(router: Router): void {
  navigationRoutes(router, {
    path: '/groups/{id}/members',
    access: readGroup,
    find: findWithMembers,
    source: (group, type) => targetsOf(group.number, 'members', type),
    cost: 3,
  });
  navigationRoutes(router, {
    path: '/groups/{id}/transitiveMembers',
    access: readGroup,
    find: findWithMembers,
    source: (group, type) => insideOf(group.number, type),
    cost: 5,
  });
  navigationRoutes(router, {
    path: '/groups/{id}/owners',
    access: readGroup,
    find: findVisible,
    source: (group, type) => targetsOf(group.number, 'owners', type),
  });
  router.on('GET', '/groups/{id}/createdOnBehalfOf', readGroup, getCreator);
  for (const property of ['members', 'owners'] as const) {
    const access = property === 'members' ? writeMembers : writeOwners;
    router.on('POST', `/groups/{id}/${property}/$ref`, access, (request) => add(request, property));
    router.on('DELETE', `/groups/{id}/${property}/$ref`, access, (request) => removeByQuery(request, property));
    router.on('DELETE', `/groups/{id}/${property}/{member}/$ref`, access, (request) =>
      remove(request, property, request.parameter('member')),
    );
    for (const method of ['POST', 'PATCH', 'PUT']) router.on(method, `/groups/{id}/${property}`, access, () => refuseContained(method));
    for (const method of ['DELETE', 'PATCH']) router.on(method, `/groups/{id}/${property}/{member}`, access, () => refuseContained(method));
  }
}

async function findVisible(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findGroup(request);
  requireVisible(request, group);
  return group;
}

async function findWithMembers(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findGroup(request);
  await requireMembersVisible(request, group);
  return group;
}

async function add(request: DirectoryRequest, property: Property): Promise<Reply> {
  const reference = idOfRefBody(request.directory, request.json(), property === 'owners' ? ownerTypes : undefined);
  await request.directory.sql.write(async () => {
    const group = await findGroup(request);
    await requireMembershipRights(request, group, property);
    requireManaged(group);
    const object = await resolveReference(request.directory, reference);
    if (property === 'members') await addMembers(request.directory, group, [object]);
    else await addOwners(request.directory, group, [object]);
  });
  return noContent;
}

/** `DELETE …/members/$ref?$id=<address>`: the other way of naming what is removed. */
function removeByQuery(request: DirectoryRequest, property: Property): Promise<Reply> {
  const reference = request.query.get('$id') ?? request.query.get('@id');
  if (reference === null) throw badRequest('Not a valid reference update: $id must name the reference to remove.');
  return remove(request, property, idOfTarget(request.directory, reference));
}

async function remove(request: DirectoryRequest, property: Property, id: string): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const group = await findGroup(request);
    await requireMembershipRights(request, group, property);
    requireManaged(group);
    const object = await directory.objects.get(id);
    if (!object) throw objectNotFound(id);
    if (property === 'members') await removeMember(directory, group, object);
    else await removeOwner(directory, group, object);
  });
  return noContent;
}

/** A role, or for members the ownership of the group; role-assignable groups need more. */
async function requireMembershipRights(request: DirectoryRequest, group: StoredObject, property: Property): Promise<void> {
  const { caller } = request;
  const owner = property === 'members' && caller.kind === 'user' && (await ownsGroup(request, group));
  if (group.body['isAssignableToRole'] === true && !owner) return requireRoleManagement(caller);
  if (!owner && !hasRole(caller, 'globalAdministrator')) requireRole(caller);
}

async function getCreator(request: DirectoryRequest): Promise<Reply> {
  const group = await findVisible(request);
  const [creator] = await request.directory.links.targets(group, 'createdOnBehalfOf', 0, 1);
  if (!creator) throw objectNotFound('createdOnBehalfOf');
  const shown = present(request.directory, creator, { typed: true, masked: !mayRead(request, creator) });
  return ok({ '@odata.context': `${request.base}/$metadata#directoryObjects/$entity`, ...shown });
}

function refuseContained(method: string): never {
  if (method === 'POST' || method === 'PATCH' || method === 'DELETE')
    throw badRequest('Write requests are only supported on contained entities: add or remove a reference by $ref.');
  throw methodNotAllowed(method, ['GET']);
}
