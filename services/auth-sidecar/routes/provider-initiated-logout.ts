import { hash } from 'node:crypto';
import { trimEnd } from '../../../core/text/trim-end.js';
import { recordRefusal } from '../audit-trail.js';
import { type Answer, emptyAnswer, jsonAnswer } from '../http/answer.js';
import { trimWhitespace } from '../http/field-value.js';
import { Refusal } from '../http/refusal.js';
import type { Provider } from '../providers/provider.js';
import {
  statementRefusal,
  type SessionSubject,
  type Statement,
} from '../providers/session-statements.js';
import type { Runtime } from '../runtime.js';
import { cookieSession } from '../session/authentication.js';
import { clearSessionCookies } from '../session/cookies.js';
import { endSessions } from '../session/list-and-end-sessions.js';
import { callSessionStore } from '../session/call-session-store.js';
import { canonicalIssuer } from '../session/claims.js';
import { personOf } from '../session/session.js';
import type { CheckedRequest } from '../checked-request.js';
import { readBody, readParameters } from './request-body.js';

/**
 * `POST {prefix}/logout/backchannel`: a provider ends sessions of a person (OpenID Connect
 * Back-Channel Logout 1.0). 200, or 400 for a token that its section 2.6 refuses.
 */
export function backChannelLogout(request: CheckedRequest): Promise<Answer> {
  return answerRefusals(request, async () => {
    requireType(request, 'application/x-www-form-urlencoded');
    const text = (await readBody(request.inbound)).toString('utf8');
    const token = readParameters(text, ['logout_token']).get('logout_token');
    if (token === undefined) throw statementRefusal('logout_token is missing');
    const statement = await verifyStatement(request, (each) => each.statements?.logout(token));
    const now = request.runtime.now();
    if (statement.issuedAt < now - maxLogoutTokenAgeSeconds)
      throw statementRefusal('it is older than a day');
    if (!(await endSessionsOnce(request, statement, now + 2 * maxLogoutTokenAgeSeconds)))
      throw statementRefusal('it was delivered before');
    return emptyAnswer(200, {});
  });
}

/**
 * `POST {prefix}/events`: a transmitter delivers a security event (RFC 8935). 202, or 400 with the
 * reason; a second delivery changes nothing.
 */
export function receiveEvent(request: CheckedRequest): Promise<Answer> {
  return answerRefusals(request, async () => {
    requireType(request, 'application/secevent+jwt');
    const token = trimEnd((await readBody(request.inbound)).toString('latin1'), ' \t\r\n');
    const { serialized: origin } = request.arrival.origin;
    const audiences = [origin, `${origin}${request.runtime.settings.apiPrefix}/events`];
    const statement = await verifyStatement(request, (each) =>
      each.statements?.event(token, audiences),
    );
    const now = request.runtime.now();
    if (statement.issuedAt < now - maxEventAgeSeconds)
      throw statementRefusal('it is older than a week');
    await endSessionsOnce(request, statement, now + 2 * maxEventAgeSeconds);
    return emptyAnswer(202, {});
  });
}

/**
 * `GET {prefix}/logout/frontchannel?iss&sid`: a page of the provider loads it in a frame to end its
 * session here (OpenID Connect Front-Channel Logout 1.0). The provider's session id alone decides:
 * browsers send no cookies of this app into frames of other sites.
 */
export async function frontChannelLogout(request: CheckedRequest): Promise<Answer> {
  const { runtime, target, credentials } = request;
  const parameters = readParameters(target.query, ['iss', 'sid']);
  const [iss, sid] = [parameters.get('iss'), parameters.get('sid')];
  if (iss === undefined || sid === undefined)
    throw new Refusal(400, 'iss and sid are required.', { code: 'invalid_request' });
  const issuer = canonicalIssuer(iss);
  const browserSession = cookieSession(runtime, credentials);
  const endsBrowserSession =
    browserSession !== undefined &&
    browserSession !== 'broken' &&
    personOf(browserSession.provider, browserSession.identity).issuer === issuer &&
    browserSession.identity.claims['sid'] === sid;
  // Anyone may send this request, so an unknown session neither lists all sessions nor is stored.
  if (
    await callSessionStore(runtime, () => runtime.sessionRegister.hasProviderSession(issuer, sid))
  ) {
    await endSessions(runtime, { issuer, sid }, endDetails(request, 'front-channel logout'));
    await callSessionStore(runtime, () =>
      runtime.sessionRegister.removeProviderSession(issuer, sid),
    );
  }
  const presentNames = credentials.cookies.sidecar.map(([name]) => name);
  return emptyAnswer(
    200,
    endsBrowserSession
      ? { 'Set-Cookie': clearSessionCookies(credentials.cookieNames, presentNames) }
      : {},
  );
}

/** How old a logout token may be, in seconds. */
const maxLogoutTokenAgeSeconds = 24 * 3600;
/** How old an event may be when it is delivered, in seconds. */
const maxEventAgeSeconds = 7 * 24 * 3600;

function requireType({ headers }: CheckedRequest, type: string): void {
  const [contentType = ''] = (headers.contentType ?? '').split(';');
  if (trimWhitespace(contentType).toLowerCase() !== type)
    throw statementRefusal(`the body must be ${type}`);
}

/** The statement, by the provider that signed it. @throws Refusal 400 */
async function verifyStatement(
  { runtime }: CheckedRequest,
  verify: (provider: Provider) => Promise<Statement> | undefined,
): Promise<Statement> {
  let refusal: Refusal | undefined;
  for (const provider of runtime.providers.values()) {
    try {
      const statement = await verify(provider);
      if (statement !== undefined) return statement;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The reason of the provider that it names says more than that of the others.
      if (refusal === undefined || refusal.options.code === 'invalid_issuer') refusal = error;
    }
  }
  throw refusal ?? statementRefusal('no provider here sends such tokens', 'invalid_issuer');
}

/**
 * Ends the sessions that a statement names.
 *
 * @param rememberedUntil until when a second delivery is recognized, in seconds since 1970
 * @returns false if it was delivered before
 */
async function endSessionsOnce(
  request: CheckedRequest,
  statement: Statement,
  rememberedUntil: number,
): Promise<boolean> {
  const { runtime } = request;
  const key = `statement-${hash('sha256', statement.id, 'base64url')}`;
  if (!(await callSessionStore(runtime, () => runtime.sessionStore.addKey(key, rememberedUntil))))
    return false;
  try {
    for (const { reason, ...subject } of statement.endedSubjects)
      for (const selector of await sessionSelectors(runtime, subject))
        await endSessions(runtime, selector, endDetails(request, reason));
  } catch (error) {
    await callSessionStore(runtime, () => runtime.sessionStore.removeKey(key)); // the sender will try again
    throw error;
  }
  return true;
}

/** The sessions to end; for an e-mail address, those of each person of the issuer who has it. */
async function sessionSelectors(
  runtime: Runtime,
  { email, ...selector }: SessionSubject,
): Promise<readonly Omit<SessionSubject, 'email'>[]> {
  if (email === undefined) return [selector];
  const sessions = await callSessionStore(runtime, () => runtime.sessionRegister.list());
  return sessions.flatMap(({ provider, identity }) => {
    const person = personOf(provider, identity);
    const address = String(identity.claims['email'] ?? '');
    return person.issuer === selector.issuer && address.toLowerCase() === email.toLowerCase()
      ? [{ ...selector, subject: person.subject }]
      : [];
  });
}

function endDetails({ id, target, arrival }: CheckedRequest, reason: string) {
  return { client: arrival.client, path: target.path, reason, requestId: id };
}

/** Answers refusals as both standards say, and writes them to the audit. */
async function answerRefusals(
  request: CheckedRequest,
  action: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    recordRefusal(request, error);
    const { code = 'invalid_request' } = error.options;
    const isEvent = request.target.path.endsWith('/events');
    return isEvent
      ? jsonAnswer(400, { err: code, description: error.message }, { 'Content-Language': 'en' })
      : jsonAnswer(400, { error: 'invalid_request', error_description: error.message });
  }
}
