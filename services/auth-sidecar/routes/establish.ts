import { Refusal } from '../http/refusal.js';
import type { Provider, SignedIn } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { type Session, startSession, withinBounds } from '../session/session.js';
import { checkEmailDomain } from '../session/identity.js';

/**
 * Starts a session for a completed sign-in and stores its tokens.
 *
 * @throws Refusal 403 when the e-mail address is not in an allowed domain, 503 when the store
 *   cannot be reached
 */
export async function establish(
  runtime: Runtime,
  provider: Provider,
  signIn: SignedIn,
): Promise<Session> {
  checkEmailDomain(signIn.identity, provider.vouchesForEmail, runtime.settings.emailDomains);
  const session = withinBounds(
    startSession(provider.key, signIn.identity, sessionTimes(runtime, signIn.expiresAt)),
  );
  await guardStore(runtime, () => runtime.keeper.save(session, signIn.tokens));
  return session;
}

/** The end of a session that starts or is renewed now, by the configured convention. */
export function sessionTimes(
  runtime: Runtime,
  providerExpiry: number | undefined,
): Pick<Session, 'issuedAt' | 'expiresAt' | 'renewableUntil'> {
  const { session, tokens } = runtime.settings;
  const issuedAt = runtime.now();
  const expiresAt =
    session.providerDerived && providerExpiry !== undefined
      ? Math.max(providerExpiry, issuedAt)
      : issuedAt + session.seconds;
  return {
    issuedAt,
    expiresAt,
    renewableUntil: tokens.enabled ? expiresAt + tokens.graceSeconds : expiresAt,
  };
}

/** Runs an operation on the store; fails when the store can't be reached. */
export async function guardStore<T>(runtime: Runtime, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    runtime.metrics.count('store_failures_total');
    runtime.storeFailed(error as Error);
    throw new Refusal(503, 'The session store is not available. Try again in a moment.', {
      code: 'store_unavailable',
      headers: { 'Retry-After': '5' },
    });
  }
}

/** The `user.userId` of a session response. */
export function userId(runtime: Runtime, session: Session): string {
  return runtime.settings.dialect === 'azure' ? `sid:${session.identity.id}` : session.identity.id;
}
