import type { Requirement, SidecarSettings } from './config/settings.js';
import { publicReason } from './unauthenticated-request.js';
import { Refusal, refusalIn } from './http/refusal.js';
import {
  canonicalSpellings,
  excludedBy,
  parseTarget,
  type RequestTarget,
  unknownTarget,
} from './http/request-target.js';
import { checkRules } from './providers/authorization.js';
import type { Provider } from './providers/provider.js';
import type { Runtime } from './runtime.js';
import { hasOneOf } from './session/claims.js';
import { checkEmailDomain, type Identity } from './session/identity.js';

/** What a sign-in must prove beyond the usual: the strength and the age of the credentials. */
export type StepUp = Pick<Requirement, 'acrValues' | 'maxAge'>;

/**
 * The requirements of a path: the one with the longest path, by whole segments and in any letter
 * case. A path that an app may read in several ways must meet those of each, one that is not known
 * all of them.
 */
export function requirementsOf(
  target: RequestTarget,
  requirements: readonly Requirement[],
): readonly Requirement[] {
  if (requirements.length === 0 || target === unknownTarget) return requirements;
  const longest = canonicalSpellings(target).flatMap(
    (path) =>
      requirements.find((each) => path === each.path || path.startsWith(`${each.path}/`)) ?? [],
  );
  return [...new Set(longest)];
}

/**
 * Why the app is reached without a sign-in; undefined if it is not. A requirement outranks the
 * action for everyone, and a shorter excluded path.
 */
export function publicDespite(
  required: readonly Requirement[],
  target: RequestTarget,
  settings: Pick<SidecarSettings, 'enabled' | 'unauthenticated' | 'excludedPaths'>,
): ReturnType<typeof publicReason> {
  const reason = publicReason(target, settings);
  if (reason === undefined || required.length === 0 || !settings.enabled) return reason;
  const excluded = excludedBy(target, settings.excludedPaths);
  return excluded !== undefined && required.every(({ path }) => path.length < excluded.length)
    ? 'path'
    : undefined;
}

/** The requirements of a landing in this app; none for an address outside it. */
export function requirementsOfLanding(
  landing: string,
  { requirements }: Pick<SidecarSettings, 'requirements'>,
): readonly Requirement[] {
  if (requirements.length === 0 || !landing.startsWith('/')) return [];
  try {
    return requirementsOf(parseTarget(landing), requirements);
  } catch (error) {
    if (error instanceof Refusal) return []; // such a request is refused when the browser sends it
    throw error;
  }
}

/** Why groups, claims or the domain of the e-mail address do not suffice; undefined if they do. */
export function refusalOfPerson(
  requirement: Requirement,
  provider: Provider,
  identity: Identity,
): Refusal | undefined {
  const name = `globalValidation.requirements ${requirement.path || '/'}:`;
  const { claims } = identity;
  const { emailDomains } = requirement;
  return refusalIn(() => {
    checkRules(claims, requirement, { groups: `${name} groups`, claims: `${name} claims` });
    checkEmailDomain(identity, provider.emailTrust, emailDomains, `${name} emailDomains`);
  });
}

/**
 * Whether a sign-in was as strong and as recent as required: `acr` (for the directory also `acrs`)
 * and `auth_time` of its ID token.
 */
export function meetsStepUp(
  { acrValues, maxAge }: StepUp,
  { claims }: Identity,
  { now, settings }: Pick<Runtime, 'now' | 'settings'>,
): boolean {
  const strong =
    acrValues.length === 0 ||
    hasOneOf(claims['acr'], acrValues) ||
    hasOneOf(claims['acrs'], acrValues);
  if (!strong) return false;
  if (maxAge === undefined) return true;
  const { auth_time: at } = claims;
  if (typeof at !== 'string' || !/^\d+$/.test(at)) return false;
  const age = now() - Number(at);
  return age <= maxAge && age >= -settings.limits.clockToleranceSeconds;
}

/** All that a sign-in has to prove for several requirements; undefined if nothing. */
export function stepUpOf(requirements: readonly Requirement[]): StepUp | undefined {
  const acrValues = [...new Set(requirements.flatMap((each) => each.acrValues))];
  const ages = requirements.flatMap(({ maxAge }) => maxAge ?? []);
  if (acrValues.length === 0 && ages.length === 0) return undefined;
  return { acrValues, ...(ages.length !== 0 && { maxAge: Math.min(...ages) }) };
}

/** `WWW-Authenticate` that asks a program for a stronger sign-in (RFC 9470). */
export function stepUpChallenge({ acrValues, maxAge }: StepUp): string {
  const parts = [
    'Bearer error="insufficient_user_authentication"',
    'error_description="A stronger or more recent sign-in is required"',
    ...(acrValues.length === 0 ? [] : [`acr_values="${acrValues.join(' ')}"`]),
    ...(maxAge === undefined ? [] : [`max_age="${String(maxAge)}"`]),
  ];
  return parts.join(', ');
}
