import type { Runtime } from '../runtime.js';
import type { Authentication } from './authentication.js';
import type { Identity } from './identity.js';
import { type Session, startSession } from './session.js';

/**
 * Closes a connection within 2 seconds of the end of the session, or bearer token, that opened it:
 * at its sign-out or expiry.
 *
 * @returns a function to call when the connection has closed itself
 */
export function closeWithSession(
  runtime: Runtime,
  authentication: Authentication,
  end: () => void,
): () => void {
  if (authentication.kind !== 'signed-in') return () => undefined;
  const { session, until, provider, identity } = authentication;
  const endsAt = session?.expiresAt ?? until;
  const { live, keeper, now } = runtime;
  const borne = session ?? sessionOfBearer(provider.key, identity, endsAt ?? now());
  const hasEnded = (): Promise<boolean> =>
    session === undefined ? keeper.wasPersonEnded(borne) : keeper.wasEnded(session);
  // A renewed session has the same id and ends later, so that this is for each connection.
  const isOver = (): boolean => endsAt !== undefined && endsAt <= now();
  return live.hold(borne, hasEnded, { isOver, end });
}

/** A bearer token as a session that is never stored, from its issue to its end. */
function sessionOfBearer(provider: string, identity: Identity, expiresAt: number): Session {
  const issuedAt = Number(identity.claims['iat'] ?? 0);
  return startSession(provider, identity, { issuedAt, expiresAt, renewableUntil: expiresAt });
}
