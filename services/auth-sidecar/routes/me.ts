import { type Answer, jsonAnswer } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import { authenticate } from '../session/authentication.js';
import { principalClaims } from '../session/principal.js';
import { sessionClearingRefusal, unauthenticatedRefusal } from './unauthenticated-refusals.js';
import type { CheckedRequest } from '../checked-request.js';

/** `GET {prefix}/me`: the signed-in user's claims and tokens, for the app's own pages only. */
export async function answerMe(request: CheckedRequest): Promise<Answer> {
  const { runtime, credentials, headers } = request;
  if (!runtime.sessionStore.keepsTokens) throw new Refusal(404, 'The token store is off.');
  const authentication = await authenticate(runtime, credentials);
  if (authentication.kind !== 'signed-in')
    throw (
      authentication.verificationFailure ??
      (authentication.mustClearCookie
        ? sessionClearingRefusal(request)
        : unauthenticatedRefusal(request))
    );
  if (authentication.via === 'cookie' && runtime.crossSiteGuard.isFromOtherSite(headers))
    throw new Refusal(403, 'This is for pages of this app only.', { code: 'cross_site_request' });
  const { identity, provider, tokens = {} } = authentication;
  const { dialect } = runtime.settings;
  const entry = {
    provider_name: provider.pathNames[0],
    user_id: dialect === 'azure' ? identity.name : identity.id,
    user_claims: principalClaims(identity, dialect),
    access_token: tokens.accessToken,
    access_token_secret: tokens.accessTokenSecret,
    authentication_token: tokens.authenticationToken,
    id_token: tokens.idToken,
    refresh_token: tokens.refreshToken,
    expires_on:
      tokens.expiresOn === undefined ? undefined : new Date(tokens.expiresOn * 1000).toISOString(),
  };
  return jsonAnswer(200, [entry], { 'Cross-Origin-Resource-Policy': 'same-origin' });
}
