import { sql } from 'kysely';
import { isObject } from '../../../core/values/is-object.js';
import { isGuid } from '../../../core/values/guid.js';
import { permit, requireRole } from '../authorization/access.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { formatInstant } from '../kernel/presentation.js';
import { entityBody } from '../kernel/single-object.js';
import { addNavigationRoutes, targetsOf } from '../kernel/navigation-routes.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Fragment } from '../store/sql.js';
import { requireUser } from '../users/user-type.js';
import { findGroup, findGroupWithVisibleMembers, groupReadAccess } from './group-access.js';
import { groupType } from './group-type.js';
import { groupKindOf } from './group-kinds.js';

const licenceRoles = [
  'globalAdministrator',
  'licenseAdministrator',
  'groupsAdministrator',
  'userAdministrator',
  'directoryWriters',
] as const;
const licenceWriteAccess = permit([
  'LicenseAssignment.ReadWrite.All',
  'Group.ReadWrite.All',
  'Directory.ReadWrite.All',
]);

/**
 * Adds the operations of group-based licensing: members get the licences of their groups, and lose
 * them when they leave.
 */
export function addLicenceRoutes(router: Router, directory: Directory): void {
  router.on('POST', '/groups/{id}/assignLicense', licenceWriteAccess, assignLicense);
  addNavigationRoutes(router, {
    path: '/groups/{id}/membersWithLicenseErrors',
    access: groupReadAccess,
    find: findGroupWithVisibleMembers,
    source: (group, type) => {
      const members = targetsOf(group.number, 'members', type);
      return {
        ...members,
        where: sql`${members.where ?? sql`1 = 1`} and ${licenceErrorCondition(directory, group.id)}`,
      };
    },
  });
  router.on(
    'POST',
    '/users/{id}/reprocessLicenseAssignment',
    licenceWriteAccess,
    reprocessLicences,
  );
  syncMemberLicences(directory);
}

/** Processes a user's failed licences again. */
async function reprocessLicences(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const user = await directory.sql.transaction(async () => {
    requireRole(request.caller, licenceRoles);
    const member = await requireUser(request);
    await recalculateLicences(directory, member, 'retry');
    for (const group of await directory.links.sources(member, 'members'))
      await recordLicenceErrors(directory, group.id);
    return (await directory.objects.get(member.id)) ?? member;
  });
  return ok(entityBody(request, user, directory.types.get('user')));
}

async function assignLicense(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { addedLicences, removedIds } = parseLicenceChanges(request.json());
  const updatedGroup = await directory.sql.transaction(async () => {
    const group = await findGroup(request);
    requireRole(request.caller, licenceRoles);
    if (groupKindOf(group.body) === undefined || group.body['securityEnabled'] !== true)
      throw badRequest(
        'Licences are assigned to security groups and to unified groups with securityEnabled true.',
        'securityEnabled',
      );
    const current = assignedLicencesOf(group.body);
    for (const id of removedIds)
      if (!current.some((licence) => licence.skuId === id))
        throw badRequest(`The licence ${id} is not assigned to this group.`, 'removeLicenses');
    const keptLicences = current.filter(
      ({ skuId }) =>
        !removedIds.includes(skuId) && !addedLicences.some((licence) => licence.skuId === skuId),
    );
    const saved = await directory.objects.save(group, {
      ...group.body,
      assignedLicenses: [...keptLicences, ...addedLicences],
      licensesChangedAt: directory.clock.now().toISOString(),
    });
    await recalculateMemberLicences(directory, saved);
    return saved;
  });
  return {
    status: 202,
    body: {
      ...entityBody(request, updatedGroup, groupType),
      assignedLicenses: updatedGroup.body['assignedLicenses'],
    },
    headers: { location: `${request.base}/groups/${updatedGroup.id}` },
  };
}

/**
 * The changes in the body of `assignLicense`, of a group or of a user.
 *
 * @throws DirectoryError 400.
 */
export function parseLicenceChanges(body: Body): {
  readonly addedLicences: readonly Licence[];
  readonly removedIds: readonly string[];
} {
  const { addLicenses, removeLicenses } = body;
  if (!Array.isArray(addLicenses) || !addLicenses.every(isObject))
    throw badRequest('addLicenses must be a list; it may be empty.', 'addLicenses');
  if (!Array.isArray(removeLicenses))
    throw badRequest('removeLicenses must be a list; it may be empty.', 'removeLicenses');
  const addedLicences = addLicenses.map(({ skuId, disabledPlans }) => {
    const plans = disabledPlans ?? [];
    if (!Array.isArray(plans)) throw badRequest('disabledPlans must be a list.', 'addLicenses');
    return {
      skuId: parseLicenceId(skuId, 'addLicenses'),
      disabledPlans: plans.map((plan) => parseLicenceId(plan, 'addLicenses')),
    };
  });
  const removedIds = removeLicenses.map((id) => parseLicenceId(id, 'removeLicenses'));
  const ids = [...addedLicences.map((licence) => licence.skuId), ...removedIds];
  if (new Set(ids).size !== ids.length)
    throw badRequest('Request contains a property with duplicate values.', 'addLicenses');
  return { addedLicences, removedIds };
}

function parseLicenceId(value: unknown, target: string): string {
  if (isGuid(value)) return value.toLowerCase();
  throw badRequest(`'${String(value)}' is not the id of a licence.`, target);
}

/** A licence in the form stored for groups and users. */
export interface Licence {
  /** The id of the product. */
  readonly skuId: string;
  /** The ids of the product's service plans that are not assigned. */
  readonly disabledPlans: readonly string[];
}

/** The licences that are assigned to a user or group. */
export function assignedLicencesOf(body: Body): readonly Licence[] {
  return (body['assignedLicenses'] ?? []) as readonly Licence[];
}

/**
 * Keeps the licences that users get from groups up to date when members are added or removed, and
 * groups or users deleted or restored.
 */
export function syncMemberLicences(directory: Directory): void {
  /** The users of groups that are being deleted, read before their references are deleted. */
  const membersOfDeletedGroups = new Map<string, readonly StoredObject[]>();
  directory.links.listen(async ({ source, relation, target }) => {
    if (
      relation !== 'members' ||
      target.type !== 'user' ||
      assignedLicencesOf(source.body).length === 0
    )
      return;
    await recalculateLicences(directory, target);
    await recordLicenceErrors(directory, source.id);
  });
  directory.objects.listen({
    async beforeRemoval(object) {
      if (object.type === 'group' && assignedLicencesOf(object.body).length > 0)
        membersOfDeletedGroups.set(object.id, await userMembersOf(directory, object));
    },
    async afterRemoval(object) {
      for (const member of membersOfDeletedGroups.get(object.id) ?? [])
        await recalculateLicences(directory, member);
      membersOfDeletedGroups.delete(object.id);
    },
    async afterRestore(object) {
      if (object.type === 'group' && assignedLicencesOf(object.body).length > 0)
        await recalculateMemberLicences(directory, object);
      if (object.type === 'user' && Array.isArray(object.body['licenseAssignmentStates']))
        await recalculateLicences(directory, object);
    },
  });
}

/** Recalculates the licences of all members of a group. Call in a transaction. */
export async function recalculateMemberLicences(
  directory: Directory,
  group: StoredObject,
): Promise<void> {
  for (const member of await userMembersOf(directory, group))
    await recalculateLicences(directory, member);
  await recordLicenceErrors(directory, group.id);
}

async function userMembersOf(directory: Directory, group: StoredObject): Promise<StoredObject[]> {
  const users: StoredObject[] = [];
  for await (const member of directory.links.allTargets(group, 'members'))
    if (member.type === 'user') users.push(member);
  return users;
}

/**
 * Recalculates a user's licences: direct ones, and those of the user's groups. A failed assignment
 * stays failed, and without effect, until it is processed again. Call in a transaction.
 *
 * @param retry processes failed assignments again.
 */
export async function recalculateLicences(
  directory: Directory,
  member: StoredObject,
  retry?: 'retry',
): Promise<void> {
  const user = await directory.objects.getOfType('user', member.id);
  if (!user) return;
  const previousStates = licenceStatesOf(user.body);
  const states = previousStates.filter((state) => (state['assignedByGroup'] ?? null) === null);
  const directLicences = assignedLicencesOf(user.body).filter(
    ({ skuId }) =>
      states.some((state) => state['skuId'] === skuId) || !wasInherited(user.body, skuId),
  );
  const licences = new Map(directLicences.map((licence) => [licence.skuId, licence]));
  for (const group of await directory.links.sources(user, 'members'))
    for (const licence of assignedLicencesOf(group.body)) {
      const failedState = retry
        ? undefined
        : previousStates.find(
            (state) => isFailedState(state, group.id) && state['skuId'] === licence.skuId,
          );
      const now = formatInstant(directory.clock.now());
      const state = failedState ?? {
        ...licence,
        assignedByGroup: group.id,
        state: 'Active',
        error: 'None',
        lastUpdatedDateTime: now,
      };
      states.push(state);
      if (!failedState && !licences.has(licence.skuId)) licences.set(licence.skuId, licence);
    }
  await directory.objects.save(user, {
    ...user.body,
    assignedLicenses: [...licences.values()],
    licenseAssignmentStates: states,
  });
}

/**
 * Records on a group whether one of its licences has failed for a member; filters use it. Call in a
 * write.
 */
export async function recordLicenceErrors(directory: Directory, groupId: string): Promise<void> {
  const group = await directory.objects.getOfType('group', groupId);
  if (!group) return;
  const hasErrors = (await userMembersOf(directory, group)).some((user) =>
    licenceStatesOf(user.body).some((state) => isFailedState(state, group.id)),
  );
  if ((group.body['hasMembersWithLicenseErrors'] ?? false) === hasErrors) return;
  await directory.objects.save(
    group,
    { ...group.body, hasMembersWithLicenseErrors: hasErrors },
    { silent: true },
  );
}

/** The SQL condition that a licence of the group has failed for a user `o`. */
export function licenceErrorCondition(directory: Directory, groupId: string): Fragment {
  if (directory.sql.engine === 'sqlite')
    return sql`exists (select 1 from json_each(o.body, '$.licenseAssignmentStates') as s
      where json_extract(s.value, '$.state') = 'Error' and json_extract(s.value, '$.assignedByGroup') = ${groupId})`;
  return sql`exists (select 1 from jsonb_array_elements(coalesce((o.body)::jsonb -> 'licenseAssignmentStates', '[]'::jsonb)) as s(value)
    where s.value ->> 'state' = 'Error' and s.value ->> 'assignedByGroup' = ${groupId})`;
}

function isFailedState(state: Body, groupId: string): boolean {
  return state['state'] === 'Error' && state['assignedByGroup'] === groupId;
}

/** How each licence of a user is assigned: directly, or by which group. */
export function licenceStatesOf(body: Body): Body[] {
  return (body['licenseAssignmentStates'] ?? []) as Body[];
}

function wasInherited(body: Body, skuId: string): boolean {
  return licenceStatesOf(body).some(
    (state) => state['skuId'] === skuId && (state['assignedByGroup'] ?? null) !== null,
  );
}
