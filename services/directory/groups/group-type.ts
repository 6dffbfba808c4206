import { objectConflict, DirectoryError } from '../http/answers.js';
import type { Stores } from '../store/stores.js';
import { group } from '../../../kinds/group/group.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { propertiesOfKind, type ObjectType } from '../kernel/object-type.js';
import { canSeeMembers } from '../membership/hidden-memberships.js';
import { groupQueryRules } from './group-queries.js';
import type { Body } from '../store/objects.js';
import { requireGroupWriterRole } from '../authorization/access.js';
import { groupWriterRoles } from '../authorization/directory-roles.js';
import { requireRoleManagement } from './role-management.js';
import { isManagedByApi, isDynamic, isUnified } from './group-kinds.js';

/** The directory's permissions to read groups. */
export const groupReadPermissions = [
  'GroupMember.Read.All',
  'GroupMember.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
] as const;

/** The lookup value of groups and units whose membership rule is processed. */
export const dynamicLookupKey = 'dynamic';
/** The lookup value of dynamic groups and units with paused processing. */
export const pausedLookupKey = 'dynamic-paused';

/**
 * The group type (Directory rules, "Group properties" and "Group relationships"); its properties
 * are in the description of its kind.
 */
export const groupType: ObjectType = {
  name: 'group',
  collection: 'groups',
  alternateKeys: { uniqueName: 'unique_name' },
  isOpenType: true,
  queryRules: groupQueryRules,
  binds: ['owners', 'members'],
  readPermissions: groupReadPermissions,
  writePermissions: ['Group.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: groupWriterRoles,
  softDelete: isManagedByApi,
  authorizeRestore: (caller, body) =>
    body['isAssignableToRole'] === true
      ? requireRoleManagement(caller)
      : requireGroupWriterRole(caller),
  checkRestore: async (directory, body) => {
    await checkNicknameFree(directory, body);
    await checkUniqueNameFree(directory, body['uniqueName']);
  },
  lookupValues: (body) => ({
    alternateKey: isDynamic(body)
      ? membershipLookupKey(body['membershipRuleProcessingState'])
      : undefined,
  }),
  properties: propertiesOfKind(group),
  navigations: {
    members: { relations: ['members'], direction: 'out', mayFollow: canSeeMembers },
    owners: { relations: ['owners'], direction: 'out' },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    acceptedSenders: { relations: ['acceptedSenders'], direction: 'out' },
    rejectedSenders: { relations: ['rejectedSenders'], direction: 'out' },
    createdOnBehalfOf: { relations: ['createdOnBehalfOf'], direction: 'out', single: true },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
  },
  computed: (body, _id, now) => ({ accessType: accessTypeOf(body), ...licenceState(body, now) }),
};

/**
 * The lookup value by which a change of a user or device finds what has a membership rule.
 *
 * @param state its `membershipRuleProcessingState`.
 */
export function membershipLookupKey(state: unknown): string {
  return state === 'On' ? dynamicLookupKey : pausedLookupKey;
}

/** The `accessType` of a group: the stored one, or the one that follows from its visibility. */
function accessTypeOf(body: Body): unknown {
  if (typeof body['accessType'] === 'string') return body['accessType'];
  if (!isUnified(body)) return 'none';
  const visibility = String(body['visibility'] ?? 'Public').toLowerCase();
  return { public: 'public', private: 'private', hiddenmembership: 'secret' }[visibility] ?? 'none';
}

/** How long a licence change is queued, and then processed. */
const licenceProcessing = { queuedMilliseconds: 1_000, inProgressMilliseconds: 1_000 } as const;

/**
 * The state of a group's licence processing, by the time since its licences changed; no property if
 * they never did.
 */
function licenceState(body: Body, now: Date): { licenseProcessingState?: string } {
  const changedAt = body['licensesChangedAt'];
  if (typeof changedAt !== 'string') return {};
  const elapsed = now.getTime() - Date.parse(changedAt);
  const { queuedMilliseconds, inProgressMilliseconds } = licenceProcessing;
  if (elapsed < queuedMilliseconds) return { licenseProcessingState: 'QueuedForProcessing' };
  return {
    licenseProcessingState:
      elapsed < queuedMilliseconds + inProgressMilliseconds
        ? 'ProcessingInProgress'
        : 'ProcessingComplete',
  };
}

/**
 * The security identifier of an object id: `S-1-12-1-` and the id's four little-endian 32-bit
 * numbers.
 */
export function securityIdentifier(id: string): string {
  const hex = id.replaceAll('-', '');
  const bytes = Buffer.from(hex, 'hex');
  // The first three fields of a GUID are little-endian in its binary form, the others big-endian.
  const binary = Buffer.concat([
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
    bytes.subarray(8),
  ]);
  return `S-1-12-1-${[0, 4, 8, 12].map((offset) => binary.readUInt32LE(offset)).join('-')}`;
}

/** Nicknames are unique among live mail-enabled groups. @throws DirectoryError 400. */
export async function checkNicknameFree(
  directory: Stores,
  group: Body,
  ownId?: string,
): Promise<void> {
  if (!isUnified(group)) return;
  const others = await directory.objects.findBy(
    'group',
    'mail_nickname',
    String(group['mailNickname']),
  );
  const other = others.find((each) => each.id !== ownId && each.body['mailEnabled'] === true);
  if (other)
    throw objectConflict(
      'Another object with the same value for property mailNickname already exists. ' +
        'A conflicting object with one or more of the specified property values is present in the directory.',
      'mailNickname',
    );
}

/** @throws DirectoryError 400 when another group has this unique name. */
export async function checkUniqueNameFree(directory: Stores, uniqueName: unknown): Promise<void> {
  if (typeof uniqueName !== 'string') return;
  const [other] = await directory.objects.findBy('group', 'unique_name', uniqueName);
  if (other)
    throw new DirectoryError(
      400,
      'Request_MultipleObjectsWithSameKeyValue',
      'Another object with the same value for property uniqueName already exists.',
      [{ code: 'ObjectConflict', target: 'uniqueName', message: 'The unique name is taken.' }],
    );
}
