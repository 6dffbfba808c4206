import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../http/refusal.js';
import type { Provider, Tokens } from '../providers/provider.js';
import { withProviderTimeout, providerTimeoutRefusal } from '../providers/provider-http.js';
import type { Runtime } from '../runtime.js';
import type { EntryStore } from '../token-store/entry-store.js';
import type { MaybePromise } from '../maybe-promise.js';
import { requireAdmission } from './admission.js';
import { callSessionStore } from './call-session-store.js';
import type { Identity } from './identity.js';
import type { Session } from './session.js';
import type { IdentityEvaluation, SessionRecord } from './session-store.js';

/** A session's tokens and person after the provider was asked. */
export interface Renewal {
  readonly tokens: Tokens;
  readonly evaluation: IdentityEvaluation;
}

/**
 * How the provider is asked: `tokens` wants new ones by the refresh token, `person` uses
 * the user endpoint where there is no refresh token.
 */
export type RenewalKind = 'tokens' | 'person';

/** Whether a failed renewal ends the session: a rule no longer admits the person. */
export function endsSession(error: unknown): boolean {
  return error instanceof Refusal && error.options.code === 'access_denied';
}

/** Running renewals by the sidecar's store and session: two at once make one call. */
const runningRenewals = new WeakMap<EntryStore, Map<string, Promise<Renewal>>>();

/**
 * Asks the provider again, and decides by its answer and the current rules whether the person is
 * still admitted: otherwise the session ends.
 *
 * @throws Refusal 403 when the provider or a rule refuses, 400 when the provider can't be asked,
 *   502 to 504 when the provider or the store can't be reached
 */
export function renewOnce(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  record: SessionRecord,
  kind: RenewalKind,
): Promise<Renewal> {
  const running = runningRenewals.get(runtime.store) ?? new Map<string, Promise<Renewal>>();
  runningRenewals.set(runtime.store, running);
  let renewal = running.get(session.id);
  if (renewal === undefined) {
    renewal = renew(runtime, provider, session, record, kind).finally(() =>
      running.delete(session.id),
    );
    running.set(session.id, renewal);
  }
  return renewal;
}

/**
 * One replica asks; the others wait for its result, because a refresh token often works only once.
 */
async function renew(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  record: SessionRecord,
  kind: RenewalKind,
): Promise<Renewal> {
  const lock = `refresh-${session.tokensKey}`;
  // The lock outlives the calls that it protects.
  const timeoutSeconds = runtime.settings.limits.providerTimeoutSeconds;
  if (
    !(await callSessionStore(runtime, () =>
      runtime.sessionStore.addKey(lock, runtime.now() + timeoutSeconds + 5),
    ))
  )
    return awaitOtherReplica(runtime, session, record, lock, timeoutSeconds);
  try {
    const renewal = await withProviderTimeout(runtime, (signal) =>
      askProvider(runtime, provider, session, record, kind, signal),
    );
    await requireLiveSession(runtime, session);
    await callSessionStore(runtime, () =>
      runtime.sessionStore.save(session, renewal.tokens, renewal.evaluation),
    );
    runtime.metrics.count('token_refreshes_total', { outcome: 'renewed' });
    return renewal;
  } catch (error) {
    runtime.metrics.count('token_refreshes_total', { outcome: 'failed' });
    await callSessionStore(runtime, () => storeFailure(runtime, lock, error));
    if (endsSession(error))
      await callSessionStore(runtime, () => runtime.sessionStore.end(session, runtime.now()));
    throw error;
  } finally {
    await callSessionStore(runtime, () => runtime.sessionStore.removeKey(lock));
  }
}

async function askProvider(
  runtime: Runtime,
  provider: Provider,
  session: Session,
  { tokens: previousTokens = {}, evaluation }: SessionRecord,
  kind: RenewalKind,
  signal: AbortSignal,
): Promise<Renewal> {
  const knownIdentity = evaluation?.identity ?? session.identity;
  const asksUserOnly = kind === 'person' && previousTokens.refreshToken === undefined;
  const refreshed = asksUserOnly ? undefined : await provider.refresh?.(previousTokens, signal);
  const tokens = refreshed ?? previousTokens;
  const { idToken: _old, ...withoutIdToken } = tokens;
  // Only a new ID token is a new statement about the person.
  const tokensForIdentity =
    refreshed?.idToken !== undefined && refreshed.idToken !== previousTokens.idToken
      ? tokens
      : withoutIdToken;
  const newestIdentity = await provider.fetchIdentity?.(tokensForIdentity, knownIdentity, signal);
  if (newestIdentity === undefined && refreshed === undefined)
    throw new Refusal(400, 'The identity provider cannot be asked again for this session.', {
      code: 'refresh_not_supported',
    });
  const identity =
    newestIdentity === undefined ? knownIdentity : withSignInClaims(knownIdentity, newestIdentity);
  requireAdmission(provider, identity, runtime.settings);
  return { tokens, evaluation: { identity, at: runtime.now() } };
}

/**
 * The claims about the sign-in itself: the provider's session, and how and when the person signed
 * in. An ID token from a refresh often leaves them out (OpenID Connect Core 12.2).
 */
const signInClaims = ['sid', 'acr', 'acrs', 'amr', 'auth_time'];

/** The newest identity, with the {@link signInClaims} of the known one that it leaves out. */
function withSignInClaims(knownIdentity: Identity, newestIdentity: Identity): Identity {
  const kept = Object.entries(knownIdentity.claims).filter(([name]) => signInClaims.includes(name));
  return { ...newestIdentity, claims: { ...Object.fromEntries(kept), ...newestIdentity.claims } };
}

/** Tokens must not be stored for a session that was signed out during the call. */
async function requireLiveSession(runtime: Runtime, session: Session): Promise<void> {
  const { revoked } = await callSessionStore(runtime, () =>
    runtime.sessionStore.readRecord(session),
  );
  if (revoked) throw new Refusal(401, 'The session has ended.', { code: 'unauthenticated' });
}

/** How long those who wait can read why a renewal failed, in seconds. */
const failureSeconds = 5;

/** Stores the failure for the replicas that wait, so that they fail with the same reason. */
function storeFailure({ store, now }: Runtime, lock: string, error: unknown): MaybePromise<void> {
  const { status, message, options } = error instanceof Refusal ? error : providerTimeoutRefusal();
  const { code, rule, reason } = options;
  const failure = JSON.stringify([status, message, { code, rule, reason }] satisfies StoredFailure);
  return store.write(failureKey(lock), failure, now() + failureSeconds);
}

type StoredFailure = ConstructorParameters<typeof Refusal>;

function failureKey(lock: string): string {
  return `${lock}-failed`;
}

async function awaitOtherReplica(
  runtime: Runtime,
  session: Session,
  before: SessionRecord,
  lock: string,
  timeoutSeconds: number,
): Promise<Renewal> {
  for (let tenths = 0; tenths < timeoutSeconds * 10; tenths++) {
    await pause(100);
    // Read before the session: a renewal that ends in between has stored its result.
    const [lockEntry, storedFailure] = await callSessionStore(runtime, () =>
      runtime.store.read([lock, failureKey(lock)]),
    );
    const record = await callSessionStore(runtime, () => runtime.sessionStore.readRecord(session));
    if (record.revoked)
      throw new Refusal(401, 'The session has ended.', { code: 'unauthenticated' });
    const { tokens, evaluation } = record;
    if (
      tokens !== undefined &&
      evaluation !== undefined &&
      (evaluation.at !== before.evaluation?.at ||
        JSON.stringify(tokens) !== JSON.stringify(before.tokens))
    )
      return { tokens, evaluation };
    if (lockEntry === undefined)
      throw storedFailure === undefined
        ? providerTimeoutRefusal()
        : new Refusal(...(JSON.parse(storedFailure) as StoredFailure));
  }
  throw providerTimeoutRefusal();
}
