import type { CheckedRequest } from './checked-request.js';
import { decideAccess } from './gate.js';
import { Refusal } from './http/refusal.js';
import type { Runtime } from './runtime.js';
import { type Authentication, type SignedIn } from './session/authentication.js';
import { isReevaluationDue } from './session/reevaluation.js';
import { type Session, startSession } from './session/session.js';

/**
 * Closes a connection within 2 seconds of the end of the session, or bearer token, that opened it:
 * at its sign-out or expiry, and when its request is no longer admitted, by a changed configuration
 * or by what the provider says when it is asked again.
 *
 * @returns a function to call when the connection has closed itself
 */
export function closeWithSession(
  request: CheckedRequest,
  authentication: Authentication,
  isWebSocket: boolean,
  end: () => void,
): () => void {
  if (authentication.kind !== 'signed-in') return () => undefined;
  const { live, now, current } = request.runtime;
  const { session, until } = authentication;
  const endsAt = session?.expiresAt ?? until;
  const borne = session ?? sessionOfBearer(authentication, endsAt ?? now());
  let decidedBy = request.runtime;
  const isAdmitted = async (): Promise<boolean> => {
    const runtime = current();
    const state = await stateOf(runtime, session, borne);
    if (state === 'valid' && decidedBy === runtime) return true;
    if (state === 'ended') return false;
    decidedBy = runtime;
    return isAdmittedBy(runtime, request, isWebSocket);
  };
  // A renewed session has the same id and ends later, so that this is for each connection.
  const isOver = (): boolean => endsAt !== undefined && endsAt <= now();
  return live.hold(borne.id, { isOver, isAdmitted, end });
}

/** `due`: the provider has to be asked again. */
async function stateOf(
  runtime: Runtime,
  session: Session | undefined,
  borne: Session,
): Promise<'valid' | 'due' | 'ended'> {
  if (session === undefined)
    return (await runtime.keeper.wasPersonEnded(borne)) ? 'ended' : 'valid';
  const record = await runtime.keeper.readRecord(session);
  if (record.revoked) return 'ended';
  return isReevaluationDue(runtime, session, record) ? 'due' : 'valid';
}

async function isAdmittedBy(
  runtime: Runtime,
  request: CheckedRequest,
  isWebSocket: boolean,
): Promise<boolean> {
  try {
    const verdict = await decideAccess({ ...request, runtime }, isWebSocket);
    return verdict.kind === 'forward' && verdict.authentication.kind === 'signed-in';
  } catch (error) {
    // Without the provider no one is admitted unchecked.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A bearer token as a session that is never stored, from its issue to its end. */
function sessionOfBearer({ provider, identity }: SignedIn, expiresAt: number): Session {
  const issuedAt = Number(identity.claims['iat'] ?? 0);
  const times = { issuedAt, expiresAt, renewableUntil: expiresAt };
  return startSession(provider.key, identity, times);
}
