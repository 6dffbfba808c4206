import { createHash } from 'node:crypto';
import type { OpenIdSettings } from '../config/settings.js';
import type { OpenIdMetadata } from './openid-metadata.js';
import type { LoginAttempt } from './provider.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * The address at which a sign-in starts: authorization code with state, nonce and PKCE.
 *
 * @param parameters of the request that asked to sign in
 */
export function authorizationUrl(
  settings: OpenIdSettings,
  { authorizationEndpoint }: OpenIdMetadata,
  attempt: LoginAttempt,
  parameters: readonly (readonly [string, string])[],
  isFormPost: boolean,
): string {
  const url = new URL(authorizationEndpoint);
  // Configured parameters override the request's, the sidecar's own override both.
  for (const [name, value] of [...parameters, ...settings.loginParameters])
    url.searchParams.set(name, value);
  const ownParameters: Record<string, string> = {
    client_id: settings.clientId,
    response_type: 'code',
    redirect_uri: attempt.redirectUri,
    scope: settings.scopes.join(' '),
    state: attempt.state,
    ...omitUndefined({ nonce: attempt.nonce }),
    code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(isFormPost && { response_mode: 'form_post' }),
    ...stepUpParameters(settings, attempt.stepUp),
  };
  for (const [name, value] of Object.entries(ownParameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The parameters that ask for a stronger or more recent sign-in (OpenID Connect Core 3.1.2.1). */
function stepUpParameters(
  { flavor }: OpenIdSettings,
  stepUp: LoginAttempt['stepUp'],
): Record<string, string> {
  if (stepUp === undefined) return {};
  const { acrValues, maxAge } = stepUp;
  // The directory takes authentication contexts by the claims parameter.
  const acrs = { id_token: { acrs: { essential: true, values: acrValues } } };
  return {
    ...(acrValues.length !== 0 && { acr_values: acrValues.join(' ') }),
    ...(acrValues.length > 0 && flavor === 'directory' && { claims: JSON.stringify(acrs) }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  };
}

/**
 * The address at which the provider signs out, too (OpenID Connect RP-Initiated Logout 1.0).
 *
 * @param idToken of the session. @param returnTo where the provider sends the browser afterwards
 */
export function endSessionUrl(
  { clientId }: OpenIdSettings,
  endSessionEndpoint: string,
  idToken: string | undefined,
  returnTo: string,
  state: string,
): string {
  const url = new URL(endSessionEndpoint);
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', returnTo);
  url.searchParams.set('state', state);
  return url.href;
}
