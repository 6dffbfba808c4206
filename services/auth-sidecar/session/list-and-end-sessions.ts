import { Refusal } from '../http/refusal.js';
import type { AuditEntry } from '../operations/audit.js';
import type { Tokens } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { readSessionRecord } from './authentication.js';
import { callSessionStore } from './call-session-store.js';
import { canonicalIssuer } from './claims.js';
import { cutoffKeys, personOf, type Session, sessionHash } from './session.js';

/** Which sessions to end: those of a person, an issuer, one session, or all. */
export interface SessionSelector {
  /** As in `Person`; alone: everyone of this issuer. */
  readonly issuer?: string;
  /** As in `Person`; alone: this subject of every issuer. */
  readonly subject?: string;
  /** The provider's own session (`sid`), with its issuer. */
  readonly sid?: string;
  /** The hash in the audit. */
  readonly session?: string;
  /** Stands alone. */
  readonly all?: true;
}

/** Who or what ends sessions, for the audit. */
export type SessionEndDetails = Pick<
  AuditEntry,
  'client' | 'path' | 'rule' | 'reason' | 'requestId'
>;

/**
 * Ends one session everywhere, and refuses from now on the tokens of its person that were issued
 * before.
 *
 * @returns the tokens that were stored
 */
export async function endSession(runtime: Runtime, session: Session): Promise<Tokens | undefined> {
  const { sessionStore, sessionRegister } = runtime;
  const { tokens } = await readSessionRecord(runtime, session);
  await callSessionStore(runtime, async () => {
    await sessionStore.end(session, runtime.now());
    await sessionStore.markSignedOut(session, tokens, runtime.now());
    await sessionRegister.remove(session);
  });
  return tokens;
}

/**
 * Ends sessions on every replica, with their tokens and open connections: those in the register now,
 * and those that started before this second. A sign-in that completes later, even within this second,
 * starts a new one. Writes each to the audit.
 *
 * @returns how many were known
 */
export async function endSessions(
  runtime: Runtime,
  selector: SessionSelector,
  details: SessionEndDetails,
): Promise<number> {
  const { sessionRegister, sessionStore, liveConnections } = runtime;
  if (selector.session !== undefined) return endByHash(runtime, selector.session, details);
  const cutoff = runtime.date();
  const [key] = cutoffKeys(selector);
  const all = await callSessionStore(runtime, async () => {
    await sessionStore.setCutoff(key, cutoff);
    return sessionRegister.list();
  });
  const endedSessions = all.filter((each) => matches(each, selector));
  for (const session of endedSessions) {
    await callSessionStore(runtime, async () => {
      await sessionStore.end(session, runtime.now());
      await sessionRegister.remove(session);
    });
    recordEnd(runtime, session, details);
  }
  if (endedSessions.length === 0)
    runtime.audit.write({ event: 'ended', ...details, ...personIn(selector), session: undefined });
  liveConnections.checkNow();
  return endedSessions.length;
}

async function endByHash(
  runtime: Runtime,
  hash: string,
  details: SessionEndDetails,
): Promise<number> {
  if (!/^[\w-]{43}$/.test(hash)) return 0; // no session has such a hash
  const session = await callSessionStore(runtime, () => runtime.sessionRegister.find(hash));
  if (session === undefined) {
    await callSessionStore(runtime, () => runtime.sessionStore.endByHash(hash, runtime.now()));
    runtime.audit.write({ event: 'ended', ...details, session: hash });
    runtime.liveConnections.checkNow();
    return 0;
  }
  await endSession(runtime, session);
  recordEnd(runtime, session, details);
  return 1;
}

function matches({ provider, identity }: Session, selector: SessionSelector): boolean {
  const { issuer, subject } = personOf(provider, identity);
  return (
    (selector.issuer === undefined || selector.issuer === issuer) &&
    (selector.subject === undefined || selector.subject === subject) &&
    (selector.sid === undefined || selector.sid === identity.claims['sid'])
  );
}

function personIn({ issuer, subject }: SessionSelector): Pick<AuditEntry, 'issuer' | 'subject'> {
  return { issuer, subject };
}

function recordEnd(
  runtime: Runtime,
  { id, provider, identity }: Session,
  details: SessionEndDetails,
): void {
  runtime.audit.write({
    event: 'ended',
    provider: runtime.providers.get(provider)?.pathNames[0],
    ...personOf(provider, identity),
    name: identity.name,
    session: sessionHash(id),
    ...details,
  });
}

/** A session in the list for operators. */
export interface ListedSession {
  /** The hash in the audit. */
  readonly session: string;
  /** The provider's name in paths; its key if it is no longer configured. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** The person's name. */
  readonly name: string;
  /** ISO 8601, as the other times. */
  readonly startedAt: string;
  readonly expiresAt: string;
}

/** The sessions of a person, an issuer or all that have not ended, the newest first. */
export async function listSessions(
  runtime: Runtime,
  selector: SessionSelector,
): Promise<ListedSession[]> {
  const all = await callSessionStore(runtime, () => runtime.sessionRegister.list());
  const now = runtime.now();
  const openSessions: ListedSession[] = [];
  for (const session of all) {
    const { id, provider, identity, issuedAt, expiresAt } = session;
    if (expiresAt <= now || !matches(session, selector)) continue;
    if ((await readSessionRecord(runtime, session)).revoked) continue;
    openSessions.push({
      session: sessionHash(id),
      provider: runtime.providers.get(provider)?.pathNames[0] ?? provider,
      ...personOf(provider, identity),
      name: identity.name,
      startedAt: new Date(issuedAt * 1000).toISOString(),
      expiresAt: new Date(expiresAt * 1000).toISOString(),
    });
  }
  return openSessions.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

const selectorKeys = ['issuer', 'subject', 'session', 'all'];

/** Checks the body of an operator's request to end sessions. @throws Refusal 400 */
export function parseSelector(body: Readonly<Record<string, unknown>>): SessionSelector {
  const invalid = (message: string): Refusal =>
    new Refusal(400, message, { code: 'invalid_request' });
  const names = Object.keys(body);
  const unknown = names.find((name) => !selectorKeys.includes(name));
  if (unknown !== undefined)
    throw invalid(`"${unknown}" is not known; allowed are ${selectorKeys.join(', ')}.`);
  const { all, session } = body;
  if (names.length === 0) throw invalid('The body needs issuer, subject, session, or all: true.');
  if (all !== undefined && (all !== true || names.length > 1))
    throw invalid('all must be true, and stand alone.');
  if (session !== undefined && names.length > 1) throw invalid('session must stand alone.');
  for (const name of ['issuer', 'subject', 'session'])
    if (body[name] !== undefined && (typeof body[name] !== 'string' || body[name] === ''))
      throw invalid(`${name} must be a string.`);
  const selector = body as SessionSelector;
  return selector.issuer === undefined
    ? selector
    : { ...selector, issuer: canonicalIssuer(selector.issuer) };
}
