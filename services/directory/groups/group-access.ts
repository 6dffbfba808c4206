import {
  badRequest,
  DirectoryError,
  insufficientPrivileges,
  objectNotFound,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { isManagedByApi, hidesMembership } from './group-kinds.js';
import type { Caller } from '../../common/caller.js';
import {
  type Access,
  hasRole,
  permit,
  requireRole,
  requireGroupWriterRole,
} from '../authorization/access.js';
import { administratorRoles, groupWriterRoles } from '../authorization/directory-roles.js';
import { canSeeMembers } from '../membership/hidden-memberships.js';
import { groupReadPermissions } from './group-type.js';
import { requireObject } from '../kernel/single-object.js';

/** The group of a path, by id or by `uniqueName`. @throws DirectoryError 404. */
export async function findGroup(request: DirectoryRequest): Promise<StoredObject> {
  const key = request.key('id');
  if (typeof key === 'string') return requireObject(request.directory, key, 'group');
  const [group] = await groupsByUniqueName(request);
  if (group) return group;
  throw objectNotFound(key.value);
}

/** The group of a path, if the caller may see it. @throws DirectoryError 403, 404. */
export async function findVisibleGroup(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findGroup(request);
  requireVisible(request, group);
  return group;
}

/**
 * The group of a path, if the caller may see its members.
 *
 * @throws DirectoryError 403, 404.
 */
export async function findGroupWithVisibleMembers(
  request: DirectoryRequest,
): Promise<StoredObject> {
  const group = await findGroup(request);
  if (await canSeeMembers(request, group)) return group;
  throw insufficientPrivileges('the membership of this group is hidden');
}

/**
 * The groups with the unique name of the path: at most one.
 *
 * @throws DirectoryError 400 for another alternate key.
 */
export async function groupsByUniqueName(request: DirectoryRequest): Promise<StoredObject[]> {
  const key = request.key('id');
  if (typeof key === 'string' || key.property.toLowerCase() !== 'uniquename')
    throw badRequest('A group is addressed by its id or by its uniqueName.');
  if (key.value === '') throw badRequest('uniqueName must not be empty.', 'uniqueName');
  return request.directory.objects.findBy('group', 'unique_name', key.value);
}

/**
 * Refuses changes of mail-enabled security groups and distribution groups, which are read-only
 * here.
 *
 * @throws DirectoryError 400.
 */
export function requireManagedByApi(group: StoredObject): void {
  if (!isManagedByApi(group.body))
    throw new DirectoryError(
      400,
      'Request_BadRequest',
      'Unable to update the specified properties for objects that have originated within an external service.',
    );
}

const writePermissions = ['Group.ReadWrite.All', 'Directory.ReadWrite.All'] as const;
const memberWritePermissions = ['GroupMember.ReadWrite.All', ...writePermissions] as const;

/** Who may read one group and its related objects. */
export const groupReadAccess = permit(groupReadPermissions);
/** Who may list groups: not guests. */
export const groupListAccess = permit(groupReadPermissions, { allowsGuests: false });
/** Who may create a group. Applications may have the narrower Group.Create. */
export const groupCreateAccess: Access = {
  delegated: [...writePermissions],
  application: ['Group.Create', ...writePermissions],
};
/** Who may change a group. The required role depends on the change (see {@link requireGroupWriterRole}). */
export const groupWriteAccess = permit(writePermissions);
/** Who may change members: also owners of the group. */
export const memberWriteAccess = permit(memberWritePermissions);
/** Who may change owners. */
export const ownerWriteAccess = permit(writePermissions);
/** Who may change their own settings in a group, such as subscribing by mail: only people. */
export const perUserActionAccess: Access = {
  delegated: ['Group.ReadWrite.All', 'Directory.ReadWrite.All'],
};

/** A signed-in user needs a role or ownership of the group. @throws DirectoryError 403. */
export async function requireRoleOrOwnership(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<void> {
  if (!(await ownsGroup(request, group))) requireGroupWriterRole(request.caller);
}

/**
 * Time-limited membership is managed by owners of the group and those who may write groups, of
 * role-assignable groups by those who may write roles.
 *
 * @throws DirectoryError 403.
 */
export async function requireGroupManager(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<void> {
  if (await ownsGroup(request, group)) return;
  requireRole(
    request.caller,
    group.body['isAssignableToRole'] === true
      ? ['globalAdministrator', 'privilegedRoleAdministrator']
      : groupWriterRoles,
  );
}

/** Whether the caller, a user or an application, is an owner of the group. */
export async function ownsGroup(request: DirectoryRequest, group: StoredObject): Promise<boolean> {
  const caller = await callerObject(request);
  return caller !== undefined && request.directory.links.has(group, 'owners', caller);
}

/** Whether the caller is a user without an administrator's role. */
export function isUserWithoutAdministratorRole(caller: Caller): boolean {
  return caller.kind === 'user' && !hasRole(caller, ...administratorRoles);
}

/** The caller's own object: the user, or the application's service principal. */
export async function callerObject(request: DirectoryRequest): Promise<StoredObject | undefined> {
  return request.caller.objectId === ''
    ? undefined
    : request.directory.objects.get(request.caller.objectId);
}

/** Guests cannot see HiddenMembership groups at all. @throws DirectoryError 403. */
export function requireVisible(request: DirectoryRequest, group: StoredObject): void {
  if (request.caller.isGuest && hidesMembership(group.body))
    throw insufficientPrivileges('the group is hidden from guests');
}
