import type { Caller } from './caller.js';
import type { TokenRefusal } from './token-verifier.js';

/**
 * The audiences of the cloud's tokens for billing and the resource manager, which share an origin.
 */
export const managementAudiences = [
  'https://management.azure.com',
  'https://management.core.windows.net',
];

/** The error codes of billing and the resource manager for an invalid token. */
export const managementTokenCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'AuthenticationFailed',
  malformed: 'InvalidAuthenticationToken',
  expired: 'ExpiredAuthenticationToken',
  invalid: 'InvalidAuthenticationToken',
  audience: 'InvalidAuthenticationTokenAudience',
};

/**
 * Whether a caller has `user_impersonation`, which users need, and applications whose tokens have
 * scopes. The caller of `--no-auth` (`unrestricted`) may do everything.
 */
export function hasUserImpersonation({ kind, scopes }: Caller): boolean {
  return (
    kind === 'unrestricted' ||
    scopes.has('user_impersonation') ||
    (kind === 'application' && scopes.size === 0)
  );
}
