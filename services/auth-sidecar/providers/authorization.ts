import type { AccessRules, AuthorizationPolicy } from '../config/settings.js';
import { type Claims, hasOneOf } from '../session/claims.js';
import { Refusal } from '../http/refusal.js';

/** One check of the directory provider's policy, with its result for some claims. */
export interface PolicyCheck {
  readonly kind: 'application' | 'claimGroup' | 'principal';
  /** The checked claims: the calling application, the groups, or the principal and its groups. */
  readonly values: readonly string[];
  /** The matching allowed value; undefined if there is none. */
  readonly match: string | undefined;
  /** The message to a refused caller. */
  readonly refusal: string;
}

/**
 * Checks a token's claims by the directory provider's policy: which applications may call, which
 * principals are admitted, which groups and client applications the token must contain. An empty
 * list does not restrict. All checks must match.
 *
 * @param clientId the calling application of ID tokens, which contain none.
 */
export function checkPolicy(
  claims: Readonly<Record<string, unknown>>,
  policy: AuthorizationPolicy,
  clientId: string,
): PolicyCheck[] {
  const checks: PolicyCheck[] = [];
  const claim = claims['azp'] ?? claims['appid'];
  const application = claim === undefined ? clientId : (text(claim) ?? '');
  for (const applications of [policy.applications, policy.claimApplications])
    if (applications.length > 0)
      checks.push({
        kind: 'application',
        values: [application],
        match: firstOf(applications, [application]),
        refusal: 'The calling application is not let in here.',
      });
  const groups = texts(claims['groups']);
  if (policy.claimGroups.length > 0)
    checks.push({
      kind: 'claimGroup',
      values: groups,
      match: firstOf(policy.claimGroups, groups),
      refusal: 'Only members of certain groups are let in here.',
    });
  if (policy.identities.length > 0 || policy.groups.length > 0) {
    const principal = text(claims['oid']) ?? text(claims['sub']);
    const principals = principal === undefined ? groups : [principal, ...groups];
    const byIdentity =
      principal === undefined ? undefined : firstOf(policy.identities, [principal]);
    const grant = byIdentity ?? firstOf(policy.groups, groups);
    checks.push({
      kind: 'principal',
      values: principals,
      match: grant,
      refusal: 'This account is not among those that are let in here.',
    });
  }
  return checks;
}

/** Applies the policy. @throws Refusal 403 */
export function authorize(
  claims: Readonly<Record<string, unknown>>,
  policy: AuthorizationPolicy,
  clientId: string,
): void {
  const mismatch = checkPolicy(claims, policy, clientId).find(({ match }) => match === undefined);
  if (mismatch !== undefined) throw new Refusal(403, mismatch.refusal, { code: 'access_denied' });
}

/**
 * Checks groups and claims: the person must be in one of the groups, and each named claim must have
 * one of its values. Empty rules admit everyone.
 *
 * @throws Refusal 403 `access_denied`
 */
export function checkRules(claims: Claims, { groups, claims: required }: AccessRules): void {
  if (groups.length > 0 && !hasOneOf(claims['groups'], groups, 'anyCase'))
    throw new Refusal(403, 'Only members of certain groups are let in here.', {
      code: 'access_denied',
    });
  for (const [name, values] of Object.entries(required))
    if (!hasOneOf(claims[name], values, 'exact'))
      throw new Refusal(403, `Only people with certain values of ${name} are let in here.`, {
        code: 'access_denied',
      });
}

/** Object ids are equal in any letter case. */
function firstOf(allowed: readonly string[], values: readonly string[]): string | undefined {
  const lower = new Set(allowed.map((each) => each.toLowerCase()));
  return values.find((each) => lower.has(each.toLowerCase()));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : typeof value === 'string'
      ? [value]
      : [];
}
