import type { CheckedRequest } from './checked-request.js';
import { decideAccess, type RequestedProtocol } from './decide-access.js';
import { Refusal } from './http/refusal.js';
import type { Runtime } from './runtime.js';
import { type Authentication, type SignedIn } from './session/authentication.js';
import { parseNumericDate } from './session/claims.js';
import { isReevaluationDue } from './session/reevaluation.js';
import { type Session, createSession } from './session/session.js';

/**
 * Closes a connection within 2 seconds after the session, or bearer token, that opened it has ended:
 * by a sign-out, by its expiry, or because its request is no longer admitted by a changed
 * configuration or a new answer of the provider.
 *
 * @returns a function to call when the connection has closed by itself
 */
export function closeWithSession(
  request: CheckedRequest,
  authentication: Authentication,
  protocol: RequestedProtocol,
  closeConnection: () => void,
): () => void {
  if (authentication.kind !== 'signed-in') return () => undefined;
  const { liveConnections, now, currentRuntime } = request.runtime;
  const { session, expiresAt } = authentication;
  const endsAt = session?.expiresAt ?? expiresAt;
  const effectiveSession = session ?? sessionOfBearerToken(authentication, endsAt ?? now());
  let admittingRuntime = request.runtime;
  const isAdmitted = async (): Promise<boolean> => {
    const runtime = currentRuntime();
    const state = await sessionState(runtime, session, effectiveSession);
    if (state === 'valid' && admittingRuntime === runtime) return true;
    if (state === 'ended') return false;
    admittingRuntime = runtime;
    return isAdmittedBy(runtime, request, protocol);
  };
  // A renewed session has the same id and ends later, but does not extend the connection.
  const isExpired = (): boolean => endsAt !== undefined && endsAt <= now();
  return liveConnections.add(effectiveSession.id, {
    isExpired,
    isAdmitted,
    end: closeConnection,
  });
}

/** Whether a session goes on. `due`: only after the provider was asked about the person again. */
async function sessionState(
  runtime: Runtime,
  session: Session | undefined,
  effectiveSession: Session,
): Promise<'valid' | 'due' | 'ended'> {
  // A bearer token has no record. Before it expires, it ends when sessions of its person, its issuer
  // or everyone are ended.
  if (session === undefined)
    return (await runtime.sessionStore.isBeforeCutoff(effectiveSession)) ? 'ended' : 'valid';
  const record = await runtime.sessionStore.readRecord(session);
  if (record.revoked) return 'ended';
  return isReevaluationDue(runtime, session, record) ? 'due' : 'valid';
}

async function isAdmittedBy(
  runtime: Runtime,
  request: CheckedRequest,
  protocol: RequestedProtocol,
): Promise<boolean> {
  try {
    const decision = await decideAccess({ ...request, runtime }, protocol);
    return decision.kind === 'forward' && decision.authentication.kind === 'signed-in';
  } catch (error) {
    // Also if the provider can't be reached: no connection stays open unchecked.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A bearer token as a session that is never stored, from its issue to its end. */
function sessionOfBearerToken({ provider, identity }: SignedIn, expiresAt: number): Session {
  const issuedAt = parseNumericDate(identity.claims['iat']) ?? 0;
  const times = { issuedAt, expiresAt, renewableUntil: expiresAt };
  return createSession(provider.key, identity, times);
}
