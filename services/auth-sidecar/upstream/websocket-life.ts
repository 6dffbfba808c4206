import type { Runtime } from '../runtime.js';
import type { Authentication } from '../session/authentication.js';

/** The longest that a timer can be set for, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/**
 * Keeps a connection from outliving what opened it: it ends with the session's sign-out or expiry, or with the bearer token.
 *
 * @returns what to call when the connection has closed by itself
 */
export function endWithSession(runtime: Runtime, authentication: Authentication, end: () => void): () => void {
  if (authentication.kind !== 'signed-in') return () => undefined;
  const { session, until } = authentication;
  const endsAt = session?.expiresAt ?? until;
  const lifetime = endsAt === undefined ? undefined : (endsAt - runtime.now()) * 1000;
  const timer = lifetime === undefined || lifetime > longestTimer ? undefined : setTimeout(end, Math.max(lifetime, 0));
  const release = session === undefined ? undefined : runtime.live.hold(session, runtime.keeper, end);
  return () => {
    clearTimeout(timer);
    release?.();
  };
}
