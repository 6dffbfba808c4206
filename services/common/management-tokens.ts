import type { Caller } from './caller.js';
import type { TokenRefusal } from './token-verifier.js';

/** What the cloud's tokens for billing and the resource manager name as their audience: both are below one root. */
export const managementAudiences = ['https://management.azure.com', 'https://management.core.windows.net'];

/** The error codes of a token that both refuse. */
export const tokenCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'AuthenticationFailed',
  malformed: 'InvalidAuthenticationToken',
  expired: 'ExpiredAuthenticationToken',
  invalid: 'InvalidAuthenticationToken',
  audience: 'InvalidAuthenticationTokenAudience',
};

/** Whether a caller has `user_impersonation`, which people act through; applications that carry scopes need it, too. */
export function mayManage({ kind, scopes }: Caller): boolean {
  return kind === 'anyone' || scopes.has('user_impersonation') || (kind === 'application' && scopes.size === 0);
}
