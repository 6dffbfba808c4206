import { hasOneOf } from '../../services/auth-sidecar/decisions.js';

/** Whether a person's token has one of the values of a claim. */
export interface ClaimAnswer {
  readonly claim: string;
  readonly allowed: boolean | 'unknown';
  readonly reason: string;
}

/**
 * Decides rules about claims by a person's current token. A claim that tokens of the directory hold
 * only by an app's own settings is unknown.
 */
export function checkClaims(
  required: Readonly<Record<string, readonly string[]>>,
  claims: Readonly<Record<string, unknown>>,
): ClaimAnswer[] {
  return Object.entries(required).map(([claim, values]) => {
    if (claims[claim] === undefined)
      return { claim, allowed: 'unknown', reason: `whether the token has the claim ${claim}` };
    return hasOneOf(claims[claim], values)
      ? { claim, allowed: true, reason: `${claim} has one of its values` }
      : { claim, allowed: false, reason: `${claim} has another value` };
  });
}
