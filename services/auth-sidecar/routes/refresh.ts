import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, jsonAnswer } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import type { Provider, Tokens } from '../providers/provider.js';
import { providerPatience } from '../providers/provider-http.js';
import type { Runtime } from '../runtime.js';
import { cookieSession, lookUp } from '../session/authentication.js';
import { sessionSetCookies } from '../session/cookies.js';
import { type Session, startSession } from '../session/session.js';
import { guardStore, sessionTimes, userId } from './establish.js';
import { refuseEndedSession, refuseUnauthenticated } from './me.js';
import type { OwnRequest } from './own-request.js';

/** Running refreshes in this process by session: two at once make one call. */
const underWay = new Map<string, Promise<Tokens>>();

/**
 * `{prefix}/refresh`: stores new provider tokens and renews the session, also within the grace
 * period after its end. 401 without a session, 400 if the provider cannot refresh, 403 when it
 * refuses.
 */
export async function refresh(request: OwnRequest): Promise<Answer> {
  const { runtime, headers, credentials, arrival } = request;
  const viaHeader = headers.session !== undefined;
  const match = viaHeader
    ? runtime.sessions.open(headers.session ?? '', 'token', arrival.origin.origin)
    : cookieSession(runtime, credentials);
  if (match === 'broken') throw refuseEndedSession(request);
  if (match === undefined) throw refuseUnauthenticated(request);
  const provider = runtime.providers.get(match.provider);
  if (provider === undefined || Math.max(match.renewableUntil, match.expiresAt) <= runtime.now())
    throw refuseUnauthenticated(request);
  if (!viaHeader && runtime.guard.isForeign(headers))
    throw new Refusal(403, 'This is for pages of this app only.', { code: 'cross_site_request' });
  const record = await lookUp(runtime, match);
  if (record.revoked)
    throw viaHeader ? refuseUnauthenticated(request) : refuseEndedSession(request);
  if (provider.refresh === undefined || !runtime.keeper.keepsTokens)
    throw new Refusal(400, 'Refreshing is not supported for this session.', {
      code: 'refresh_not_supported',
    });
  const tokens = await renewOnce(runtime, provider, match, record.tokens);
  const session = startSession(
    match.provider,
    match.identity,
    sessionTimes(runtime, tokens.expiresOn),
    match.id,
  );
  const carrier = viaHeader ? 'token' : 'cookie';
  const value = runtime.sessions.seal(session, carrier, arrival.origin.origin);
  if (viaHeader)
    return jsonAnswer(200, {
      authenticationToken: value,
      user: { userId: userId(runtime, session) },
    });
  const present = credentials.cookies.own.map(([name]) => name);
  const cookies = sessionSetCookies(
    value,
    session.renewableUntil - session.issuedAt,
    credentials.names,
    present,
  );
  return jsonAnswer(
    200,
    { expires_on: new Date(session.expiresAt * 1000).toISOString() },
    { 'Set-Cookie': cookies },
  );
}

function renewOnce(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  tokens: Tokens | undefined,
): Promise<Tokens> {
  let renewal = underWay.get(session.id);
  if (renewal === undefined) {
    renewal = renew(runtime, provider, session, tokens).finally(() => underWay.delete(session.id));
    underWay.set(session.id, renewal);
  }
  return renewal;
}

/**
 * One replica refreshes; the others wait for its result, because a refresh token often works only
 * once.
 */
async function renew(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  tokens: Tokens | undefined,
): Promise<Tokens> {
  const lock = `refresh-${session.tokensKey}`;
  const patience = Math.ceil(providerPatience / 1000) + 5;
  if (!(await guardStore(runtime, () => runtime.keeper.useOnce(lock, runtime.now() + patience))))
    return awaitOther(runtime, session, tokens, patience);
  try {
    const signIn = await provider.refresh?.(tokens ?? {}, AbortSignal.timeout(providerPatience));
    if (signIn === undefined)
      throw new Refusal(400, 'Refreshing is not supported for this session.', {
        code: 'refresh_not_supported',
      });
    await stillThere(runtime, session);
    await guardStore(runtime, () =>
      runtime.keeper.save({ ...session, ...sessionTimes(runtime, signIn.expiresOn) }, signIn),
    );
    runtime.metrics.count('token_refreshes_total', { outcome: 'renewed' });
    return signIn;
  } catch (error) {
    runtime.metrics.count('token_refreshes_total', { outcome: 'failed' });
    throw error;
  } finally {
    await guardStore(runtime, () => runtime.keeper.release(lock));
  }
}

/** Tokens must not be stored for a session that was signed out during the call. */
async function stillThere(runtime: Runtime, session: Session): Promise<void> {
  if ((await lookUp(runtime, session)).revoked)
    throw new Refusal(401, 'The session has ended.', { code: 'unauthenticated' });
}

async function awaitOther(
  runtime: Runtime,
  session: Session,
  before: Tokens | undefined,
  seconds: number,
): Promise<Tokens> {
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    await pause(100);
    const { revoked, tokens } = await lookUp(runtime, session);
    if (revoked) throw new Refusal(401, 'The session has ended.', { code: 'unauthenticated' });
    if (tokens !== undefined && JSON.stringify(tokens) !== JSON.stringify(before)) return tokens;
    const [lock] = await guardStore(runtime, () =>
      runtime.store.read([`refresh-${session.tokensKey}`]),
    );
    if (lock === undefined) break;
  }
  throw new Refusal(403, 'The identity provider refused to refresh.', { code: 'refresh_failed' });
}
