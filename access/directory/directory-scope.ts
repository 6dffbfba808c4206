import { isGuid } from '../../core/values/guid.js';
import {
  ruleProperties,
  type MembershipRule,
  parseMembershipRule,
} from '../../kinds/membership-rule/index.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';

/** The objects of a directory that stacks refer to, by id or name. */
export interface DirectoryScope {
  /** Groups, by display name or id. */
  readonly groups: ReadonlySet<string>;
  /** Users and applications that are allowed, own or administer something, or were asked about. */
  readonly people: ReadonlySet<string>;
  /** Registrations, by display name or client id. */
  readonly applications: ReadonlySet<string>;
  /** The membership rules of the groups that the stacks declare. */
  readonly rules: readonly MembershipRule[];
  /** Whether an app admits everyone who can sign in. */
  readonly includesEveryone: boolean;
  /** Whether a registration of a stack lets only those sign in who have a role. */
  readonly requiresRoles: boolean;
}

/**
 * Collects the objects that stacks refer to.
 *
 * @param persons people who are asked about, as a user names them
 */
export function scopeOfStacks(
  configs: readonly StackConfig[],
  persons: readonly string[] = [],
): DirectoryScope {
  const groups = new Set<string>();
  const people = new Set<string>(persons);
  const applications = new Set<string>();
  const rules: MembershipRule[] = [];
  let includesEveryone = false;
  let requiresRoles = false;
  const addIds = (references: readonly string[] | undefined, target: Set<string>): void => {
    for (const each of references ?? []) if (isGuid(each)) target.add(each.toLowerCase());
  };
  for (const config of configs) {
    for (const { user, servicePrincipal, group } of Object.values(config.principals ?? {})) {
      const account = user ?? servicePrincipal;
      if (account !== undefined) people.add(account);
      if (group !== undefined) groups.add(group);
    }
    for (const { displayName, dynamicMembership, membershipRule, members, owners } of Object.values(
      config.groups ?? {},
    )) {
      groups.add(displayName);
      const { rule } = parseMembershipRule(dynamicMembership?.rule ?? membershipRule ?? '');
      if (rule !== undefined) rules.push(rule);
      addIds(members, people);
      addIds(owners, people);
    }
    for (const { displayName, owners, assignmentRequired } of Object.values(
      config.registrations ?? {},
    )) {
      applications.add(displayName);
      requiresRoles ||= assignmentRequired === true;
      addIds(owners, people);
    }
    for (const { auth } of Object.values(config.containerApps ?? {})) {
      const provider = auth?.providers.directory;
      if (provider === undefined) continue;
      const {
        clientId,
        allowedGroups = [],
        claimGroups = [],
        allowedPrincipals = [],
        allowedApplications,
        allowedClientApplications,
      } = provider;
      addIds([...allowedGroups, ...claimGroups], groups);
      addIds(allowedPrincipals, people);
      addIds(
        [clientId, ...(allowedApplications ?? []), ...(allowedClientApplications ?? [])].flatMap(
          (id) => id ?? [],
        ),
        applications,
      );
      includesEveryone ||=
        allowedGroups.length + claimGroups.length + allowedPrincipals.length === 0;
    }
  }
  return { groups, people, applications, rules, includesEveryone, requiresRoles };
}

/** The union of two scopes. */
export function unionOfScopes(
  one: DirectoryScope,
  other: DirectoryScope | undefined,
): DirectoryScope {
  if (other === undefined) return one;
  return {
    groups: new Set([...one.groups, ...other.groups]),
    people: new Set([...one.people, ...other.people]),
    applications: new Set([...one.applications, ...other.applications]),
    rules: [...one.rules, ...other.rules],
    includesEveryone: one.includesEveryone || other.includesEveryone,
    requiresRoles: one.requiresRoles || other.requiresRoles,
  };
}

/** The properties of people that a rule reads, as the service names them. */
export function userPropertiesInRule(rule: MembershipRule): readonly string[] {
  if (rule.subject !== 'user') return [];
  return ruleProperties(rule)
    .filter((name) => name !== 'objectId')
    .map((name) => apiPropertyOf('user', name));
}
