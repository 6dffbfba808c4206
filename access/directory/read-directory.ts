import type { DirectoryClient } from '../../clients/directory/index.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import type { SeedEntry, SeedLists } from '../../services/common/seed.js';
import { roleTemplateIds } from '../../services/directory/authorization/directory-roles.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';
import { controllingRoles } from '../answer/controllers.js';
import { type DirectoryScope, userPropertiesInRule } from './directory-scope.js';
import { readApplications } from './read/applications.js';
import { GroupReader } from './read/groups.js';
import { managersIn, type PeopleToRead, readUsersAndServicePrincipals } from './read/people.js';
import { CollectedPrincipals, undefinedIfEmpty } from './read/collected-principals.js';
import { countUnreadGroups } from './read/unread-groups.js';

/** What {@link readDirectory} reads of a directory. */
export interface ReadDirectoryOptions {
  readonly scope: DirectoryScope;
  /**
   * Everything, as for a sandbox; or the objects of the scope, nested groups, groups that have a
   * role of an application, and all people if a rule or an app applies to everyone.
   */
  readonly coverage: 'everything' | 'scope';
  /** Properties of people to read in addition to those that rules use, for future rules. */
  readonly properties?: readonly string[];
  /** The directory's tenant, if known. */
  readonly tenantId?: string | undefined;
  /** The current time in milliseconds since 1970, for rules. */
  readonly now: number;
}

/**
 * Reads a directory through its API, page by page, as the lists of a seed file, which is the form
 * of snapshots and the input of decisions. If it does not read everything, the list `snapshot` says
 * what was read. Read permissions suffice: User.Read.All, GroupMember.Read.All,
 * Application.Read.All; RoleManagement.Read.Directory for role members.
 */
export async function readDirectory(
  client: DirectoryClient,
  options: ReadDirectoryOptions,
): Promise<SeedLists> {
  const { scope, coverage, tenantId, now } = options;
  const readsEverything = coverage === 'everything';
  const principals = new CollectedPrincipals();
  const applications = await readApplications(
    client,
    {
      namesOrClientIds: readsEverything ? undefined : scope.applications,
      requiresRoles: scope.requiresRoles,
    },
    principals,
  );
  const groups = new GroupReader(client, scope, principals);
  await groups.read(coverage);
  const people = peopleToRead(options, groups);
  await readUsersAndServicePrincipals(client, people, principals);
  const roles = await readRoles(client, principals);
  const users = [...principals.users.values()];
  const unreadGroups = readsEverything
    ? {}
    : await countUnreadGroups(client, { users, groups: groups.groups, rules: groups.rules, now });
  const lists = {
    snapshot: readsEverything ? undefined : [{ ...snapshotEntry(people, tenantId), unreadGroups }],
    users,
    groups: [...groups.groups.values()],
    applications: [...applications.values()],
    servicePrincipals: [...principals.servicePrincipals.values()],
    directoryRoles: undefinedIfEmpty(roles),
  };
  return omitUndefined(lists);
}

/** Everyone if a rule or an app applies to everyone; otherwise those whom the scope names. */
function peopleToRead(options: ReadDirectoryOptions, { rules }: GroupReader): PeopleToRead {
  const { scope, coverage, properties = [] } = options;
  const readsEverything = coverage === 'everything';
  const appliesToAll = rules.some(
    ({ kind, subject }) => kind === 'expression' && subject === 'user',
  );
  return {
    isEveryoneRead: readsEverything || scope.includesEveryone || appliesToAll,
    idsOrNames: scope.people,
    managers: managersIn(rules),
    properties: readsEverything
      ? everyRuleProperty()
      : [...rules.flatMap(userPropertiesInRule), ...properties],
  };
}

/** The entry of a snapshot that says what was read. */
function snapshotEntry(people: PeopleToRead, tenantId: string | undefined): SeedEntry {
  const alwaysRead = ['accountEnabled', 'displayName', 'mail', 'userPrincipalName', 'userType'];
  return {
    people: people.isEveryoneRead ? 'all' : 'named',
    properties: [...new Set([...people.properties, ...alwaysRead])].sort(),
    directReportsOf: people.managers,
    permissions: true,
    ...omitUndefined({ tenantId }),
  };
}

/** The members of roles that may change groups, registrations or people. */
async function readRoles(
  client: DirectoryClient,
  principals: CollectedPrincipals,
): Promise<readonly SeedEntry[]> {
  const templateIds = new Set<string>(controllingRoles.map((role) => roleTemplateIds[role]));
  const roles: SeedEntry[] = [];
  for await (const { id, roleTemplateId, displayName } of client.directoryRoles.list()) {
    if (!templateIds.has(String(roleTemplateId).toLowerCase())) continue;
    const members: string[] = [];
    for await (const member of client.directoryRoles.members.list(id)) {
      principals.addReferenced(member);
      members.push(member.id);
    }
    if (members.length > 0) roles.push({ roleTemplateId, displayName, members });
  }
  return roles;
}

/** The properties of people that rules may ask, as the service names them. */
function everyRuleProperty(): readonly string[] {
  const names = rulePropertyNames('user').map((name) => apiPropertyOf('user', name));
  return [...new Set(names)].filter((name) => name !== 'objectId');
}
