import { normalizeId } from '../../../core/values/guid.js';
import type { AccessRules, AuthorizationPolicy } from '../config/settings.js';
import { type Claims, hasOneOf } from '../session/claims.js';
import { Refusal } from '../http/refusal.js';

const policyRules = {
  applications: 'validation.defaultAuthorizationPolicy.allowedApplications',
  principals: 'validation.defaultAuthorizationPolicy.allowedPrincipals',
  claimGroups: 'validation.jwtClaimChecks.allowedGroups',
  claimApplications: 'validation.jwtClaimChecks.allowedClientApplications',
} as const;

/** The names of the settings by which a policy restricts who is admitted. */
export function policyRuleNames(policy: AuthorizationPolicy): string[] {
  const { applications, claimApplications, claimGroups, groups, identities } = policy;
  return [
    ...(applications.length > 0 ? [policyRules.applications] : []),
    ...(claimApplications.length > 0 ? [policyRules.claimApplications] : []),
    ...(claimGroups.length > 0 ? [policyRules.claimGroups] : []),
    ...(groups.length + identities.length > 0 ? [policyRules.principals] : []),
  ];
}

/** One check of the directory provider's policy, with its result for some claims. */
export interface PolicyCheck {
  /** `claimGroup`: the token's groups; `principal`: the person, or one of its groups. */
  readonly kind: 'application' | 'claimGroup' | 'principal';
  /** The setting that is checked. */
  readonly rule: string;
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
  const applicationClaim = claims['azp'] ?? claims['appid'];
  const application = applicationClaim === undefined ? clientId : (text(applicationClaim) ?? '');
  for (const [rule, applications] of [
    [policyRules.applications, policy.applications],
    [policyRules.claimApplications, policy.claimApplications],
  ] as const)
    if (applications.length > 0)
      checks.push({
        kind: 'application',
        rule,
        values: [application],
        match: firstAllowed(applications, [application]),
        refusal: 'The calling application is not let in here.',
      });
  const groups = texts(claims['groups']);
  if (policy.claimGroups.length > 0)
    checks.push({
      kind: 'claimGroup',
      rule: policyRules.claimGroups,
      values: groups,
      match: firstAllowed(policy.claimGroups, groups),
      refusal: 'Only members of certain groups are let in here.',
    });
  if (policy.identities.length > 0 || policy.groups.length > 0) {
    const principal = text(claims['oid']) ?? text(claims['sub']);
    const principals = principal === undefined ? groups : [principal, ...groups];
    const byIdentity =
      principal === undefined ? undefined : firstAllowed(policy.identities, [principal]);
    const grant = byIdentity ?? firstAllowed(policy.groups, groups);
    checks.push({
      kind: 'principal',
      rule: policyRules.principals,
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
  if (mismatch !== undefined)
    throw new Refusal(403, mismatch.refusal, { code: 'access_denied', rule: mismatch.rule });
}

/**
 * Checks groups and claims: the person must be in one of the groups, and each named claim must have
 * one of its values. Empty rules admit everyone.
 *
 * @param ruleNames the names of the settings of groups and claims, for the audit
 * @throws Refusal 403 `access_denied`
 */
export function checkRules(
  claims: Claims,
  { groups, claims: required }: AccessRules,
  ruleNames: RuleNames = validationNames,
): void {
  const deny = (message: string, rule: string): Refusal =>
    new Refusal(403, message, { code: 'access_denied', rule });
  if (groups.length > 0 && !hasOneOf(claims['groups'], groups))
    throw deny('Only members of certain groups are let in here.', ruleNames.groups);
  for (const [name, values] of Object.entries(required))
    if (!hasOneOf(claims[name], values))
      throw deny(
        `Only people with certain values of ${name} are let in here.`,
        `${ruleNames.claims}.${name}`,
      );
}

/** The names of the settings with groups and claims. */
export interface RuleNames {
  readonly groups: string;
  readonly claims: string;
}

const validationNames: RuleNames = {
  groups: 'validation.allowedGroups',
  claims: 'validation.requiredClaims',
};

/** The names of the settings by which rules restrict who is admitted. */
export function accessRuleNames({ groups, claims }: AccessRules): string[] {
  return [
    ...(groups.length > 0 ? [validationNames.groups] : []),
    ...Object.keys(claims).map((name) => `${validationNames.claims}.${name}`),
  ];
}

function firstAllowed(allowed: readonly string[], values: readonly string[]): string | undefined {
  const ids = new Set(allowed.map(normalizeId));
  return values.find((each) => ids.has(normalizeId(each)));
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
