import {
  type DirectoryClient,
  type DirectoryObject,
  quote,
} from '../../../clients/directory/index.js';
import { isGuid } from '../../../core/values/guid.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type MembershipRule, parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import type { SeedEntry } from '../../../services/common/seed.js';
import { isDynamic } from '../../../services/directory/groups/group-kinds.js';
import type { DirectoryScope } from '../directory-scope.js';
import {
  seedEntryOf,
  pageSize,
  userProperties,
  type CollectedPrincipals,
  undefinedIfEmpty,
} from './collected-principals.js';

const groupProperties = [
  'id',
  'displayName',
  'mailNickname',
  'uniqueName',
  'mailEnabled',
  'securityEnabled',
  'groupTypes',
  'membershipRule',
  'membershipRuleProcessingState',
  'visibility',
  'isAssignableToRole',
  // what a plan compares, so that a plan in a sandbox made of a snapshot shows no changes
  'description',
  'theme',
  'classification',
  'preferredDataLocation',
  'preferredLanguage',
];

/** The properties that are read of members and owners, which may be of any type. */
export const memberProperties = [...new Set([...userProperties, ...groupProperties, 'appId'])];

/** How many groups' members are requested concurrently. */
const concurrency = 8;

/**
 * Reads groups with their members and owners: those of a scope or all, nested groups, and those
 * that memberOf rules name.
 */
export class GroupReader {
  readonly groups = new Map<string, SeedEntry>();
  /** The membership rules of the scope and of the groups that were read. */
  readonly rules: MembershipRule[];
  /** The ids of groups whose members are still to be read. */
  readonly #unreadIds: string[] = [];

  constructor(
    private readonly client: DirectoryClient,
    private readonly scope: DirectoryScope,
    private readonly principals: CollectedPrincipals,
  ) {
    this.rules = [...scope.rules];
  }

  /** Reads all groups, or those of the scope and those that have a role of its applications. */
  async read(coverage: 'everything' | 'scope'): Promise<void> {
    if (coverage === 'everything') await this.#addGroups();
    else await this.#addGroupsOfScope();
    for (const rule of this.rules) await this.#addSourcesOf(rule);
    // reading a group adds nested groups to the queue
    while (this.#unreadIds.length > 0)
      await Promise.all(
        this.#unreadIds.splice(0, concurrency).map((id) => this.#readMembersAndOwners(id)),
      );
  }

  async #addGroups(filter?: string): Promise<void> {
    const page = filter === undefined ? { pageSize } : { filter };
    for await (const group of this.client.groups.list({ select: groupProperties, ...page }))
      this.#addGroup(group);
  }

  async #addGroupsOfScope(): Promise<void> {
    for (const idOrName of this.scope.groups)
      if (isGuid(idOrName)) await this.#addGroupById(idOrName);
      else await this.#addGroups(`displayName eq ${quote(idOrName)}`);
    for (const id of this.principals.assignedGroupIds) await this.#addGroupById(id);
  }

  /** Adds the groups that a memberOf rule names. */
  async #addSourcesOf(rule: MembershipRule): Promise<void> {
    if (rule.kind === 'memberOf') for (const id of rule.groupIds) await this.#addGroupById(id);
  }

  async #addGroupById(id: string): Promise<void> {
    if (this.groups.has(id)) return;
    const group = await this.client.groups.find(id, { select: groupProperties });
    if (group !== undefined) this.#addGroup(group);
  }

  #addGroup(group: DirectoryObject): void {
    if (this.groups.has(group.id)) return;
    this.groups.set(group.id, seedEntryOf(group));
    this.#unreadIds.push(group.id);
  }

  async #readMembersAndOwners(id: string): Promise<void> {
    const group = this.groups.get(id) ?? {};
    const owners = await this.#ownersOf(id);
    const rule = ruleOf(group);
    const members = rule === undefined ? await this.#membersOf(id) : [];
    if (rule !== undefined) {
      this.rules.push(rule);
      await this.#addSourcesOf(rule);
    }
    const lists = { members: undefinedIfEmpty(members), owners: undefinedIfEmpty(owners) };
    this.groups.set(id, { ...group, ...omitUndefined(lists) });
  }

  async #ownersOf(groupId: string): Promise<readonly string[]> {
    const owners: string[] = [];
    const query = { select: memberProperties };
    for await (const owner of this.client.groups.owners.list(groupId, query)) {
      this.principals.addReferenced(owner);
      owners.push(owner.id);
    }
    return owners;
  }

  /** The members of a group that may sign in, and nested groups. */
  async #membersOf(groupId: string): Promise<readonly string[]> {
    const members: string[] = [];
    const query = { select: memberProperties };
    for await (const member of this.client.groups.members.list(groupId, query)) {
      const type = member['@odata.type'] ?? '';
      if (/\.(device|orgContact|contact)$/.test(type)) continue; // these do not sign in
      this.principals.addReferenced(member);
      members.push(member.id);
      if (type.endsWith('.group')) this.#addGroup(member);
    }
    return members;
  }
}

/** The rule of a group with active processing. */
function ruleOf(group: SeedEntry): MembershipRule | undefined {
  const { membershipRule: text, membershipRuleProcessingState: state } = group;
  return isDynamic(group) && typeof text === 'string' && state === 'On'
    ? parseMembershipRule(text).rule
    : undefined;
}
