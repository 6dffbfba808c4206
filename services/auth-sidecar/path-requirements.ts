import type { CheckedRequest } from './checked-request.js';
import type { Requirement, SidecarSettings } from './config/settings.js';
import { publicReason } from './unauthenticated-request.js';
import { Refusal, refusalIn } from './http/refusal.js';
import {
  canonicalSpellings,
  isWithin,
  longestExcludedPath,
  parseTarget,
  type RequestTarget,
  unknownTarget,
} from './http/request-target.js';
import { checkRules } from './providers/authorization.js';
import type { Provider } from './providers/provider.js';
import type { Runtime } from './runtime.js';
import { hasOneOf, parseNumericDate } from './session/claims.js';
import { checkEmailDomain, type Identity } from './session/identity.js';

/** What a sign-in must prove beyond the usual: the strength and the age of the credentials. */
export type StepUp = Pick<Requirement, 'acrValues' | 'maxAge'>;

/**
 * The requirements that apply to a path: the one with the longest path that it is within, in any
 * spelling. A path that an app may read in several ways has those of each reading, an unknown path
 * has all of them.
 *
 * @param requirements the longest path first.
 */
export function requirementsOf(
  target: RequestTarget,
  requirements: readonly Requirement[],
): readonly Requirement[] {
  if (requirements.length === 0 || target === unknownTarget) return requirements;
  const longest = canonicalSpellings(target).flatMap(
    (path) => requirements.find((each) => isWithin(path, each.canonicalPath)) ?? [],
  );
  return [...new Set(longest)];
}

/**
 * Why a target is reached without a sign-in although requirements may apply to it; undefined if it
 * is not. A requirement takes precedence over the action for unauthenticated requests, and over an
 * excluded path that is not longer.
 */
export function publicReasonDespiteRequirements(
  requirements: readonly Requirement[],
  target: RequestTarget,
  settings: Pick<SidecarSettings, 'enabled' | 'unauthenticated' | 'excludedPaths'>,
): ReturnType<typeof publicReason> {
  const reason = publicReason(target, settings);
  if (reason === undefined || requirements.length === 0 || !settings.enabled) return reason;
  const excluded = longestExcludedPath(target, settings.excludedPaths);
  return excluded !== undefined &&
    requirements.every(({ canonicalPath }) => segmentCount(canonicalPath) < segmentCount(excluded))
    ? 'path'
    : undefined;
}

/** How long a path is, however its letters are written; the root is longer than the whole app. */
function segmentCount(path: string): number {
  return path.split('/').length;
}

/**
 * The requirements of the path at which a browser lands after a sign-in; none outside this app, and
 * none at a path that is reached without a sign-in.
 *
 * @param landing a path or URL, which may have a fragment
 */
export function requirementsOfLanding(
  landing: string,
  { runtime, arrival }: Pick<CheckedRequest, 'runtime' | 'arrival'>,
): readonly Requirement[] {
  const { requirements } = runtime.settings;
  if (requirements.length === 0) return [];
  const url = new URL(landing, arrival.origin.serialized);
  if (url.origin !== arrival.origin.serialized) return [];
  try {
    const target = parseTarget(`${url.pathname}${url.search}`);
    const targetRequirements = requirementsOf(target, requirements);
    const isPublic =
      publicReasonDespiteRequirements(targetRequirements, target, runtime.settings) !== undefined;
    return isPublic ? [] : targetRequirements;
  } catch (error) {
    if (error instanceof Refusal) return []; // such a request is refused when the browser sends it
    throw error;
  }
}

/** The refusal of a person who lacks a group, claim or e-mail domain; undefined if nothing is missing. */
export function refusalByRequirement(
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
  const isStrongEnough =
    acrValues.length === 0 ||
    hasOneOf(claims['acr'], acrValues) ||
    hasOneOf(claims['acrs'], acrValues);
  if (!isStrongEnough) return false;
  if (maxAge === undefined) return true;
  const authTime = parseNumericDate(claims['auth_time']);
  if (authTime === undefined) return false;
  const ageSeconds = now() - authTime;
  return ageSeconds <= maxAge && ageSeconds >= -settings.limits.clockToleranceSeconds;
}

/** The step-up that satisfies several requirements together; undefined if none requires one. */
export function combinedStepUp(requirements: readonly Requirement[]): StepUp | undefined {
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
