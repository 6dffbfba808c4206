import type { AccessSender } from '../http/answer.js';
import type { Arrival } from '../http/origin.js';
import { Refusal } from '../http/refusal.js';
import type { ScrubbedHeaders } from '../http/request-headers.js';
import type { Provider, Tokens } from '../providers/provider.js';
import { withProviderTimeout } from '../providers/provider-http.js';
import type { Runtime } from '../runtime.js';
import { type MaybePromise, whenFulfilled } from '../maybe-promise.js';
import { type CookieNames, joinSessionCookie, type SplitCookies } from './cookies.js';
import { admissionRefusal } from './admission.js';
import { callSessionStore } from './call-session-store.js';
import type { Identity } from './identity.js';
import { personHeaders, cachedTokenLines } from './person-headers.js';
import { isReevaluationDue, reevaluate } from './reevaluation.js';
import type { Session } from './session.js';
import type { SessionRecord } from './session-store.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** Who sent a request. */
export type Authentication =
  | {
      readonly kind: 'anonymous';
      /** The session cookie is invalid, or its session has ended: the answer clears it. */
      readonly mustClearCookie: boolean;
      /** A session token or bearer token was sent that is not accepted. */
      readonly hasInvalidToken: boolean;
      /** Why a bearer token could not be verified: a provider could not be asked. */
      readonly verificationFailure?: Refusal;
      /** A person who is known, but whom the current rules do not admit. */
      readonly refusedSignIn?: RefusedPerson;
      /** The session of a cookie or token that was used after its end. */
      readonly endedSignIn?: { readonly provider: Provider; readonly session: Session };
    }
  | SignedIn;

/** A person whom the rules do not admit, and why. */
export interface RefusedPerson {
  readonly refusal: Refusal;
  readonly provider: Provider;
  readonly identity: Identity;
  /** Undefined for bearer tokens. */
  readonly session?: Session;
}

/** An identified sender. */
export interface SignedIn {
  readonly kind: 'signed-in';
  /** The session cookie, a session token in the session header, or a provider's bearer token. */
  readonly via: 'cookie' | 'header' | 'bearer';
  readonly provider: Provider;
  readonly identity: Identity;
  /** Undefined for bearer tokens. */
  readonly session?: Session;
  /** The end of a bearer token, in seconds since 1970. */
  readonly expiresAt?: number;
  /** The provider's tokens, if the token store has them. */
  readonly tokens?: Tokens;
  /** For the access log. */
  readonly sender: AccessSender;
  /** Identity header lines for the app. */
  readonly identityLines: string;
}

/** The sender of a request, for the access log; undefined if it is not signed in. */
export function senderOf(authentication: Authentication): AccessSender | undefined {
  return authentication.kind === 'anonymous' ? undefined : authentication.sender;
}

/** A request's own credentials. */
export interface Credentials {
  /** The request's id and path, for the audit. */
  readonly id: string;
  readonly target: { readonly path: string };
  readonly headers: ScrubbedHeaders;
  readonly cookies: SplitCookies;
  readonly cookieNames: CookieNames;
  readonly arrival: Arrival;
}

type Anonymous = Extract<Authentication, { kind: 'anonymous' }>;

const anonymous: Anonymous = { kind: 'anonymous', mustClearCookie: false, hasInvalidToken: false };
const anonymousWithCookieToClear: Anonymous = {
  kind: 'anonymous',
  mustClearCookie: true,
  hasInvalidToken: false,
};
const anonymousWithInvalidToken: Anonymous = {
  kind: 'anonymous',
  mustClearCookie: false,
  hasInvalidToken: true,
};

/** The identity headers by session, so that its claims are encoded once. */
const signedInSessions = new WeakMap<Session, SignedIn & { readonly runtime: Runtime }>();

/** The current decisions about sessions that are not admitted. */
const refusedSessions = new WeakMap<
  Session,
  {
    readonly runtime: Runtime;
    readonly record: SessionRecord;
    readonly authentication: Authentication;
  }
>();

/**
 * Identifies the sender of a request: by the session header, otherwise by the session cookie,
 * otherwise by a bearer token of the directory. A disabled layer identifies no one. Answers
 * synchronously if no store or provider is needed.
 *
 * @throws Refusal 503 when the store of ended sessions cannot be reached
 */
export function authenticate(
  runtime: Runtime,
  credentials: Credentials,
): MaybePromise<Authentication> {
  const { headers } = credentials;
  if (!runtime.settings.enabled) return anonymous;
  if (headers.session !== undefined)
    return authenticateByHeader(runtime, headers.session, credentials);
  if (credentials.cookies.sidecar.length > 0) {
    const match = cookieSession(runtime, credentials);
    if (match === 'broken') return tryBearerToken(runtime, credentials, anonymousWithCookieToClear);
    if (match !== undefined)
      return checkSession(runtime, credentials, match, 'cookie', (outcome) =>
        tryBearerToken(runtime, credentials, outcome),
      );
  }
  return headers.authorization === undefined
    ? anonymous
    : tryBearerToken(runtime, credentials, anonymous);
}

/** The session of the request's cookie, even if it has expired. */
export function cookieSession(
  runtime: Runtime,
  { cookies, cookieNames, arrival }: Credentials,
): Session | 'broken' | undefined {
  const { value, isBroken } = joinSessionCookie(cookies.sidecar, cookieNames);
  if (isBroken) return 'broken';
  if (value === undefined) return undefined;
  const session = runtime.sessionCodec.open(value, 'cookie', arrival.origin.serialized);
  // Another replica may know its key: clearing it would sign the person out there.
  if (session === undefined && runtime.keys.isSealedByUnknownKey(value)) return undefined;
  return session ?? 'broken';
}

function authenticateByHeader(
  runtime: Runtime,
  token: string,
  credentials: Credentials,
): MaybePromise<Authentication> {
  const { serialized: origin } = credentials.arrival.origin;
  const session = runtime.sessionCodec.open(token, 'token', origin);
  return session === undefined
    ? anonymousWithInvalidToken
    : checkSession(runtime, credentials, session, 'header', ({ endedSignIn }) =>
        endedSignIn === undefined
          ? anonymousWithInvalidToken
          : { ...anonymousWithInvalidToken, endedSignIn },
      );
}

function checkSession(
  runtime: Runtime,
  credentials: Credentials,
  session: Session,
  via: 'cookie' | 'header',
  ifAnonymous: (outcome: Anonymous) => MaybePromise<Authentication>,
): MaybePromise<Authentication> {
  const now = runtime.now();
  const provider = runtime.providers.get(session.provider);
  if (provider === undefined || session.expiresAt <= now) {
    // Within the grace period the cookie is kept: the session can be refreshed.
    const isRenewable = provider !== undefined && session.renewableUntil > now;
    return ifAnonymous(via === 'cookie' && !isRenewable ? anonymousWithCookieToClear : anonymous);
  }
  const record = readSessionRecord(runtime, session);
  const authenticateBy = (record: SessionRecord): MaybePromise<Authentication> => {
    if (record.revoked)
      return ifAnonymous({ ...anonymousWithCookieToClear, endedSignIn: { provider, session } });
    // As with a cookie that another replica encrypted: there is no session here, but it has not ended.
    if (record.isUnreadable) return ifAnonymous(anonymous);
    if (isReevaluationDue(runtime, session, record))
      return reevaluate({ runtime, ...credentials }, provider, session, record).then((renewed) =>
        renewed === 'ended'
          ? ifAnonymous(anonymousWithCookieToClear)
          : admitSession(runtime, provider, session, via, renewed),
      );
    return admitSession(runtime, provider, session, via, record);
  };
  return whenFulfilled(record, authenticateBy);
}

/** The stored state of a session. @throws Refusal 503: without the store no one is admitted */
export function readSessionRecord(runtime: Runtime, session: Session): MaybePromise<SessionRecord> {
  const unavailable = (error: unknown): never => {
    runtime.reportStoreFailure(error as Error);
    runtime.metrics.count('store_failures_total');
    throw new Refusal(503, 'The session store is not available. Try again in a moment.', {
      code: 'store_unavailable',
      headers: { 'Retry-After': '5' },
    });
  };
  let record: MaybePromise<SessionRecord>;
  try {
    record = runtime.sessionStore.readRecord(session);
  } catch (error) {
    return unavailable(error);
  }
  return record instanceof Promise ? record.catch(unavailable) : record;
}

/** The sender by a session that has not ended; refused where the current rules do not admit it. */
function admitSession(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  via: 'cookie' | 'header',
  record: SessionRecord,
): Authentication {
  const { tokens, evaluation } = record;
  const cached = signedInSessions.get(session);
  if (
    cached !== undefined &&
    cached.runtime === runtime &&
    cached.tokens === tokens &&
    cached.identity === (evaluation?.identity ?? session.identity) &&
    cached.via === via
  )
    return cached;
  const identity = evaluation?.identity ?? session.identity;
  const refused = refusedSessions.get(session);
  if (refused?.runtime === runtime && refused.record.evaluation === evaluation)
    return refused.authentication;
  const refusal = admissionRefusal(provider, identity, runtime.settings);
  if (refusal !== undefined) {
    const authentication: Authentication = {
      kind: 'anonymous',
      mustClearCookie: false,
      hasInvalidToken: false,
      refusedSignIn: { refusal, provider, identity, session },
    };
    refusedSessions.set(session, { runtime, record, authentication });
    return authentication;
  }
  const tokenLines = tokens === undefined ? '' : cachedTokenLines(tokens, provider, runtime);
  const { lines, omitted } = personHeaders(runtime, provider, identity, tokenLines);
  if (omitted.length > 0)
    runtime.log.info('the headers have no room for all that is known of a person', {
      user: identity.id,
      omitted: omitted.join(),
    });
  const signedIn = {
    kind: 'signed-in',
    runtime,
    via,
    provider,
    identity,
    session,
    sender: { via, provider: provider.pathNames[0], user: identity.id },
    identityLines: lines,
    ...(tokens && { tokens }),
  } as const;
  signedInSessions.set(session, signedIn);
  return signedIn;
}

/** The most characters of a bearer token; a longer one is ignored. */
const maxTokenLength = 12_000;

/** Authenticates by the bearer token of a request without a session; `fallback` if it has none. */
function tryBearerToken(
  runtime: Runtime,
  { headers, arrival }: Credentials,
  fallback: Anonymous,
): MaybePromise<Authentication> {
  const token =
    headers.authorization === undefined
      ? undefined
      : /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
  if (token === undefined || token.length > maxTokenLength) return fallback;
  const providers = runtime.bearerProviders;
  return providers.length === 0
    ? fallback
    : authenticateByBearerToken(runtime, providers, token, arrival.origin.serialized, fallback);
}

async function authenticateByBearerToken(
  runtime: Runtime,
  providers: readonly Provider[],
  token: string,
  origin: string,
  fallback: Anonymous,
): Promise<Authentication> {
  let verificationFailure: Refusal | undefined;
  for (const provider of providers) {
    const signIn = await withProviderTimeout(runtime, (signal) =>
      provider.verifyBearerToken?.(token, origin, signal),
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      verificationFailure = error;
    });
    if (signIn === undefined) continue;
    const { identity, expiresAt } = signIn;
    if (
      await callSessionStore(runtime, () =>
        runtime.sessionStore.wasSignedOut(provider.key, signIn, token),
      )
    )
      continue;
    const refusal = admissionRefusal(provider, identity, runtime.settings);
    if (refusal !== undefined)
      return { ...fallback, refusedSignIn: { refusal, provider, identity } };
    return {
      kind: 'signed-in',
      via: 'bearer',
      provider,
      identity,
      sender: { via: 'bearer', provider: provider.pathNames[0], user: identity.id },
      identityLines: personHeaders(runtime, provider, identity, '').lines,
      ...omitUndefined({ expiresAt }),
    };
  }
  return verificationFailure === undefined
    ? { ...fallback, hasInvalidToken: true }
    : { ...fallback, verificationFailure };
}
