import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import type { SeedEntry, SeedSection } from '../../services/common/seed.js';
import { isDynamic, isUnified } from '../../services/directory/groups/kinds.js';
import { idOfReference } from '../../services/directory/kernel/references.js';
import { seededId } from '../../services/directory/kernel/seeding.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';
import { withAccountDefaults } from '../../services/directory/users/user-rules.js';
import type {
  ApplicationRecord,
  DirectorySnapshot,
  GroupRecord,
  PersonRecord,
  ReadPart,
  RoleRecord,
  ServicePrincipalRecord,
} from './records.js';

/** What tokens and answers name of a person, beside what rules read. */
const ofTokens = ['userPrincipalName', 'displayName', 'mail', 'givenName', 'surname', 'jobTitle', 'userType', 'accountEnabled'];
const readByRules = new Set([...ofTokens, ...rulePropertyNames('user').map((name) => apiPropertyOf('user', name)), 'mailNickname']);

/** Reads the directory's part of a seed, in one part or many, keeping only what decides who gets in. */
export function directoryFromSeed(parts: Iterable<SeedSection>, source: string, ofTenant?: string): DirectorySnapshot {
  const people: PersonRecord[] = [];
  const groups: GroupRecord[] = [];
  const applications: ApplicationRecord[] = [];
  const servicePrincipals: ServicePrincipalRecord[] = [];
  const roles: RoleRecord[] = [];
  const texts = new Map<string, string>();
  let read: ReadPart | undefined;
  for (const part of parts) {
    for (const entry of part.snapshot ?? []) read = readPartOf(entry);
    for (const entry of part.users ?? []) people.push(personOf(entry, texts));
    for (const entry of part.groups ?? []) groups.push(groupOf(entry));
    for (const entry of part.applications ?? []) applications.push(applicationOf(entry));
    for (const entry of part.servicePrincipals ?? []) servicePrincipals.push(servicePrincipalOf(entry));
    for (const entry of part.directoryRoles ?? []) roles.push(roleOf(entry));
  }
  const tenantId = ofTenant ?? read?.tenantId;
  return {
    source,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(read === undefined ? {} : { part: read }),
    people,
    groups,
    applications,
    servicePrincipals,
    roles,
  };
}

function readPartOf({ people, properties, directReportsOf, named, tenantId }: SeedEntry): ReadPart {
  const texts = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
  return {
    people: people === 'all' ? 'all' : 'named',
    properties: texts(properties),
    directReportsOf: texts(directReportsOf),
    ...(typeof tenantId === 'string' ? { tenantId } : {}),
    named: new Map(Object.entries(named ?? {}).map(([hash, id]) => [hash, String(id)])),
  };
}

function personOf(entry: SeedEntry, texts: Map<string, string>): PersonRecord {
  const id = idOf('users', entry);
  const all = withAccountDefaults(entry, id);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(all)) {
    const value = all[name];
    if (value === null || value === undefined) continue;
    if (readByRules.has(name) || name.startsWith('extension_')) body[name] = typeof value === 'string' ? kept(value, name, texts) : value;
  }
  const manager = entry['manager'] === undefined ? undefined : referenceOf(entry['manager']);
  return { id, body, ...(manager === undefined ? {} : { managerId: manager }) };
}

/** Values that many people share are kept once. */
function kept(value: string, name: string, texts: Map<string, string>): string {
  if (name === 'userPrincipalName' || name === 'mail' || name === 'displayName' || name === 'mailNickname') return value;
  const known = texts.get(value);
  if (known !== undefined) return known;
  if (texts.size < 100_000) texts.set(value, value);
  return value;
}

function groupOf(entry: SeedEntry): GroupRecord {
  const rule = entry['membershipRule'];
  const state = entry['membershipRuleProcessingState'];
  const processed = isDynamic(entry) && typeof rule === 'string' && (state === undefined || String(state).toLowerCase() === 'on');
  return {
    id: idOf('groups', entry),
    displayName: textOf(entry['displayName']) ?? idOf('groups', entry),
    ...optional('mailNickname', textOf(entry['mailNickname'])),
    ...optional('uniqueName', textOf(entry['uniqueName'])),
    securityEnabled: entry['securityEnabled'] !== false,
    unified: isUnified(entry),
    ...(processed ? { rule } : {}),
    public: entry['visibility'] === 'Public' || (entry['visibility'] === undefined && isUnified(entry)),
    members: referencesOf(entry, 'members'),
    owners: referencesOf(entry, 'owners'),
    isAssignableToRole: entry['isAssignableToRole'] === true,
  };
}

function applicationOf(entry: SeedEntry): ApplicationRecord {
  return {
    appId: textOf(entry['appId']) ?? idOf('applications', entry),
    displayName: textOf(entry['displayName']) ?? '',
    groupMembershipClaims: textOf(entry['groupMembershipClaims']),
    owners: referencesOf(entry, 'owners'),
  };
}

function servicePrincipalOf(entry: SeedEntry): ServicePrincipalRecord {
  const assigned = entry['appRoleAssignedTo'];
  const id = idOf('servicePrincipals', entry);
  return {
    id,
    appId: textOf(entry['appId']) ?? id,
    displayName: textOf(entry['displayName']) ?? id,
    assignmentRequired: entry['appRoleAssignmentRequired'] === true,
    assigned: Array.isArray(assigned) ? assigned.map((each: SeedEntry) => String(each['principalId']).toLowerCase()) : [],
    owners: referencesOf(entry, 'owners'),
  };
}

function roleOf(entry: SeedEntry): RoleRecord {
  return {
    templateId: textOf(entry['roleTemplateId']) ?? '',
    displayName: textOf(entry['displayName']) ?? '',
    members: referencesOf(entry, 'members'),
  };
}

/** The id of an entry, as the directory gives it. */
function idOf(list: string, entry: SeedEntry): string {
  return typeof entry['id'] === 'string' ? entry['id'].toLowerCase() : seededId(list, entry);
}

function referencesOf(entry: SeedEntry, relation: string): string[] {
  const listed = entry[relation] ?? entry[`${relation}@odata.bind`] ?? [];
  return (Array.isArray(listed) ? listed : [listed]).map(referenceOf);
}

/** An id or user principal name in lower case: of an address, an object with an id, or the text itself. */
function referenceOf(reference: unknown): string {
  return idOfReference(typeof reference === 'object' && reference !== null ? (reference as { id?: unknown }).id : reference).toLowerCase();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function optional<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}
