import { requireGroupWriterRole } from '../authorization/access.js';
import {
  badRequest,
  insufficientPrivileges,
  linkQuotaExceeded,
  methodNotAllowed,
  objectNotFound,
  ok,
  referenceExists,
  referenceMissing,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { mayRead } from '../membership/hidden-memberships.js';
import { present } from '../kernel/presentation.js';
import { addReferenceOperations } from '../kernel/reference-operations.js';
import { transitiveMembers, addNavigationRoutes } from '../kernel/navigation-routes.js';
import type { StoredObject } from '../store/objects.js';
import {
  findGroup,
  findGroupWithVisibleMembers,
  findVisibleGroup,
  ownsGroup,
  groupReadAccess,
  requireManagedByApi,
  requireRoleOrOwnership,
  requireVisible,
  groupWriteAccess,
  memberWriteAccess,
  ownerWriteAccess,
} from './group-access.js';
import { groupType } from './group-type.js';
import { requireRoleManagement } from './role-management.js';
import { isDynamic, isUnified, memberKindOf } from './group-kinds.js';
import { group as groupDescription } from '../../../kinds/group/group.js';
import { membershipMatrix } from '../../../kinds/group/membership-matrix.js';
import type { Directory } from '../kernel/directory.js';
import { checkGuestAllowed, checkGuestOwnerAllowed } from './settings.js';

const senderLists = ['acceptedSenders', 'rejectedSenders'] as const;

/** Adds the operations of a group's references: members, owners, accepted and rejected senders. */
export function addMemberRoutes(router: Router): void {
  const sharedOptions = { type: groupType, read: groupReadAccess, find: findGroup };
  addReferenceOperations(router, {
    ...sharedOptions,
    name: 'members',
    write: memberWriteAccess,
    cost: 3,
    findForRead: findGroupWithVisibleMembers,
    authorize: (request, object) => requireMembershipRights(request, object, 'members'),
    add: (directory, object, member) => addMembers(directory, object, [member]),
    remove: removeMember,
  });
  addReferenceOperations(router, {
    ...sharedOptions,
    name: 'owners',
    write: ownerWriteAccess,
    findForRead: findVisibleGroup,
    targetTypes: ownerTypes,
    authorize: (request, object) => requireMembershipRights(request, object, 'owners'),
    add: (directory, object, owner) => addOwners(directory, object, [owner]),
    remove: removeOwner,
  });
  for (const list of senderLists)
    addReferenceOperations(router, {
      ...sharedOptions,
      name: list,
      write: groupWriteAccess,
      findForRead: async (request) => requireUnifiedGroup(await findVisibleGroup(request)),
      targetTypes: ['user', 'group'],
      authorize: (request, object) => {
        requireVisible(request, object);
        return requireRoleOrOwnership(request, requireUnifiedGroup(object));
      },
      checkNewReference: async ({ links }, object, sender) => {
        const other = list === 'acceptedSenders' ? 'rejectedSenders' : 'acceptedSenders';
        if (await links.has(object, other, sender))
          throw badRequest(`The sender is in ${other} already and cannot be in both lists.`, list);
      },
    });
  addNavigationRoutes(router, {
    path: '/groups/{id}/transitiveMembers',
    access: groupReadAccess,
    find: findGroupWithVisibleMembers,
    source: (object, type) => transitiveMembers(object.number, type),
    cost: 5,
  });
  router.on('GET', '/groups/{id}/createdOnBehalfOf', groupReadAccess, getCreator);
  for (const [property, access] of [
    ['members', memberWriteAccess],
    ['owners', ownerWriteAccess],
  ] as const) {
    for (const method of ['POST', 'PATCH', 'PUT'])
      router.on(method, `/groups/{id}/${property}`, access, () => refuseContainedWrite(method));
    for (const method of ['DELETE', 'PATCH'])
      router.on(method, `/groups/{id}/${property}/{target}`, access, () =>
        refuseContainedWrite(method),
      );
  }
}

/** @throws DirectoryError 400 for other groups than unified ones. */
function requireUnifiedGroup(group: StoredObject): StoredObject {
  if (!isUnified(group.body)) throw badRequest('Sender lists are for unified groups only.');
  return group;
}

/**
 * Checks that the caller may change members or owners: by a role, or members by ownership of the
 * group. Role-assignable groups need more.
 *
 * @throws DirectoryError 403.
 */
async function requireMembershipRights(
  request: DirectoryRequest,
  group: StoredObject,
  property: 'members' | 'owners',
): Promise<void> {
  const { caller } = request;
  const isOwner =
    property === 'members' && caller.kind === 'user' && (await ownsGroup(request, group));
  if (group.body['isAssignableToRole'] === true && !isOwner) requireRoleManagement(caller);
  else if (!isOwner) requireGroupWriterRole(caller);
  requireManagedByApi(group);
}

async function getCreator(request: DirectoryRequest): Promise<Reply> {
  const group = await findVisibleGroup(request);
  const [creator] = await request.directory.links.targets(group, 'createdOnBehalfOf', 0, 1);
  if (!creator) throw objectNotFound('createdOnBehalfOf');
  const view = present(request.directory, creator, {
    withODataType: true,
    masked: !mayRead(request, creator),
  });
  return ok(request.withContext('directoryObjects/$entity', view));
}

function refuseContainedWrite(method: string): never {
  if (method === 'POST' || method === 'PATCH' || method === 'DELETE')
    throw badRequest(
      'Write requests are only supported on contained entities: add or remove a reference by $ref.',
    );
  throw methodNotAllowed(method, ['GET']);
}

/** The types that can own a group. */
export const ownerTypes: readonly string[] = ['user', 'servicePrincipal'];

/**
 * Adds owners: users or service principals, at most 100. Call in a transaction.
 *
 * @throws DirectoryError
 */
export async function addOwners(
  directory: Directory,
  group: StoredObject,
  owners: readonly StoredObject[],
): Promise<void> {
  for (const owner of owners) {
    if (!ownerTypes.includes(owner.type))
      throw badRequest(
        `An object of type '${owner.type}' cannot own a group: owners are users or service principals.`,
        'owners',
      );
    await checkGuestOwnerAllowed(directory, group, owner);
  }
  const existingCount = await directory.links.count(group, 'owners');
  const { maxItems } = groupDescription.properties.owners;
  for (const owner of owners)
    if (!(await directory.links.add(group, 'owners', owner))) throw referenceExists('owners');
  if (existingCount + owners.length > maxItems)
    throw linkQuotaExceeded('owners', existingCount + owners.length, maxItems);
}

/**
 * Removes an owner; the last owner of a unified group cannot be removed. Call in a transaction.
 *
 * @throws DirectoryError
 */
export async function removeOwner(
  directory: Directory,
  group: StoredObject,
  owner: StoredObject | undefined,
): Promise<void> {
  if (owner === undefined || !(await directory.links.has(group, 'owners', owner)))
    throw referenceMissing('owners');
  if (isUnified(group.body) && (await directory.links.count(group, 'owners')) === 1)
    throw badRequest(
      'The group must have at least one owner, hence this owner cannot be removed.',
      'owners',
    );
  await directory.links.remove(group, 'owners', owner);
}

/** Adds members directly, all or none. Call in a transaction. @throws DirectoryError */
export async function addMembers(
  directory: Directory,
  group: StoredObject,
  members: readonly StoredObject[],
): Promise<void> {
  if (members.length > 0) requireAssignedMembership(group);
  for (const member of members) {
    checkMemberAllowed(group, member);
    await checkGuestAllowed(directory, group, member);
    if (!(await directory.links.add(group, 'members', member))) throw referenceExists('members');
  }
}

/** Removes a direct member. Call in a transaction. @throws DirectoryError */
export async function removeMember(
  directory: Directory,
  group: StoredObject,
  member: StoredObject | undefined,
): Promise<void> {
  requireAssignedMembership(group);
  if (member === undefined || !(await directory.links.remove(group, 'members', member)))
    throw referenceMissing('members');
}

/** Members of a dynamic group cannot be changed directly. @throws DirectoryError 403. */
function requireAssignedMembership(group: StoredObject): void {
  if (isDynamic(group.body))
    throw insufficientPrivileges('the membership of a dynamic group follows its rule');
}

/** Checks a member by the membership matrix of the group's kind. @throws DirectoryError 400. */
function checkMemberAllowed(group: StoredObject, member: StoredObject): void {
  if (member.id === group.id) throw badRequest('A group cannot be a member of itself.', 'members');
  const container = isUnified(group.body) ? 'unified' : 'security';
  const kind = memberKindOf(member);
  if (group.body['isAssignableToRole'] === true && member.type === 'group')
    throw badRequest('A group cannot be a member of a role-assignable group.', 'members');
  if (kind !== undefined && membershipMatrix[kind][container]) return;
  throw badRequest(
    `An object of type '${kind ?? member.type}' cannot be a member of a ${container} group.`,
    'members',
  );
}
