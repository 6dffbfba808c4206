import type { Arrival } from './http/origin.js';
import type { Refusal } from './http/refusal.js';
import type { AuditEvent } from './operations/audit.js';
import { setSpanAttributes } from './operations/tracing.js';
import type { Provider } from './providers/provider.js';
import type { Runtime } from './runtime.js';
import type { Identity } from './session/identity.js';
import { personOf, sessionHash } from './session/session.js';

/** The parts of a request that are written to the audit. */
export interface AuditedRequest {
  readonly runtime: Runtime;
  /** The request's id, as in the log. */
  readonly id: string;
  readonly target: { readonly path: string };
  readonly arrival: Arrival;
}

/** The person whom an event is about, as far as known. */
export interface Subject {
  readonly provider?: Pick<Provider, 'key' | 'pathNames'> | undefined;
  readonly identity?: Identity | undefined;
  readonly session?: { readonly id: string } | undefined;
}

/** The place and the reason of an event. */
export interface EventDetails {
  /** @default the path of the request */
  readonly path?: string | undefined;
  /** The settings that decided. */
  readonly rule?: string | undefined;
  /** Why, for operators: it may say more than the answer does. */
  readonly reason?: string | undefined;
}

/** Writes an event of a request to the audit and to the request's span. */
export function recordEvent(
  { runtime, id, target, arrival }: AuditedRequest,
  event: AuditEvent,
  { provider, identity, session }: Subject,
  { path = target.path, rule, reason }: EventDetails = {},
): void {
  const person =
    provider === undefined || identity === undefined ? undefined : personOf(provider.key, identity);
  setSpanAttributes({ event, person_id: objectIdOf(identity), rule, reason });
  runtime.audit.write({
    event,
    provider: provider?.pathNames[0],
    ...person,
    name: identity?.name,
    client: arrival.client,
    path: path.split(/[?#]/)[0],
    rule,
    reason,
    session: session === undefined ? undefined : sessionHash(session.id),
    requestId: id,
  });
}

function objectIdOf(identity: Identity | undefined): string | undefined {
  const id = identity?.claims['oid'] ?? identity?.id;
  return typeof id === 'string' ? id : undefined;
}

/** Writes a refused request to the audit, with the rule that decided and the reason. */
export function recordRefusal(
  request: AuditedRequest,
  refusal: Refusal,
  subject: Subject = {},
  path?: string,
): void {
  recordEvent(request, 'refused', subject, {
    path,
    rule: refusal.options.rule,
    reason: reasonOfRefusal(refusal),
  });
}

/** Why a request was refused, for operators: it may say more than the answer does. */
export function reasonOfRefusal({ message, options: { code, reason = message } }: Refusal): string {
  return code === undefined ? reason : `${code}: ${reason}`;
}
