import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import { directoryAppId } from '../../services/directory/service-principals/well-known-permissions.js';
import type { SeedEntry, SeedLists } from '../../services/common/seed.js';
import { isDynamic, isUnified } from '../../services/directory/groups/group-kinds.js';
import { idOfReference } from '../../services/directory/kernel/references.js';
import { validatedId, derivedSeedId } from '../../services/directory/kernel/seeding.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';
import {
  duplicateNameError,
  withAccountDefaults,
} from '../../services/directory/users/user-rules.js';
import type { GroupCounts } from '../token-claims.js';
import { unknownSource, grantsGroupReading } from './group-read-permissions.js';
import type {
  ApplicationRecord,
  DirectorySnapshot,
  GroupRecord,
  PersonRecord,
  DirectoryCoverage,
  RoleRecord,
  ServicePrincipalRecord,
} from './records.js';

/** The properties of a person that tokens and answers use. */
const tokenProperties = [
  'userPrincipalName',
  'displayName',
  'mail',
  'givenName',
  'surname',
  'jobTitle',
  'userType',
  'accountEnabled',
];
/** The properties of a person that are kept: in tokens and answers, and those that rules read. */
const keptProperties = new Set([
  ...tokenProperties,
  ...rulePropertyNames('user').map((name) => apiPropertyOf('user', name)),
  'mailNickname',
]);

/**
 * Reads the directory's lists of a seed, in one part or many, keeping only what decides who gets
 * in. As in the directory, the first entry of a person or group counts, and members add up.
 *
 * @throws CAS4002 for mistakes that the directory also refuses: invalid ids, unknown references, a
 *   name of two people.
 */
export function directoryFromSeed(
  parts: Iterable<SeedLists>,
  source: string,
  knownTenantId?: string,
): DirectorySnapshot {
  const people: PersonRecord[] = [];
  const personIndexes = new Map<string, number>();
  const groups = new Map<string, GroupRecord>();
  const applications: ApplicationRecord[] = [];
  const servicePrincipals: ServicePrincipalRecord[] = [];
  const roles: RoleRecord[] = [];
  const internedTexts = new Map<string, string>();
  let coverage: DirectoryCoverage | undefined;
  for (const part of parts) {
    for (const entry of part.snapshot ?? []) coverage = coverageOf(entry);
    for (const entry of part.users ?? []) {
      const person = personOf(entry, internedTexts, coverage);
      const name = person.body.userPrincipalName?.toLowerCase();
      const otherIndex = name === undefined ? undefined : personIndexes.get(name);
      if (personIndexes.has(person.id) || (otherIndex !== undefined && entry['id'] === undefined))
        continue;
      if (otherIndex !== undefined)
        throw duplicateNameError(
          person.body.userPrincipalName ?? '',
          people[otherIndex]?.id ?? '',
          person.id,
        );
      for (const key of [person.id, ...(name === undefined ? [] : [name])])
        personIndexes.set(key, people.length);
      people.push(person);
    }
    for (const entry of part.groups ?? []) {
      const group = groupOf(entry);
      const earlierGroup = groups.get(group.id);
      const mergedIds = (relation: 'members' | 'owners') => [
        ...new Set([...(earlierGroup?.[relation] ?? []), ...group[relation]]),
      ];
      groups.set(
        group.id,
        earlierGroup === undefined
          ? group
          : { ...earlierGroup, members: mergedIds('members'), owners: mergedIds('owners') },
      );
    }
    for (const entry of part.applications ?? []) applications.push(applicationOf(entry));
    for (const entry of part.servicePrincipals ?? [])
      servicePrincipals.push(servicePrincipalOf(entry));
    for (const entry of part.directoryRoles ?? []) roles.push(roleOf(entry));
  }
  const tenantId = knownTenantId ?? coverage?.tenantId;
  return {
    source,
    ...omitUndefined({ tenantId, coverage }),
    people,
    personIndexes,
    groups: [...groups.values()],
    applications,
    servicePrincipals,
    roles,
  };
}

/** An empty directory, in which everything is unknown. */
export const emptyDirectory = directoryFromSeed([], unknownSource);

function coverageOf(entry: SeedEntry): DirectoryCoverage {
  const { people, properties, directReportsOf, named, tenantId, permissions, unreadGroups } = entry;
  const textList = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.map(String) : [];
  return {
    people: people === 'all' ? 'all' : 'named',
    properties: textList(properties),
    directReportsOf: textList(directReportsOf),
    permissions: permissions === true,
    unreadGroups: new Map(
      Object.entries(unreadGroups ?? {}).map(([id, counts]) => [
        id.toLowerCase(),
        countsOf(counts),
      ]),
    ),
    ...(typeof tenantId === 'string' && { tenantId }),
    idsByNameHash: new Map(Object.entries(named ?? {}).map(([hash, id]) => [hash, String(id)])),
  };
}

/** Checks counts, since wrong ones would decide wrongly whether a token lists groups. */
function countsOf(counts: unknown): GroupCounts {
  const { all, security } = Object(counts) as Readonly<Record<string, unknown>>;
  if (isCount(all) && isCount(security)) return { all, security };
  throw new CastellanError(
    'CAS4002',
    `snapshot.unreadGroups: ${JSON.stringify(counts)} is not two counts, such as { "all": 3, "security": 1 }`,
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function personOf(
  entry: SeedEntry,
  internedTexts: Map<string, string>,
  coverage: DirectoryCoverage | undefined,
): PersonRecord {
  const id = idOf('users', entry);
  const properties = withAccountDefaults(entry, id);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    const value = properties[name];
    if (value === null || value === undefined) continue;
    if (!keptProperties.has(name) && !name.startsWith('extension_')) continue;
    const isText =
      typeof value === 'string' || (tokenProperties.includes(name) && name !== 'accountEnabled');
    body[name] = isText
      ? intern(typeof value === 'string' ? value : JSON.stringify(value), name, internedTexts)
      : value;
  }
  const manager =
    entry['manager'] === undefined ? undefined : referenceOf('users', entry['manager']);
  const unreadGroups = coverage?.unreadGroups.get(id);
  return { id, body, ...omitUndefined({ managerId: manager, unreadGroups }) };
}

/** Values that many people share are stored once. */
function intern(value: string, name: string, internedTexts: Map<string, string>): string {
  if (
    name === 'userPrincipalName' ||
    name === 'mail' ||
    name === 'displayName' ||
    name === 'mailNickname'
  )
    return value;
  const interned = internedTexts.get(value);
  if (interned !== undefined) return interned;
  if (internedTexts.size < 100_000) internedTexts.set(value, value);
  return value;
}

function groupOf(entry: SeedEntry): GroupRecord {
  const rule = entry['membershipRule'];
  const state = entry['membershipRuleProcessingState'];
  const isProcessed =
    isDynamic(entry) &&
    typeof rule === 'string' &&
    (state === undefined || String(state).toLowerCase() === 'on');
  return {
    id: idOf('groups', entry),
    displayName: textOrUndefined(entry['displayName']) ?? idOf('groups', entry),
    ...optionalProperty('mailNickname', textOrUndefined(entry['mailNickname'])),
    ...optionalProperty('uniqueName', textOrUndefined(entry['uniqueName'])),
    securityEnabled: entry['securityEnabled'] !== false,
    isUnified: isUnified(entry),
    ...(isProcessed && { rule }),
    isPublic:
      entry['visibility'] === 'Public' || (entry['visibility'] === undefined && isUnified(entry)),
    members: referencesOf('groups', entry, 'members'),
    owners: referencesOf('groups', entry, 'owners'),
    isAssignableToRole: entry['isAssignableToRole'] === true,
  };
}

function applicationOf(entry: SeedEntry): ApplicationRecord {
  return {
    appId: textOrUndefined(entry['appId']) ?? idOf('applications', entry),
    displayName: textOrUndefined(entry['displayName']) ?? '',
    groupMembershipClaims: textOrUndefined(entry['groupMembershipClaims']),
    owners: referencesOf('applications', entry, 'owners'),
  };
}

function servicePrincipalOf(entry: SeedEntry): ServicePrincipalRecord {
  const id = idOf('servicePrincipals', entry);
  const appId = textOrUndefined(entry['appId']) ?? id;
  const assignedTo = entry['appRoleAssignedTo'];
  const assignments = (Array.isArray(assignedTo) ? assignedTo : []).map(
    (each: SeedEntry | null) => ({
      principal: referenceOf('servicePrincipals: appRoleAssignedTo', each?.['principalId']),
      role: String(each?.['appRoleId'] ?? ''),
    }),
  );
  const readers =
    appId.toLowerCase() === directoryAppId
      ? assignments.filter(({ role }) => grantsGroupReading(role))
      : [];
  return {
    id,
    appId,
    displayName: textOrUndefined(entry['displayName']) ?? id,
    isEnabled: entry['accountEnabled'] !== false,
    assignmentRequired: entry['appRoleAssignmentRequired'] === true,
    assignedIds: assignments.map(({ principal }) => principal),
    groupReaders: readers.map(({ principal }) => principal),
    owners: referencesOf('servicePrincipals', entry, 'owners'),
  };
}

function roleOf(entry: SeedEntry): RoleRecord {
  return {
    templateId: textOrUndefined(entry['roleTemplateId']) ?? '',
    displayName: textOrUndefined(entry['displayName']) ?? '',
    members: referencesOf('directoryRoles', entry, 'members'),
  };
}

/** The id of an entry, as the directory gives it. */
function idOf(list: string, entry: SeedEntry): string {
  return validatedId(list, entry) ?? derivedSeedId(list, entry);
}

function referencesOf(list: string, entry: SeedEntry, relation: string): string[] {
  const references = entry[relation] ?? entry[`${relation}@odata.bind`] ?? [];
  return (Array.isArray(references) ? references : [references]).map((each) =>
    referenceOf(`${list}: ${relation}`, each),
  );
}

/**
 * An id or user principal name in lower case: of an address, an object with an id, or the text
 * itself.
 */
function referenceOf(where: string, reference: unknown): string {
  const text =
    typeof reference === 'object' && reference !== null
      ? (reference as { id?: unknown }).id
      : reference;
  try {
    return idOfReference(text).toLowerCase();
  } catch (cause) {
    const json = JSON.stringify(reference) as string | undefined;
    throw new CastellanError(
      'CAS4002',
      `${where}: ${json ?? 'nothing'} is no id, user principal name or address of an object`,
      { cause },
    );
  }
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function optionalProperty<Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}
