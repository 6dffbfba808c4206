import {
  checkEmailDomain,
  hasOneOf,
  identityOf,
  Refusal,
  type Requirement,
} from '../../services/auth-sidecar/access-decisions.js';
import type { Memberships } from '../directory/memberships.js';
import type { DirectorySignIn } from '../stack/apps.js';
import { checkClaims } from './claims.js';
import { hasUnknownMembers, type SignInResult } from './sign-in.js';

/** Whether a signed-in person has what a path needs, and what decided that. */
export interface RequirementAnswer {
  readonly requirement: Requirement;
  readonly allowed: boolean | 'unknown';
  /**
   * What decided, such as `groups` or `claims.department`; undefined if the person has all of it.
   */
  readonly decidedBy?: string;
  /** Why not, or what is not known; undefined if the person has all of it. */
  readonly reason?: string;
}

/**
 * Decides what the sidecar decides about a person of the directory at a path with a requirement,
 * with the person's current token. What tokens of the directory hold only by an app's own settings
 * is unknown; a required age is met by signing in again.
 */
export function checkRequirement(
  requirement: Requirement,
  directorySignIn: DirectorySignIn,
  { claims = {} }: Pick<SignInResult, 'claims'>,
  memberships: Memberships | undefined,
): RequirementAnswer {
  const { groups, claims: requiredClaims, emailDomains, acrValues } = requirement;
  const answer = (
    allowed: boolean | 'unknown',
    decidedBy: string,
    reason: string,
  ): RequirementAnswer => ({ requirement, allowed, decidedBy, reason });
  const unknownAnswers: RequirementAnswer[] = [];
  if (groups.length > 0 && !hasOneOf(claims['groups'], groups)) {
    const isCertain =
      directorySignIn.application.groupMembershipClaims !== undefined &&
      (claims['_claim_names'] === undefined ||
        directorySignIn.application.mayReadGroups === false) &&
      memberships !== undefined &&
      groups.every((id) => !hasUnknownMembers(id, memberships));
    if (isCertain) return answer(false, 'groups', 'not in one of its groups');
    unknownAnswers.push(answer('unknown', 'groups', 'whether the token names one of its groups'));
  }
  for (const { claim, allowed, reason } of checkClaims(requiredClaims, claims)) {
    if (allowed === false) return answer(false, `claims.${claim}`, reason);
    if (allowed === 'unknown') unknownAnswers.push(answer('unknown', `claims.${claim}`, reason));
  }
  if (emailDomains.length > 0 && !hasAddressIn(emailDomains, directorySignIn, claims))
    return answer(false, 'emailDomains', 'no verified address of its domains');
  if (acrValues.length > 0)
    unknownAnswers.push(
      answer('unknown', 'acrValues', `whether a sign-in has ${acrValues.join(' or ')}`),
    );
  return unknownAnswers[0] ?? { requirement, allowed: true };
}

/**
 * Whether a verified address is in one of the domains; only directories of one tenant verify names.
 */
function hasAddressIn(
  domains: readonly string[],
  { tenant }: DirectorySignIn,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  const identity = identityOf(claims);
  if (identity === undefined) return false;
  // `names` takes user principal names for addresses, too, `directory` only an `email` that tokens
  // call verified
  try {
    checkEmailDomain(
      identity,
      tenant === 'any' ? 'directory' : 'usernames',
      domains,
      'emailDomains',
    );
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
