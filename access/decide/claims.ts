import { hasOneOf } from '../../services/auth-sidecar/access-decisions.js';

/** Whether a person's token has one of the values of a claim. */
export interface ClaimAnswer {
  readonly claim: string;
  /** Whether the token has one of the values; `unknown` where it lacks the claim. */
  readonly allowed: boolean | 'unknown';
  readonly reason: string;
}

/**
 * Decides rules about claims by a person's current token. A claim that tokens of the directory hold
 * only by an app's own settings is unknown.
 */
export function checkClaims(
  requiredClaims: Readonly<Record<string, readonly string[]>>,
  tokenClaims: Readonly<Record<string, unknown>>,
): ClaimAnswer[] {
  return Object.entries(requiredClaims).map(([claim, values]) => {
    if (tokenClaims[claim] === undefined)
      return { claim, allowed: 'unknown', reason: `whether the token has the claim ${claim}` };
    return hasOneOf(tokenClaims[claim], values)
      ? { claim, allowed: true, reason: `${claim} has one of its values` }
      : { claim, allowed: false, reason: `${claim} has another value` };
  });
}
