import {
  challengeOf,
  pathOwner,
  parseTarget,
  publicReasonDespiteRequirements,
  Refusal,
  type Requirement,
  requirementsOf,
} from '../../services/auth-sidecar/access-decisions.js';
import type { AppAccess } from '../stack/apps.js';
import type { Memberships } from '../directory/memberships.js';
import { checkRequirement, type RequirementAnswer } from './requirement.js';
import type { SignInResult } from './sign-in.js';

/** The result of a browser's request for a page. */
export interface RequestAnswer {
  /** Whether the request reaches the app; `unknown` also for the sign-in layer's own paths. */
  readonly allowed: boolean | 'unknown';
  /** The status that the browser gets; 200 means that the app answers. Undefined if unknown. */
  readonly status: number | undefined;
  /** What decided: a setting, or the path itself. */
  readonly decidedBy:
    | 'no-layer'
    | 'bad-path'
    | 'own-path'
    | 'action'
    | 'path'
    | 'session'
    | 'challenge'
    | 'policy'
    | 'requirement'
    | 'unknown';
  /** Why a path is refused. */
  readonly reason?: string;
  /** What the path needs beyond a sign-in, and whether the person has it. */
  readonly requirements?: readonly RequirementAnswer[];
}

/**
 * The answer to a browser that requests a path, without a session or after the given sign-in.
 *
 * @param signIn the result of the sign-in; undefined for a visitor who does not sign in.
 * @param memberships decides about groups that paths require; if absent, that is unknown.
 */
export function answerRequest(
  { settings, directorySignIn }: AppAccess,
  path: string,
  signIn: SignInResult | undefined,
  memberships?: Memberships,
): RequestAnswer {
  // an app whose layer is switched off is reached without one
  if (settings?.enabled !== true) return { allowed: true, status: 200, decidedBy: 'no-layer' };
  let pathRequirements: readonly Requirement[];
  try {
    const target = parseTarget(path);
    const owner = pathOwner(target, settings);
    if (owner === 'sidecar')
      return { allowed: 'unknown', status: undefined, decidedBy: 'own-path' };
    if (owner === 'misspelt')
      return {
        allowed: false,
        status: 404,
        decidedBy: 'bad-path',
        reason: 'another spelling of a path of the sign-in layer',
      };
    pathRequirements = requirementsOf(target, settings.requirements);
    const publicReason = publicReasonDespiteRequirements(pathRequirements, target, settings);
    if (publicReason !== undefined) return { allowed: true, status: 200, decidedBy: publicReason };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { allowed: false, status: error.status, decidedBy: 'bad-path', reason: error.message };
  }
  switch (signIn?.outcome) {
    case 'in': {
      const requirements = pathRequirements.flatMap((each) =>
        directorySignIn === undefined
          ? []
          : [checkRequirement(each, directorySignIn, signIn, memberships)],
      );
      const failedRequirement = requirements.find(({ allowed }) => allowed === false);
      if (failedRequirement !== undefined)
        return { allowed: false, status: 403, decidedBy: 'requirement', requirements };
      if (requirements.some(({ allowed }) => allowed === 'unknown'))
        return { allowed: 'unknown', status: undefined, decidedBy: 'requirement', requirements };
      return {
        allowed: true,
        status: 200,
        decidedBy: 'session',
        ...(requirements.length !== 0 && { requirements }),
      };
    }
    case 'refused':
      return { allowed: false, status: signIn.status ?? 403, decidedBy: 'policy' };
    case 'unknown':
      return { allowed: 'unknown', status: undefined, decidedBy: 'unknown' };
    default:
      return { allowed: false, status: challengeOf(settings, true).status, decidedBy: 'challenge' };
  }
}
