import { checkPolicy, type PolicyCheck } from '../../services/auth-sidecar/access-decisions.js';
import type { Group } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import type { DirectorySignIn, SignInApplication } from '../stack/apps.js';
import {
  type GroupCounts,
  type Membership,
  personClaims,
  noTokenReasonOf,
} from '../token-claims.js';
import { checkClaims, type ClaimAnswer } from './claims.js';

/** The result of a person's sign-in with the directory. */
export interface SignInResult {
  /**
   * `in`: with a session; `refused`: by the app's policy; `no-token`: the directory issues none;
   * `unknown`: cannot be determined.
   */
  readonly outcome: 'in' | 'refused' | 'no-token' | 'unknown';
  /**
   * Why the directory issues no token: the account is disabled, it has no role where one is
   * required, or the application is disabled.
   */
  readonly noTokenReason?: 'disabled' | 'unassigned' | 'application-disabled';
  /** Why the outcome is unknown. */
  readonly unknownReason?: string;
  /** What the app's policy says about the token; empty where none was checked. */
  readonly checks: readonly PolicyCheck[];
  /** The claims of the person's token, if the directory issues one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * Whether the token lists no groups because there are too many, and the sidecar can't look them
   * up.
   */
  readonly hasTooManyGroups?: boolean;
  /** The status of a refusal, where it is not the policy's 403. */
  readonly status?: 502;
  /** Whether the token has each claim that the app requires. */
  readonly claimAnswers?: readonly ClaimAnswer[];
}

/** The groups of a person, direct and nested. */
export interface PersonGroups {
  /** The groups that the person is a member of, listed or by rule, without nesting. */
  readonly direct: readonly Group[];
  /** Direct groups and those that contain them, each with the one that leads to it. */
  readonly reachedThrough: ReadonlyMap<Group, Group | undefined>;
  /** How many other groups there are, which were not read. */
  readonly unread?: GroupCounts | undefined;
}

/** The groups of a person. */
export function groupsOfPerson(personIndex: number, memberships: Memberships): PersonGroups {
  const direct = memberships.directGroups(personIndex);
  const { unreadGroups: unread } = memberships.person(personIndex);
  return { direct, reachedThrough: memberships.containingGroups(direct), unread };
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
 * @param uncertainGroups the result of {@link groupsWithUnknownMembers} for the app.
 */
export function simulateSignIn(
  directorySignIn: DirectorySignIn,
  person: PersonRecord,
  groups: PersonGroups,
  uncertainGroups: readonly string[],
): SignInResult {
  const { settings, application, tenant } = directorySignIn;
  if (typeof tenant === 'object')
    return unknownResult(`the people of ${tenant.issuer} are not known`);
  const account = { ...person.body, id: person.id };
  const directIds = groups.direct.map(({ record }) => record.id);
  const noTokenReason = application.isEnabled
    ? noTokenReasonOf(account, application, directIds)
    : 'application-disabled';
  if (noTokenReason !== undefined) return { outcome: 'no-token', noTokenReason, checks: [] };
  const memberships = [...groups.reachedThrough.keys()].map(({ record }) => ({
    '@odata.type': '#microsoft.graph.group',
    id: record.id,
    securityEnabled: record.securityEnabled,
  }));
  const tokenClaims = tokenClaimsOf(person, memberships, directorySignIn, groups.unread);
  const claims = withLookedUpGroups(tokenClaims, memberships, application);
  const policyResult = policySignIn(directorySignIn, claims, uncertainGroups);
  // without the claim `groups`: the policy's allowed groups have decided about it
  const claimAnswers = checkClaims(settings.rules.claims, { ...claims, groups: undefined });
  if (claimAnswers.length === 0 || policyResult.outcome === 'refused') return policyResult;
  const isRefused = claimAnswers.some(({ allowed }) => allowed === false);
  const undecided = claimAnswers.find(({ allowed }) => allowed === 'unknown');
  if (isRefused) return { ...policyResult, outcome: 'refused', claimAnswers };
  return undecided === undefined || policyResult.outcome === 'unknown'
    ? { ...policyResult, claimAnswers }
    : { ...unknownResult(undecided.reason, policyResult.checks), claimAnswers };
}

/** The claims of a person's token for the app. */
export function tokenClaimsOf(
  { id, body }: PersonRecord,
  memberships: readonly Membership[],
  { application, tenantId }: DirectorySignIn,
  unreadCounts?: GroupCounts,
): Readonly<Record<string, unknown>> {
  const { groupMembershipClaims = 'All' } = application;
  const account = { ...body, id };
  return {
    ...personClaims(account, memberships, { groupMembershipClaims }, tenantId, unreadCounts),
    sub: id,
  };
}

/**
 * The claims by which the sidecar decides: with groups that the token leaves out, if it may look
 * them up.
 */
function withLookedUpGroups(
  tokenClaims: Readonly<Record<string, unknown>>,
  memberships: readonly Membership[],
  { mayReadGroups }: SignInApplication,
): Readonly<Record<string, unknown>> {
  const { _claim_names: claimNames, ...claims } = tokenClaims;
  if (claimNames === undefined || mayReadGroups !== true) return tokenClaims;
  return { ...claims, groups: memberships.map(({ id }) => id) };
}

/** The result by the directory's policy: principals, groups and applications. */
function policySignIn(
  { settings, application }: DirectorySignIn,
  claims: Readonly<Record<string, unknown>>,
  uncertainGroups: readonly string[],
): SignInResult {
  const checks = checkPolicy(claims, settings.policy, application.clientId);
  const failedChecks = checks.filter(({ match }) => match === undefined);
  if (failedChecks.length === 0) {
    const dependsOnGroups =
      application.groupMembershipClaims === undefined &&
      checks.some(({ kind, match }) => kind !== 'application' && match !== claims['oid']);
    return dependsOnGroups
      ? unknownResult(`whether tokens of ${application.name} name groups is not known`, checks)
      : { outcome: 'in', checks, claims };
  }
  if (failedChecks.some(({ kind }) => kind === 'application') && !application.isClientIdKnown)
    return unknownResult(`the client id of ${application.name} is known after apply only`, checks);
  const tokenHasNoGroups =
    application.groupMembershipClaims !== undefined && claims['groups'] === undefined;
  const isApplicationRefused = failedChecks.some(({ kind }) => kind === 'application');
  const hasTooManyGroups = claims['_claim_names'] !== undefined;
  if (hasTooManyGroups && !isApplicationRefused) {
    // Only the missing groups could admit the person, and the sidecar can't look them up.
    if (application.mayReadGroups === false)
      return { outcome: 'refused', status: 502, checks, hasTooManyGroups };
    return {
      ...unknownResult(`whether ${application.name} may look up the groups of people`, checks),
      hasTooManyGroups,
    };
  }
  if (tokenHasNoGroups || uncertainGroups.length === 0 || isApplicationRefused)
    return { outcome: 'refused', checks };
  return unknownResult(`who is in ${uncertainGroups.join(', ')} is not known`, checks);
}

function unknownResult(why: string, checks: readonly PolicyCheck[] = []): SignInResult {
  return { outcome: 'unknown', unknownReason: why, checks };
}
