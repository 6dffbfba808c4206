import { reasonOfRefusal, recordEvent, recordRefusal } from '../audit-trail.js';
import { type Answer, jsonAnswer } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import { cookieSession, readSessionRecord } from '../session/authentication.js';
import { sessionSetCookies } from '../session/cookies.js';
import { callSessionStore } from '../session/call-session-store.js';
import { endsSession, renewOnce } from '../session/renewal.js';
import { type Session, createSession, fitToCookies } from '../session/session.js';
import type { Provider } from '../providers/provider.js';
import { sessionTimes, userId } from './session-start.js';
import { sessionClearingRefusal, unauthenticatedRefusal } from './unauthenticated-refusals.js';
import type { CheckedRequest } from '../checked-request.js';

/**
 * `{prefix}/refresh`: stores new provider tokens and renews the session, also within the grace
 * period after its end. Access is decided again, by the newest claims and the current rules. 401
 * without a session, 400 if the provider cannot refresh, 403 when the provider or a rule refuses.
 */
export async function refresh(request: CheckedRequest): Promise<Answer> {
  const { runtime, headers, credentials, arrival } = request;
  const viaHeader = headers.session !== undefined;
  const session = viaHeader
    ? runtime.sessionCodec.open(headers.session ?? '', 'token', arrival.origin.serialized)
    : cookieSession(runtime, credentials);
  if (session === 'broken') throw sessionClearingRefusal(request);
  if (session === undefined) throw unauthenticatedRefusal(request);
  const provider = runtime.providers.get(session.provider);
  if (
    provider === undefined ||
    Math.max(session.renewableUntil, session.expiresAt) <= runtime.now()
  )
    throw unauthenticatedRefusal(request);
  if (!viaHeader && runtime.crossSiteGuard.isFromOtherSite(headers))
    throw new Refusal(403, 'This is for pages of this app only.', { code: 'cross_site_request' });
  const record = await readSessionRecord(runtime, session);
  if (record.revoked)
    throw viaHeader ? unauthenticatedRefusal(request) : sessionClearingRefusal(request);
  if (record.isUnreadable) throw unauthenticatedRefusal(request);
  if (provider.refresh === undefined || !runtime.sessionStore.keepsTokens)
    throw new Refusal(400, 'Refreshing is not supported for this session.', {
      code: 'refresh_not_supported',
    });
  const renewal = renewOnce(runtime, provider, session, record, 'tokens');
  const { tokens, evaluation } = await renewal.catch((error: unknown) => {
    recordRefusedRefresh(request, provider, session, error);
    throw error;
  });
  const renewedSession = fitToCookies(
    createSession(
      session.provider,
      evaluation.identity,
      sessionTimes(runtime, tokens.expiresOn),
      session,
    ),
    provider.claimsUsedByRules,
  );
  // Its entries live as long as the renewed session.
  await callSessionStore(runtime, async () => {
    await runtime.sessionStore.save(renewedSession, tokens, evaluation);
    await runtime.sessionRegister.add(renewedSession);
  });
  // An operator may have ended the earlier session in the meantime.
  if ((await readSessionRecord(runtime, session)).revoked) {
    await callSessionStore(runtime, () => runtime.sessionStore.end(renewedSession, runtime.now()));
    throw unauthenticatedRefusal(request);
  }
  recordEvent(request, 'refreshed', {
    provider,
    identity: renewedSession.identity,
    session: renewedSession,
  });
  const carrier = viaHeader ? 'token' : 'cookie';
  const value = runtime.sessionCodec.seal(renewedSession, carrier, arrival.origin.serialized);
  if (viaHeader)
    return jsonAnswer(200, {
      authenticationToken: value,
      user: { userId: userId(runtime, renewedSession) },
    });
  const presentCookieNames = credentials.cookies.sidecar.map(([name]) => name);
  const cookies = sessionSetCookies(
    value,
    renewedSession.renewableUntil - renewedSession.issuedAt,
    credentials.cookieNames,
    presentCookieNames,
  );
  return jsonAnswer(
    200,
    { expires_on: new Date(renewedSession.expiresAt * 1000).toISOString() },
    { 'Set-Cookie': cookies },
  );
}

/** Writes a refused refresh, which may have ended the session. */
function recordRefusedRefresh(
  request: CheckedRequest,
  provider: Provider,
  session: Session,
  error: unknown,
): void {
  if (!(error instanceof Refusal) || error.status >= 500) return;
  const subject = { provider, identity: session.identity, session };
  recordRefusal(request, error, subject);
  if (!endsSession(error)) return;
  const { rule } = error.options;
  recordEvent(request, 'ended', subject, { rule, reason: reasonOfRefusal(error) });
}
