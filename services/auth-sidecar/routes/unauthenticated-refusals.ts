import { Refusal } from '../http/refusal.js';
import { clearSessionCookies } from '../session/cookies.js';
import { bearerChallenge } from '../sign-in-answers.js';
import type { CheckedRequest } from '../checked-request.js';

/** The refusal of a request whose session cookie is invalid or has ended; clears the cookie. */
export function sessionClearingRefusal(request: CheckedRequest): Refusal {
  const { cookieNames, cookies } = request.credentials;
  return unauthenticatedRefusal(request, {
    'Set-Cookie': clearSessionCookies(
      cookieNames,
      cookies.sidecar.map(([name]) => name),
    ),
  });
}

/** The refusal of a request without a session. */
export function unauthenticatedRefusal(
  request: CheckedRequest,
  extraHeaders: Record<string, string[]> = {},
): Refusal {
  const challengeHeader: Record<string, string> = request.runtime.settings.omitsChallenge
    ? {}
    : { 'WWW-Authenticate': bearerChallenge(request, false) };
  const headers = { ...extraHeaders, ...challengeHeader };
  return new Refusal(401, 'You have to sign in first.', { code: 'unauthenticated', headers });
}
