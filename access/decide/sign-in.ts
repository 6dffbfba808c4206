import { checkPolicy, type PolicyCheck } from '../../services/auth-sidecar/decisions.js';
import type { Group } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import type { DirectorySignIn, SignInApplication } from '../stack/apps.js';
import { type GroupCounts, type Membership, personClaims, refuseToken } from '../token-claims.js';
import { answersOfClaims, type ClaimAnswer } from './claims.js';

/** The result of a person's sign-in with the directory. */
export interface SignIn {
  /**
   * `in`: with a session; `refused`: by the app's policy; `unable`: the directory issues no token;
   * `unknown`: cannot be determined.
   */
  readonly outcome: 'in' | 'refused' | 'unable' | 'unknown';
  /** Why the directory issues no token. */
  readonly because?: 'disabled' | 'unassigned';
  /** Why it is unknown. */
  readonly unknown?: string;
  readonly checks: readonly PolicyCheck[];
  /** The claims of the person's token, if the directory issues one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether the token names no groups because there are too many, and the sidecar can't look. */
  readonly hasTooManyGroups?: boolean;
  /** The status of a refusal, where it is not the policy's 403. */
  readonly status?: 502;
  /** What the app requires of claims. */
  readonly claimAnswers?: readonly ClaimAnswer[];
}

/** The groups of a person, direct and nested. */
export interface PersonGroups {
  readonly direct: readonly Group[];
  /** Direct groups and those that contain them, each with the one that leads to it. */
  readonly ways: ReadonlyMap<Group, Group | undefined>;
  /** How many other groups there are, which were not read. */
  readonly unread?: GroupCounts | undefined;
}

/** The groups of a person. */
export function groupsOf(personIndex: number, memberships: Memberships): PersonGroups {
  const direct = memberships.directGroups(personIndex);
  const { unreadGroups: unread } = memberships.person(personIndex);
  return { direct, ways: memberships.containingGroups(direct), unread };
}

/**
 * The allowed groups with unknown members: those missing in the directory, or containing a missing
 * object.
 */
export function groupsWithUnknownMembers(
  { settings }: DirectorySignIn,
  memberships: Memberships,
): readonly string[] {
  return [...settings.policy.groups, ...settings.policy.claimGroups].filter((id) =>
    hasUnknownMembers(id, memberships),
  );
}

/** Whether it is not known who is in a group. */
export function hasUnknownMembers(id: string, memberships: Memberships): boolean {
  const group = memberships.group(id);
  return group === undefined || memberships.hasUnknownMembers(group);
}

/**
 * Simulates the sign-in of a person: the directory's token or refusal, its claims, and the app's
 * policy.
 *
 * @param open the result of {@link groupsWithUnknownMembers} for the app.
 */
export function signIn(
  directory: DirectorySignIn,
  person: PersonRecord,
  groups: PersonGroups,
  open: readonly string[],
): SignIn {
  const { settings, application, tenant } = directory;
  if (typeof tenant === 'object') return unknown(`the people of ${tenant.issuer} are not known`);
  const account = { ...person.body, id: person.id };
  const direct = groups.direct.map(({ record }) => record.id);
  const because = refuseToken(account, application, direct);
  if (because !== undefined) return { outcome: 'unable', because, checks: [] };
  const memberships = [...groups.ways.keys()].map(({ record }) => ({
    '@odata.type': '#microsoft.graph.group',
    id: record.id,
    securityEnabled: record.securityEnabled,
  }));
  const { groupMembershipClaims = 'All' } = application;
  const token = {
    ...personClaims(account, memberships, { groupMembershipClaims }, '', groups.unread),
    sub: person.id,
  };
  const claims = withLookedUpGroups(token, memberships, application);
  const byPolicy = policySignIn(directory, claims, open);
  // Claims about groups are not decided: allowed groups are the rule for them.
  const claimAnswers = answersOfClaims(settings.rules.claims, { ...claims, groups: undefined });
  if (claimAnswers.length === 0 || byPolicy.outcome === 'refused') return byPolicy;
  const isRefused = claimAnswers.some(({ allowed }) => allowed === false);
  const missing = claimAnswers.find(({ allowed }) => allowed === 'unknown');
  if (isRefused) return { ...byPolicy, outcome: 'refused', claimAnswers };
  return missing === undefined || byPolicy.outcome === 'unknown'
    ? { ...byPolicy, claimAnswers }
    : { ...unknown(missing.reason, byPolicy.checks), claimAnswers };
}

/** What the sidecar decides by: groups that the token leaves out are looked up. */
function withLookedUpGroups(
  token: Readonly<Record<string, unknown>>,
  memberships: readonly Membership[],
  { mayReadGroups }: SignInApplication,
): Readonly<Record<string, unknown>> {
  const { _claim_names: elsewhere, ...claims } = token;
  if (elsewhere === undefined || mayReadGroups !== true) return token;
  return { ...claims, groups: memberships.map(({ id }) => id) };
}

/** The result by the directory's policy: principals, groups and applications. */
function policySignIn(
  { settings, application }: DirectorySignIn,
  claims: Readonly<Record<string, unknown>>,
  open: readonly string[],
): SignIn {
  const checks = checkPolicy(claims, settings.policy, application.clientId);
  const failed = checks.filter(({ match }) => match === undefined);
  if (failed.length === 0) {
    const byGroup =
      application.groupMembershipClaims === undefined &&
      checks.some(({ kind, match }) => kind !== 'application' && match !== claims['oid']);
    return byGroup
      ? unknown(`whether tokens of ${application.name} name groups is not known`, checks)
      : { outcome: 'in', checks, claims };
  }
  if (failed.some(({ kind }) => kind === 'application') && !application.isKnown)
    return unknown(`the client id of ${application.name} is known after apply only`, checks);
  const namesNone =
    application.groupMembershipClaims !== undefined && claims['groups'] === undefined;
  const byApplication = failed.some(({ kind }) => kind === 'application');
  const hasTooManyGroups = claims['_claim_names'] !== undefined;
  if (hasTooManyGroups && !byApplication) {
    // Only the missing groups could admit the person: that the sidecar can't look says nothing.
    if (application.mayReadGroups === false)
      return { outcome: 'refused', status: 502, checks, hasTooManyGroups };
    return {
      ...unknown(`whether ${application.name} may look up the groups of people`, checks),
      hasTooManyGroups,
    };
  }
  if (namesNone || open.length === 0 || byApplication) return { outcome: 'refused', checks };
  return unknown(`who is in ${open.join(', ')} is not known`, checks);
}

function unknown(why: string, checks: readonly PolicyCheck[] = []): SignIn {
  return { outcome: 'unknown', unknown: why, checks };
}
