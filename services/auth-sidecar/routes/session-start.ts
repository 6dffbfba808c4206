import { reasonOfRefusal, recordEvent, recordRefusal } from '../audit-trail.js';
import { Refusal } from '../http/refusal.js';
import type { Provider, CompletedSignIn } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { type Session, createSession, tokenHash, fitToCookies } from '../session/session.js';
import { endSession } from '../session/list-and-end-sessions.js';
import { callSessionStore } from '../session/call-session-store.js';
import { requireAdmission, admissionRuleNames } from '../session/admission.js';
import type { Identity } from '../session/identity.js';
import type { IdentityEvaluation } from '../session/session-store.js';
import type { CheckedRequest } from '../checked-request.js';

/**
 * Starts a session for a completed sign-in and stores its tokens.
 *
 * @param providerAskedAt when the provider was asked.
 * @param times when the session starts and ends. @default those of the configuration
 * @throws Refusal 403 when the rules do not admit the person, 401 when their sessions were ended
 *   since the provider was asked, 503 when the store cannot be reached
 */
export async function establishSession(
  runtime: Runtime,
  provider: Provider,
  signIn: CompletedSignIn,
  { providerAskedAt, times }: { readonly providerAskedAt: Date; readonly times?: SessionTimes },
): Promise<Session> {
  requireAdmission(provider, signIn.identity, runtime.settings);
  const session = fitToCookies(
    createSession(provider.key, signIn.identity, times ?? sessionTimes(runtime, signIn.expiresAt), {
      sourceTokenHash: sourceTokenHashOf(signIn),
    }),
    provider.claimsUsedByRules,
  );
  await callSessionStore(runtime, async () => {
    await runtime.sessionStore.recordStoreStart(session);
    await runtime.sessionStore.save(session, signIn.tokens, identityBeyondCookie(signIn, session));
    await runtime.sessionRegister.add(session);
  });
  // Sessions were ended after the provider identified the person: so this one must end, too.
  if (
    await callSessionStore(runtime, () =>
      runtime.sessionStore.hasCutoffSince(session, providerAskedAt),
    )
  ) {
    await endSession(runtime, session);
    throw new Refusal(401, 'You were signed out while you signed in. Sign in again.', {
      code: 'session_ended',
    });
  }
  return session;
}

/** The identity for the store, where the cookie holds only a part of it. */
function identityBeyondCookie(
  { identity }: CompletedSignIn,
  session: Session,
): IdentityEvaluation | undefined {
  return session.identity === identity ? undefined : { identity, at: session.issuedAt };
}

/** What is known of a sign-in when it fails. */
export interface PartialSignIn {
  /** Undefined until the provider has said who it is. */
  identity?: Identity;
  /** Where the browser would land. */
  landing?: string;
}

/** Writes a completed sign-in to the audit. @param landing where the browser lands */
export function recordSignIn(
  request: CheckedRequest,
  provider: Provider,
  session: Session,
  landing?: string,
): void {
  const rule = admissionRuleNames(provider, request.runtime.settings);
  const { identity } = session;
  recordEvent(request, 'sign-in', { provider, identity, session }, { path: landing, rule });
}

/** Writes a failed sign-in, with its reason, to audit and log. */
export function recordFailedSignIn(
  request: CheckedRequest,
  provider: Provider,
  error: unknown,
  { identity, landing }: PartialSignIn,
): void {
  if (!(error instanceof Refusal)) return; // unexpected: logged where it is answered
  const { runtime, id, arrival } = request;
  recordRefusal(request, error, { provider, identity }, landing);
  runtime.log.warn('a sign-in failed', {
    id,
    provider: provider.pathNames[0],
    client: arrival.client,
    reason: reasonOfRefusal(error),
    rule: error.options.rule,
  });
}

/** The hash of the token that a session is made from. */
function sourceTokenHashOf({ tokens }: CompletedSignIn): string | undefined {
  const token = tokens.idToken ?? tokens.authenticationToken ?? tokens.accessToken;
  return token === undefined ? undefined : tokenHash(token);
}

/** When a session started, and its ends, in whole seconds: stores and cookies take no others. */
export type SessionTimes = Pick<Session, 'issuedAt' | 'expiresAt' | 'renewableUntil'>;

/**
 * The end of a session that starts or is renewed now, by the configured convention.
 *
 * @param providerExpiry it may have a fraction, as times in tokens do.
 */
export function sessionTimes(runtime: Runtime, providerExpiry: number | undefined): SessionTimes {
  const { session, tokens } = runtime.settings;
  const issuedAt = runtime.now();
  const expiresAt =
    session.providerDerived && providerExpiry !== undefined
      ? Math.max(Math.floor(providerExpiry), issuedAt)
      : issuedAt + session.lifetimeSeconds;
  return {
    issuedAt,
    expiresAt,
    renewableUntil: tokens.enabled ? expiresAt + tokens.graceSeconds : expiresAt,
  };
}

/** The `user.userId` of a session response. */
export function userId(runtime: Runtime, session: Session): string {
  return runtime.settings.dialect === 'azure' ? `sid:${session.identity.id}` : session.identity.id;
}
