import { type AuditedRequest, reasonOfRefusal, recordEvent } from '../audit-trail.js';
import { Refusal } from '../http/refusal.js';
import type { Provider } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { callSessionStore } from './call-session-store.js';
import { renewOnce } from './renewal.js';
import type { Session } from './session.js';
import type { SessionRecord } from './session-store.js';

const rule = 'login.sessions.reevaluateAfter';

/** Whether the provider has to be asked again who somebody is (`login.sessions.reevaluateAfter`). */
export function isReevaluationDue(
  runtime: Runtime,
  session: Session,
  { evaluation }: SessionRecord,
): boolean {
  const { reevaluateAfter } = runtime.settings.session;
  if (reevaluateAfter === undefined) return false;
  const lastCheckedAt = Math.max(session.issuedAt, evaluation?.at ?? 0);
  return runtime.now() - lastCheckedAt >= reevaluateAfter;
}

/**
 * Asks the provider again, by the refresh token or the user endpoint. The session ends if the
 * provider no longer knows its person, or can't say who it is, or if a rule no longer admits them.
 *
 * @throws Refusal 502 to 504 when the provider or the store can't be reached: no one is admitted
 *   unchecked
 */
export async function reevaluate(
  request: AuditedRequest,
  provider: Provider,
  session: Session,
  record: SessionRecord,
): Promise<SessionRecord | 'ended'> {
  const { runtime } = request;
  try {
    const renewal = await renewOnce(runtime, provider, session, record, 'person');
    const { identity } = renewal.evaluation;
    recordEvent(request, 'refreshed', { provider, identity, session }, { rule });
    return { revoked: false, ...renewal };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    await callSessionStore(runtime, () => runtime.sessionStore.end(session, runtime.now()));
    const subject = { provider, identity: session.identity, session };
    recordEvent(request, 'ended', subject, {
      rule: error.options.rule ?? rule,
      reason: reasonOfRefusal(error),
    });
    return 'ended';
  }
}
