import type { Provider, SignedIn } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { type Session, startSession, tokenHash, withinBounds } from '../session/session.js';
import { guardStore } from '../session/guard-store.js';
import { admit } from '../session/admission.js';

/**
 * Starts a session for a completed sign-in and stores its tokens.
 *
 * @param times its ends. @default those of the configuration
 * @throws Refusal 403 when the rules do not admit the person, 503 when the store
 *   cannot be reached
 */
export async function establish(
  runtime: Runtime,
  provider: Provider,
  signIn: SignedIn,
  times?: SessionTimes,
): Promise<Session> {
  admit(provider, signIn.identity, runtime.settings);
  const session = withinBounds(
    startSession(provider.key, signIn.identity, times ?? sessionTimes(runtime, signIn.expiresAt), {
      madeFrom: hashOfSource(signIn),
    }),
    provider.decisive,
  );
  await guardStore(runtime, () => runtime.keeper.save(session, signIn.tokens));
  return session;
}

/** The hash of the token that a session is made from. */
function hashOfSource({ tokens }: SignedIn): string | undefined {
  const token = tokens.idToken ?? tokens.authenticationToken ?? tokens.accessToken;
  return token === undefined ? undefined : tokenHash(token);
}

/** When a session started, and its ends. */
export type SessionTimes = Pick<Session, 'issuedAt' | 'expiresAt' | 'renewableUntil'>;

/** The end of a session that starts or is renewed now, by the configured convention. */
export function sessionTimes(runtime: Runtime, providerExpiry: number | undefined): SessionTimes {
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

/** The `user.userId` of a session response. */
export function userId(runtime: Runtime, session: Session): string {
  return runtime.settings.dialect === 'azure' ? `sid:${session.identity.id}` : session.identity.id;
}
