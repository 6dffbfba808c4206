import { hasRole, requireRole } from '../authorization/access.js';
import { badRequest, methodNotAllowed, objectNotFound, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { mayRead } from '../membership/hidden-groups.js';
import { present } from '../kernel/present.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { insideOf, navigationRoutes } from '../membership/navigation.js';
import type { StoredObject } from '../store/objects.js';
import {
  findGroup,
  ownsGroup,
  readGroup,
  requireManaged,
  requireMembersVisible,
  requireRoleManagement,
  requireRoleOrOwnership,
  requireVisible,
  writeGroup,
  writeMembers,
  writeOwners,
} from './find-group.js';
import { groupType } from './group-type.js';
import { isUnified } from './kinds.js';
import { addMembers, addOwners, ownerTypes, removeMember, removeOwner } from './owners-and-members.js';

const lists = ['acceptedSenders', 'rejectedSenders'] as const;

/** References of a group: members, owners, and who may and may not post to it. */
export function memberRoutes(router: Router): void {
  const group = { type: groupType, read: readGroup, find: findGroup };
  referenceOperations(router, {
    ...group,
    name: 'members',
    write: writeMembers,
    cost: 3,
    readable: findWithMembers,
    authorize: (request, found) => requireMembershipRights(request, found, 'members'),
    add: (directory, found, member) => addMembers(directory, found, [member]),
    remove: removeMember,
  });
  referenceOperations(router, {
    ...group,
    name: 'owners',
    write: writeOwners,
    readable: findVisible,
    targets: ownerTypes,
    authorize: (request, found) => requireMembershipRights(request, found, 'owners'),
    add: (directory, found, owner) => addOwners(directory, found, [owner]),
    remove: removeOwner,
  });
  for (const list of lists)
    referenceOperations(router, {
      ...group,
      name: list,
      write: writeGroup,
      readable: async (request) => requireMailGroup(await findVisible(request)),
      targets: ['user', 'group'],
      authorize: (request, found) => {
        requireVisible(request, found);
        return requireRoleOrOwnership(request, requireMailGroup(found));
      },
      check: async ({ links }, found, sender) => {
        const other = list === 'acceptedSenders' ? 'rejectedSenders' : 'acceptedSenders';
        if (await links.has(found, other, sender)) throw badRequest(`The sender is in ${other} already and cannot be in both lists.`, list);
      },
    });
  navigationRoutes(router, {
    path: '/groups/{id}/transitiveMembers',
    access: readGroup,
    find: findWithMembers,
    source: (found, type) => insideOf(found.number, type),
    cost: 5,
  });
  router.on('GET', '/groups/{id}/createdOnBehalfOf', readGroup, getCreator);
  for (const [property, access] of [
    ['members', writeMembers],
    ['owners', writeOwners],
  ] as const) {
    for (const method of ['POST', 'PATCH', 'PUT']) router.on(method, `/groups/{id}/${property}`, access, () => refuseContained(method));
    for (const method of ['DELETE', 'PATCH']) router.on(method, `/groups/{id}/${property}/{target}`, access, () => refuseContained(method));
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

/** @throws DirectoryError 400 for other groups than unified ones. */
function requireMailGroup(group: StoredObject): StoredObject {
  if (!isUnified(group.body)) throw badRequest('Sender lists are for unified groups only.');
  return group;
}

/** A role, or for members the ownership of the group; role-assignable groups need more. */
async function requireMembershipRights(request: DirectoryRequest, group: StoredObject, property: 'members' | 'owners'): Promise<void> {
  const { caller } = request;
  const owner = property === 'members' && caller.kind === 'user' && (await ownsGroup(request, group));
  if (group.body['isAssignableToRole'] === true && !owner) requireRoleManagement(caller);
  else if (!owner && !hasRole(caller, 'globalAdministrator')) requireRole(caller);
  requireManaged(group);
}

async function getCreator(request: DirectoryRequest): Promise<Reply> {
  const group = await findVisible(request);
  const [creator] = await request.directory.links.targets(group, 'createdOnBehalfOf', 0, 1);
  if (!creator) throw objectNotFound('createdOnBehalfOf');
  const shown = present(request.directory, creator, { typed: true, masked: !mayRead(request, creator) });
  return ok({ ...request.context('directoryObjects/$entity'), ...shown });
}

function refuseContained(method: string): never {
  if (method === 'POST' || method === 'PATCH' || method === 'DELETE')
    throw badRequest('Write requests are only supported on contained entities: add or remove a reference by $ref.');
  throw methodNotAllowed(method, ['GET']);
}
