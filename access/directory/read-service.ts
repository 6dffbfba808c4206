import { isGuid } from '../../core/values/guid.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  type DirectoryClient,
  type DirectoryObject,
  quote,
} from '../../clients/directory/index.js';
import { type MembershipRule, parseMembershipRule } from '../../kinds/membership-rule/index.js';
import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import type { SeedEntry, SeedSection } from '../../services/common/seed.js';
import { directoryRoles } from '../../services/directory/authorization/directory-roles.js';
import { isDynamic } from '../../services/directory/groups/kinds.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';
import { controllingRoles } from '../answer/controllers.js';
import { propertiesOf, type DirectoryScope } from './wanted.js';

const ofPeople = ['id', 'userPrincipalName', 'displayName', 'mail', 'userType', 'accountEnabled'];
const ofGroups = [
  ...[
    'id',
    'displayName',
    'mailNickname',
    'uniqueName',
    'mailEnabled',
    'securityEnabled',
    'groupTypes',
    'membershipRule',
  ],
  ...['membershipRuleProcessingState', 'visibility', 'isAssignableToRole'],
];
const ofApplications = ['id', 'appId', 'displayName', 'groupMembershipClaims'];
const ofServicePrincipals = ['id', 'appId', 'displayName', 'appRoleAssignmentRequired'];
const ofMembers = [...new Set([...ofPeople, ...ofGroups, 'appId'])];
const pageSize = 999;
/** How many groups' members are requested concurrently. */
const concurrency = 8;

/** How much of a directory to read. */
export interface ReadScope {
  readonly scope: DirectoryScope;
  /**
   * Everything, as for a sandbox; or the objects of the scope, nested groups, and all people if a
   * rule or an app applies to everyone.
   */
  readonly extent: 'everything' | 'wanted';
  /** Properties of people to read in addition to those that rules use, for future rules. */
  readonly properties?: readonly string[];
  /** The directory's tenant, if known. */
  readonly tenantId?: string | undefined;
}

/**
 * Reads a directory through its API, page by page, as the lists of a seed file, which is the form
 * of snapshots and the input of decisions. If it does not read everything, the list `snapshot` says
 * what was read. Read permissions suffice: User.Read.All, GroupMember.Read.All,
 * Application.Read.All; RoleManagement.Read.Directory for role members.
 */
export async function readService(
  directory: DirectoryClient,
  scope: ReadScope,
): Promise<SeedSection> {
  const reading = new Reading(directory, scope);
  await reading.groups();
  await reading.people();
  await reading.applications();
  await reading.roles();
  return reading.read();
}

class Reading {
  readonly #users = new Map<string, SeedEntry>();
  readonly #groups = new Map<string, SeedEntry>();
  /** The ids of groups whose members are still to be read. */
  readonly #unread: string[] = [];
  readonly #applications = new Map<string, SeedEntry>();
  readonly #servicePrincipals = new Map<string, SeedEntry>();
  readonly #roles: SeedEntry[] = [];
  readonly #rules: MembershipRule[];
  readonly #all: boolean;

  constructor(
    private readonly directory: DirectoryClient,
    private readonly scope: ReadScope,
  ) {
    this.#all = scope.extent === 'everything';
    this.#rules = [...scope.scope.rules];
  }

  /** What was read, as a seed. */
  read(): SeedSection {
    const { tenantId } = this.scope;
    const isWhole = this.#all || this.#asksEveryone();
    const properties = [
      ...new Set([
        ...this.#properties(),
        'accountEnabled',
        'displayName',
        'mail',
        'userPrincipalName',
        'userType',
      ]),
    ].sort();
    return {
      ...(this.#all
        ? {}
        : {
            snapshot: [
              {
                people: isWhole ? 'all' : 'named',
                properties,
                directReportsOf: this.#managers(),
                ...omitUndefined({ tenantId }),
              },
            ],
          }),
      users: [...this.#users.values()],
      groups: [...this.#groups.values()],
      applications: [...this.#applications.values()],
      servicePrincipals: [...this.#servicePrincipals.values()],
      ...(this.#roles.length === 0 ? {} : { directoryRoles: this.#roles }),
    };
  }

  /** Groups, nested groups, and those in memberOf rules. */
  async groups(): Promise<void> {
    if (this.#all) await this.#addGroups();
    else await this.#addWantedGroups();
    for (const rule of this.#rules) await this.#addSourcesOf(rule);
    // reading a group adds nested groups to the queue
    while (this.#unread.length > 0)
      await Promise.all(
        this.#unread.splice(0, concurrency).map((id) => this.#readMembersAndOwners(id)),
      );
  }

  async #addGroups(filter?: string): Promise<void> {
    const query = { select: ofGroups, ...(filter === undefined ? { pageSize } : { filter }) };
    for await (const group of this.directory.groups.list(query)) this.#addGroup(group);
  }

  async #addWantedGroups(): Promise<void> {
    for (const idOrName of this.scope.scope.groups)
      if (isGuid(idOrName)) await this.#addGroupById(idOrName);
      else await this.#addGroups(`displayName eq ${quote(idOrName)}`);
  }

  /** Adds the groups that a memberOf rule names. */
  async #addSourcesOf(rule: MembershipRule): Promise<void> {
    if (rule.kind === 'memberOf') for (const id of rule.groupIds) await this.#addGroupById(id);
  }

  async #addGroupById(id: string): Promise<void> {
    if (this.#groups.has(id)) return;
    const group = await this.directory.groups.find(id, { select: ofGroups });
    if (group !== undefined) this.#addGroup(group);
  }

  #addGroup(group: DirectoryObject): void {
    if (this.#groups.has(group.id)) return;
    this.#groups.set(group.id, entryOf(group));
    this.#unread.push(group.id);
  }

  async #readMembersAndOwners(id: string): Promise<void> {
    const group = this.#groups.get(id) ?? {};
    const owners = await this.#ownersOf(id);
    const rule = ruleOf(group);
    const members = rule === undefined ? await this.#membersOf(id) : [];
    if (rule !== undefined) {
      this.#rules.push(rule);
      await this.#addSourcesOf(rule);
    }
    this.#groups.set(id, {
      ...group,
      ...(members.length === 0 ? {} : { members }),
      ...(owners.length === 0 ? {} : { owners }),
    });
  }

  async #ownersOf(groupId: string): Promise<readonly string[]> {
    const owners: string[] = [];
    for await (const owner of this.directory.groups.owners.list(groupId, { select: ofMembers }))
      owners.push(this.#register(owner));
    return owners;
  }

  /** The members of a group that may sign in, and nested groups. */
  async #membersOf(groupId: string): Promise<readonly string[]> {
    const members: string[] = [];
    for await (const member of this.directory.groups.members.list(groupId, { select: ofMembers })) {
      const type = member['@odata.type'] ?? '';
      if (/\.(device|orgContact|contact)$/.test(type)) continue; // these do not sign in
      members.push(this.#register(member));
      if (type.endsWith('.group')) this.#addGroup(member);
    }
    return members;
  }

  /**
   * Everyone if a rule or an app needs everyone; otherwise the named people, and direct reports of
   * managers named in rules.
   */
  async people(): Promise<void> {
    const { users, servicePrincipals } = this.directory;
    const select = [...new Set([...ofPeople, ...this.#properties()])];
    if (this.#all || this.#asksEveryone())
      for await (const user of users.list({ select, pageSize }))
        this.#users.set(user.id, entryOf(user));
    else
      for (const each of this.scope.scope.people) {
        if (this.#users.has(each) || this.#servicePrincipals.has(each)) continue;
        if (isGuid(each) || each.includes('@')) {
          const user = await users.find(each, { select });
          if (user !== undefined) this.#users.set(user.id, entryOf(user));
        } else {
          const name = quote(each);
          const filter = `displayName eq ${name} or mail eq ${name} or startsWith(userPrincipalName,${quote(`${each}@`)})`;
          for await (const user of users.list({ filter, select }))
            this.#users.set(user.id, entryOf(user));
        }
        const isUser = [...this.#users.values()].some(
          ({ id, userPrincipalName }) => id === each || userPrincipalName === each,
        );
        if (isUser || each.includes('@')) continue;
        const filter = isGuid(each) ? `id eq '${each}'` : `displayName eq ${quote(each)}`;
        for await (const servicePrincipal of servicePrincipals.list({
          filter,
          select: ofServicePrincipals,
        }))
          this.#register(servicePrincipal, 'servicePrincipal');
      }
    for (const manager of this.#managers())
      for await (const { id } of this.directory
        .collection<DirectoryObject>(`users/${manager}/directReports`)
        .list({ select: ['id'] })) {
        const user = this.#users.get(id) ?? (await users.find(id, { select }));
        if (user !== undefined) this.#users.set(id, { ...entryOf(user), manager });
      }
  }

  /** The registrations, their owners, and their role assignments. */
  async applications(): Promise<void> {
    const { applications, servicePrincipals } = this.directory;
    const addApplication = async (application: DirectoryObject): Promise<void> => {
      const owners: string[] = [];
      for await (const owner of applications.owners.list(application.id, { select: ofMembers }))
        owners.push(this.#register(owner));
      const entry = entryOf(application);
      this.#applications.set(application.id, {
        ...entry,
        ...(owners.length === 0 ? {} : { owners }),
      });
    };
    const select = ofApplications;
    if (this.#all) {
      for await (const each of applications.list({ select })) await addApplication(each);
      for await (const each of servicePrincipals.list({ select: ofServicePrincipals }))
        this.#register(each, 'servicePrincipal');
    } else
      for (const each of this.scope.scope.applications) {
        const filter = isGuid(each) ? `appId eq '${each}'` : `displayName eq ${quote(each)}`;
        for await (const application of applications.list({ filter, select }))
          await addApplication(application);
        if (isGuid(each))
          for await (const principal of servicePrincipals.list({
            filter,
            select: ofServicePrincipals,
          }))
            this.#register(principal, 'servicePrincipal');
      }
    for (const { appId } of this.#applications.values()) {
      const filter = `appId eq '${String(appId)}'`;
      if (!this.#all)
        for await (const principal of servicePrincipals.list({
          filter,
          select: ofServicePrincipals,
        }))
          this.#register(principal, 'servicePrincipal');
      const principal = [...this.#servicePrincipals.values()].find(
        (each) => each['appId'] === appId,
      );
      if (principal === undefined) continue;
      const id = String(principal['id']);
      const assigned: SeedEntry[] = [];
      for await (const { principalId, appRoleId } of servicePrincipals.appRoleAssignedTo.list(id))
        assigned.push({ principalId, appRoleId });
      if (assigned.length > 0)
        this.#servicePrincipals.set(id, { ...principal, appRoleAssignedTo: assigned });
    }
  }

  /** The members of roles that may change groups, registrations or people. */
  async roles(): Promise<void> {
    const roleIds = new Set<string>(controllingRoles.map((role) => directoryRoles[role]));
    for await (const { id, roleTemplateId, displayName } of this.directory.directoryRoles.list()) {
      if (!roleIds.has(String(roleTemplateId).toLowerCase())) continue;
      const members: string[] = [];
      for await (const member of this.directory.directoryRoles.members.list(id))
        members.push(this.#register(member));
      if (members.length > 0) this.#roles.push({ roleTemplateId, displayName, members });
    }
  }

  /** Adds a referenced person or application. @returns its id */
  #register(object: DirectoryObject, type = object['@odata.type'] ?? ''): string {
    const { id } = object;
    if (type.endsWith('user') && !this.#users.has(id)) this.#users.set(id, entryOf(object));
    if (
      type.endsWith('servicePrincipal') &&
      this.#servicePrincipals.get(id)?.['appRoleAssignmentRequired'] === undefined
    )
      this.#servicePrincipals.set(id, entryOf(object));
    return id;
  }

  #asksEveryone(): boolean {
    return (
      this.scope.scope.everyone ||
      this.#rules.some(({ kind, subject }) => kind === 'expression' && subject === 'user')
    );
  }

  #properties(): readonly string[] {
    if (this.#all) return everyProperty();
    return [...this.#rules.flatMap(propertiesOf), ...(this.scope.properties ?? [])];
  }

  #managers(): readonly string[] {
    return [
      ...new Set(
        this.#rules.flatMap((rule) => (rule.kind === 'directReports' ? [rule.managerId] : [])),
      ),
    ];
  }
}

/** The rule of a group with active processing. */
function ruleOf(group: SeedEntry): MembershipRule | undefined {
  const { membershipRule: text, membershipRuleProcessingState: state } = group;
  return isDynamic(group) && typeof text === 'string' && state === 'On'
    ? parseMembershipRule(text).rule
    : undefined;
}

/** An object without annotations and unset values. */
function entryOf(object: object): SeedEntry {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        !name.startsWith('@') && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** The properties of people that rules may ask, as the service names them. */
function everyProperty(): readonly string[] {
  const names = rulePropertyNames('user').map((name) => apiPropertyOf('user', name));
  return [...new Set(names)].filter((name) => name !== 'objectId');
}
