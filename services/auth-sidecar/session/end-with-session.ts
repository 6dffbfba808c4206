import type { Runtime } from '../runtime.js';
import type { Authentication } from './authentication.js';
import type { Identity } from './identity.js';
import { type Session, startSession } from './session.js';

/** The longest time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/**
 * Closes a connection with the session that opened it: at its sign-out or expiry, or with the
 * bearer token.
 *
 * @returns a function to call when the connection has closed itself
 */
export function endWithSession(
  runtime: Runtime,
  authentication: Authentication,
  end: () => void,
): () => void {
  if (authentication.kind !== 'signed-in') return () => undefined;
  const { session, until, provider, identity } = authentication;
  const endsAt = session?.expiresAt ?? until;
  const lifetime = endsAt === undefined ? undefined : (endsAt - runtime.now()) * 1000;
  const timer =
    lifetime === undefined || lifetime > longestTimer
      ? undefined
      : setTimeout(end, Math.max(lifetime, 0));
  const { live, keeper } = runtime;
  const borne = session ?? sessionOfBearer(provider.key, identity, endsAt ?? runtime.now());
  const hasEnded = (): Promise<boolean> =>
    session === undefined ? keeper.wasPersonEnded(borne) : keeper.wasEnded(session);
  const release = live.hold(borne, hasEnded, end);
  return () => {
    clearTimeout(timer);
    release();
  };
}

/** A bearer token as a session that is never stored, from its issue to its end. */
function sessionOfBearer(provider: string, identity: Identity, expiresAt: number): Session {
  const issuedAt = Number(identity.claims['iat'] ?? 0);
  return startSession(provider, identity, { issuedAt, expiresAt, renewableUntil: expiresAt });
}
