import { type Access, permit, requireRole } from '../authorization/access.js';
import { requireGroupManager, requireManagedByApi } from '../groups/group-access.js';
import { addMembers, addOwners } from '../groups/member-routes.js';
import { badRequest, DirectoryError } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import { roleWriterRoles } from '../roles/directory-roles.js';
import { assignRole, requireScope, unassignRole } from '../roles/role-assignments.js';
import { groupGrantExpansions, roleGrantExpansions } from '../roles/expansions.js';
import { findRoleDefinition } from '../roles/role-definitions.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { RecordOperations, RecordParent } from '../kernel/record-operations.js';
import { requireObject } from '../kernel/single-object.js';
import { canonicalEnumValue } from './schedule-info.js';

/**
 * One kind of schedule, which requests create, change and end: an assignment, or an eligibility,
 * for a period.
 */
export interface ScheduleKind {
  /**
   * The singular path of the schedules. With `s` or `Requests` after it, it is also the collection under
   * which schedules or their requests are stored.
   */
  readonly singularPath: string;
  /** What `$expand` reads of schedules and requests, by its name. */
  readonly expansions: NonNullable<RecordOperations<RecordParent>['expansions']>;
  /** Who may read the schedules and the requests. */
  readonly read: Access;
  /** Who may make and cancel requests. */
  readonly write: Access;
  /**
   * Starts and ends what the schedule assigns; absent for an eligibility, which assigns nothing.
   */
  readonly assignmentActions?: {
    readonly assign: AssignmentChange;
    readonly unassign: AssignmentChange;
  };
  /** The eligibility schedules whose principals may activate themselves. */
  readonly eligibilities?: ScheduleKind;
  /**
   * Finds the principal of a request, and the group or role that it gets, and checks that the caller
   * may grant it.
   *
   * @param isForSelf whether principals request for themselves, which needs no role.
   * @throws DirectoryError 400, 403, 404.
   */
  readonly resolveGrant: (
    request: DirectoryRequest,
    body: Body,
    isForSelf: boolean,
  ) => Promise<Body>;
}

/** Applies what a schedule assigns or removes. */
type AssignmentChange = (directory: Directory, grant: Body) => Promise<unknown>;

const groupScheduleKind = (name: 'assignment' | 'eligibility'): ScheduleKind => {
  const permission = `Privileged${name === 'assignment' ? 'Assignment' : 'Eligibility'}Schedule`;
  return {
    singularPath: `/identityGovernance/privilegedAccess/group/${name}Schedule`,
    read: permit(['Read', 'ReadWrite'].map((access) => `${permission}.${access}.AzureADGroup`)),
    write: permit([`${permission}.ReadWrite.AzureADGroup`]),
    expansions: groupGrantExpansions,
    resolveGrant: resolveGroupGrant,
  };
};
const roleScheduleKind = (
  name: 'Assignment' | 'Eligibility',
  isSelfService?: true,
): ScheduleKind => ({
  singularPath: `/roleManagement/directory/role${name}Schedule`,
  read: permit([
    `Role${name}Schedule.Read.Directory`,
    `Role${name}Schedule.ReadWrite.Directory`,
    'RoleManagement.Read.Directory',
    'RoleManagement.ReadWrite.Directory',
    'RoleManagement.Read.All',
  ]),
  // Principals who request access for themselves need no role: `resolveGrant` checks their
  // eligibility.
  write: permit(
    [`Role${name}Schedule.ReadWrite.Directory`, 'RoleManagement.ReadWrite.Directory'],
    isSelfService ? {} : { roles: roleWriterRoles },
  ),
  expansions: roleGrantExpansions,
  resolveGrant: resolveRoleGrant,
});
const groupEligibilitySchedules = groupScheduleKind('eligibility');
/** Schedules of membership or ownership of groups. */
export const groupAssignmentSchedules: ScheduleKind = {
  ...groupScheduleKind('assignment'),
  assignmentActions: { assign: addToGroup, unassign: removeFromGroup },
  eligibilities: groupEligibilitySchedules,
};
const roleEligibilitySchedules = roleScheduleKind('Eligibility');
/** Schedules of directory roles. */
export const roleAssignmentSchedules: ScheduleKind = {
  ...roleScheduleKind('Assignment', true),
  assignmentActions: { assign: assignRole, unassign: unassignRole },
  eligibilities: roleEligibilitySchedules,
};
/** All kinds of schedules. */
export const scheduleKinds = [
  groupAssignmentSchedules,
  groupEligibilitySchedules,
  roleAssignmentSchedules,
  roleEligibilitySchedules,
];

/** Finds the group of a membership or ownership, and the principal. */
async function resolveGroupGrant(
  request: DirectoryRequest,
  body: Body,
  isForSelf: boolean,
): Promise<Body> {
  const { groupId, principalId } = body;
  const accessId = canonicalEnumValue(['owner', 'member'], body['accessId'], 'accessId');
  for (const [name, value] of Object.entries({ groupId, principalId }))
    if (typeof value !== 'string')
      throw badRequest(`A value is required for property '${name}'.`, name);
  const group = await requireObject(request.directory, String(groupId), 'group');
  if (!isForSelf) await requireGroupManager(request, group);
  requireManagedByApi(group);
  return {
    accessId,
    principalId: (await requirePrincipal(request, principalId)).id,
    groupId: group.id,
  };
}

/** Finds a directory role, over the whole directory or one object, and the principal. */
async function resolveRoleGrant(
  request: DirectoryRequest,
  body: Body,
  isForSelf: boolean,
): Promise<Body> {
  if (!isForSelf) requireRole(request.caller, roleWriterRoles);
  const { roleDefinitionId, principalId } = body;
  const definition = await findRoleDefinition(request.directory, String(roleDefinitionId));
  if (!definition)
    throw new DirectoryError(
      404,
      'RoleNotFound',
      `The role '${String(roleDefinitionId)}' is not found.`,
    );
  const directoryScopeId = await requireScope(request.directory, body);
  const { id } = await requirePrincipal(request, principalId);
  return { principalId: id, roleDefinitionId: definition.id, directoryScopeId, appScopeId: null };
}

async function requirePrincipal(
  { directory }: DirectoryRequest,
  id: unknown,
): Promise<{ readonly id: string }> {
  const object = typeof id === 'string' ? await directory.objects.get(id) : undefined;
  if (object && ['user', 'group', 'servicePrincipal'].includes(object.type)) return object;
  throw new DirectoryError(404, 'SubjectNotFound', `The subject '${String(id)}' is not found.`);
}

/** Adds the principal to the group. @throws DirectoryError as for a request to add a member. */
async function addToGroup(directory: Directory, grant: Body): Promise<void> {
  const [group, principal] = await groupAndPrincipal(directory, grant);
  if (!group || !principal) return;
  const add = grant['accessId'] === 'owner' ? addOwners : addMembers;
  await add(directory, group, [principal]);
}

async function removeFromGroup(directory: Directory, grant: Body): Promise<void> {
  const [group, principal] = await groupAndPrincipal(directory, grant);
  if (!group || !principal) return;
  const relation = grant['accessId'] === 'owner' ? 'owners' : 'members';
  await directory.links.remove(group, relation, principal);
}

function groupAndPrincipal(
  { objects }: Directory,
  { groupId, principalId }: Body,
): Promise<readonly (StoredObject | undefined)[]> {
  return Promise.all([objects.get(String(groupId)), objects.get(String(principalId))]);
}
