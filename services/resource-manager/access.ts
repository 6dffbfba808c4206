import type { FastifyRequest } from 'fastify';
import type { Caller } from '../common/caller.js';
import type { TokenRefusal, TokenVerifier } from '../common/token-verifier.js';
import { ArmError } from './errors.js';

const cloudAudiences = ['https://management.azure.com', 'https://management.core.windows.net'];

const codes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'AuthenticationFailed',
  malformed: 'InvalidAuthenticationToken',
  expired: 'ExpiredAuthenticationToken',
  invalid: 'InvalidAuthenticationToken',
  audience: 'InvalidAuthenticationTokenAudience',
};

/**
 * Who sends a request. Applications manage everything; people need the delegated permission `user_impersonation`.
 *
 * @throws ArmError 401 without a good token, 403 without the permission.
 */
export async function callerOf(request: FastifyRequest, tokens: TokenVerifier): Promise<Caller> {
  const origin = `${request.protocol}://${request.host}`;
  const verified = await tokens.verify(request.headers.authorization, [origin, ...cloudAudiences]);
  if ('refused' in verified) {
    const message = verified.refused === 'missing' ? "Authentication failed. The 'Authorization' header is missing." : verified.reason;
    throw new ArmError(401, codes[verified.refused], message, {
      'www-authenticate': `Bearer authorization_uri="${origin}/common/oauth2/authorize", error="invalid_token"`,
    });
  }
  const { caller } = verified;
  if (caller.kind === 'user' && !caller.scopes.has('user_impersonation'))
    throw new ArmError(
      403,
      'AuthorizationFailed',
      `The client with object id '${caller.objectId}' does not have the delegated permission 'user_impersonation'.`,
    );
  return caller;
}
