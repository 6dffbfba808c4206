import { isServiceError } from '../../clients/common/index.js';
import type { DirectoryClient, DirectoryObject } from '../../clients/directory/index.js';
import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import type { SeedEntry, SeedSection } from '../../services/common/seed.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';

/** What is read of a directory service. */
export interface ReadScope {
  /** Ids of the groups that are asked about, with those inside them; `all` for every group. */
  readonly groups: 'all' | readonly string[];
  /** Ids of the people who are asked about besides members; `all` for everyone: rules, and apps that let a whole tenant in, need it. */
  readonly people: 'all' | readonly string[];
  /** Properties of people, beside the usual ones, that rules ask. */
  readonly properties: readonly string[];
  /** Whether holders of directory roles are read. */
  readonly roles: boolean;
}

const ofPeople = ['id', 'userPrincipalName', 'displayName', 'mail', 'mailNickname', 'userType', 'accountEnabled', 'department', 'jobTitle'];
const ofGroups = ['id', 'displayName', 'mailNickname', 'uniqueName', 'mailEnabled', 'securityEnabled', 'groupTypes', 'membershipRule'];
const moreOfGroups = ['membershipRuleProcessingState', 'visibility', 'isAssignableToRole'];
/** Groups whose members are asked for at the same time. */
const together = 8;

/**
 * Reads a directory over its interface, page by page, as the lists of a seed file: what a snapshot keeps and what answers are made from.
 * Read permissions suffice: User.Read.All, GroupMember.Read.All, Application.Read.All; RoleManagement.Read.Directory for holders of roles.
 */
export async function readService(directory: DirectoryClient, scope: ReadScope): Promise<SeedSection> {
  const select = [...new Set([...ofPeople, ...scope.properties])];
  const people = new Map<string, SeedEntry>();
  const groups = await readGroups(directory, scope, people, select);
  if (scope.people === 'all') for await (const user of directory.users.list({ select, pageSize: 999 })) people.set(user.id, entryOf(user));
  else
    for (const id of scope.people) {
      const user = people.has(id) ? undefined : await unlessGone(() => directory.users.get(id, { select }));
      if (user !== undefined) people.set(user.id, entryOf(user));
    }
  const applications: SeedEntry[] = [];
  for await (const each of directory.applications.list({ select: ['id', 'appId', 'displayName', 'groupMembershipClaims'] }))
    applications.push({ ...entryOf(each), owners: await idsOf(directory.applications.owners.list(each.id)) });
  const servicePrincipals: SeedEntry[] = [];
  const known = new Set(applications.map(({ appId }) => appId));
  for await (const each of directory.servicePrincipals.list({ select: ['id', 'appId', 'displayName', 'appRoleAssignmentRequired'] })) {
    const assigned: SeedEntry[] = [];
    if (known.has(each.appId))
      for await (const { principalId, appRoleId } of directory.servicePrincipals.appRoleAssignedTo.list(each.id))
        assigned.push({ principalId, appRoleId });
    servicePrincipals.push({ ...entryOf(each), ...(assigned.length === 0 ? {} : { appRoleAssignedTo: assigned }) });
  }
  const directoryRoles = scope.roles ? await readRoles(directory) : [];
  return {
    users: [...people.values()],
    groups,
    applications,
    servicePrincipals,
    ...(directoryRoles.length === 0 ? {} : { directoryRoles }),
  };
}

async function readGroups(
  directory: DirectoryClient,
  { groups: wanted }: ReadScope,
  people: Map<string, SeedEntry>,
  select: readonly string[],
): Promise<SeedEntry[]> {
  const groups = new Map<string, SeedEntry>();
  const ofEach = [...ofGroups, ...moreOfGroups];
  const queue: string[] = [];
  if (wanted === 'all') {
    for await (const group of directory.groups.list({ select: ofEach, pageSize: 999 })) {
      groups.set(group.id, entryOf(group));
      queue.push(group.id);
    }
  } else
    for (const id of wanted) {
      const group = await unlessGone(() => directory.groups.get(id, { select: ofEach }));
      if (group === undefined) continue;
      groups.set(group.id, entryOf(group));
      queue.push(group.id);
    }
  const read = async (id: string): Promise<void> => {
    const group = groups.get(id);
    const owners = await idsOf(directory.groups.owners.list(id));
    const isRuled = Array.isArray(group?.['groupTypes']) && group['groupTypes'].includes('DynamicMembership');
    const members: string[] = [];
    if (!isRuled || group?.['membershipRuleProcessingState'] !== 'On')
      for await (const member of directory.groups.members.list(id, { select: [...select, ...ofEach] })) {
        members.push(member.id);
        const type = member['@odata.type'] ?? '';
        if (type.endsWith('.user')) people.set(member.id, entryOf(member));
        if (type.endsWith('.group') && !groups.has(member.id)) {
          groups.set(member.id, entryOf(member));
          queue.push(member.id);
        }
      }
    groups.set(id, { ...group, ...(members.length === 0 ? {} : { members }), ...(owners.length === 0 ? {} : { owners }) });
  };
  while (queue.length > 0) await Promise.all(queue.splice(0, together).map(read));
  return [...groups.values()];
}

async function readRoles(directory: DirectoryClient): Promise<SeedEntry[]> {
  const roles: SeedEntry[] = [];
  for await (const role of directory.directoryRoles.list()) {
    const members = await idsOf(directory.directoryRoles.members.list(role.id));
    if (members.length > 0) roles.push({ roleTemplateId: role.roleTemplateId, displayName: role.displayName, members });
  }
  return roles;
}

async function idsOf(objects: AsyncIterable<DirectoryObject>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objects) ids.push(id);
  return ids;
}

/** An object without annotations and what isn't set. */
function entryOf(object: object): SeedEntry {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) => !name.startsWith('@') && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isServiceError(error, 404)) return undefined;
    throw error;
  }
}

/** The properties of people that rules may ask, as the service names them. */
export function ruleProperties(): string[] {
  const names = rulePropertyNames('user').map((name) => apiPropertyOf('user', name));
  return [...new Set(names)].filter((name) => name !== 'objectId');
}
