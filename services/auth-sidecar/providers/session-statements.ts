import { isObject } from '../../../core/values/is-object.js';
import { Refusal } from '../http/refusal.js';
import { canonicalIssuer } from '../session/claims.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The subject whose sessions a provider ends: a person, or one of the provider's own sessions. */
export interface SessionSubject {
  readonly issuer: string;
  /** The person's `sub`. */
  readonly subject?: string;
  /** The provider's own session. */
  readonly sid?: string;
  /** Verified by this provider. */
  readonly email?: string;
}

/** A provider's signed statement about sessions. */
export interface Statement {
  /** Its issuer and id, by which a second delivery is recognized. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Whose sessions it ends, and why. */
  readonly endedSubjects: readonly (SessionSubject & { readonly reason: string })[];
}

/** Codes of RFC 8935, 2.4. */
type ErrorCode = 'invalid_request' | 'invalid_issuer' | 'invalid_audience' | 'access_denied';

/** The refusal of a statement. @param reason for its sender and the log */
export function statementRefusal(reason: string, code: string = 'invalid_request'): Refusal {
  return new Refusal(400, `The token is refused: ${reason}.`, { code, reason });
}

const refusal = (reason: string, code: ErrorCode = 'invalid_request'): Refusal =>
  statementRefusal(reason, code);

type ClaimsOfToken = Readonly<Record<string, unknown>>;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * What a logout token says (OpenID Connect Back-Channel Logout 1.0, 2.6), after its signature,
 * issuer, audience and times were verified.
 *
 * @throws Refusal 400
 */
export function logoutStatement(claims: ClaimsOfToken): Statement {
  const { sub, sid, events, nonce } = claims;
  if (nonce !== undefined) throw refusal('it has a nonce, as an ID token does');
  if (!isObject(events) || !isObject(events[logoutEvent]))
    throw refusal('its events claim is not that of a logout token');
  const [subject, session] = [optionalClaim(sub, 'sub'), optionalClaim(sid, 'sid')];
  if (subject === undefined && session === undefined) throw refusal('it has neither sub nor sid');
  const person = sessionSubject(claims, subject, session);
  return {
    ...statementIdAndTime(claims),
    endedSubjects: [{ ...person, reason: 'back-channel logout' }],
  };
}

const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const risc = 'https://schemas.openid.net/secevent/risc/event-type/';
/** The events that end sessions; others, such as a stream verification, are accepted without effect. */
const endingEvents: ReadonlyMap<string, string> = new Map([
  [`${caep}session-revoked`, 'session-revoked'],
  [`${caep}credential-change`, 'credential-change'],
  [`${risc}sessions-revoked`, 'sessions-revoked'],
  [`${risc}account-disabled`, 'account-disabled'],
  [`${risc}account-purged`, 'account-purged'],
]);

/**
 * What a security event token says (RFC 8417, CAEP 1.0): its subject is `sub_id`, or that of the
 * event.
 *
 * @throws Refusal 400
 */
export function eventStatement(claims: ClaimsOfToken): Statement {
  const { events } = claims;
  if (!isObject(events) || Object.keys(events).length === 0) throw refusal('it has no events');
  const endedSubjects = Object.entries(events).flatMap(([type, event]) => {
    if (!isObject(event)) throw refusal(`the event ${type} is not an object`);
    const reason = endingEvents.get(type);
    if (reason === undefined) return [];
    const subject = claims['sub_id'] ?? event['subject'];
    return [{ ...parseSubjectIdentifier(claims, subject), reason: `security event ${reason}` }];
  });
  return { ...statementIdAndTime(claims), endedSubjects };
}

/** A subject identifier (RFC 9493), or several of one person and session (SSF 1.0). */
function parseSubjectIdentifier(claims: ClaimsOfToken, subject: unknown): SessionSubject {
  if (!isObject(subject)) throw refusal('it has no sub_id');
  const { format, user, session } = subject;
  if (format !== undefined && format !== 'complex') return parseSimpleSubject(claims, subject);
  const person = isObject(user) ? parseSimpleSubject(claims, user) : undefined;
  const id = isObject(session) ? optionalClaim(session['id'], 'sub_id.session.id') : undefined;
  if (person === undefined && id === undefined)
    throw refusal('its sub_id names neither a user nor a session');
  return { ...(person ?? sessionSubject(claims, undefined, undefined)), ...(id && { sid: id }) };
}

function parseSimpleSubject(claims: ClaimsOfToken, subject: ClaimsOfToken): SessionSubject {
  const text = (name: string): string => {
    const value = optionalClaim(subject[name], `sub_id.${name}`);
    if (value === undefined) throw refusal(`its sub_id has no ${name}`);
    return value;
  };
  switch (subject['format']) {
    case 'iss_sub':
      if (text('iss') !== claims['iss'])
        throw refusal('its sub_id is a person of another issuer', 'access_denied');
      return sessionSubject(claims, text('sub'), undefined);
    case 'opaque':
      return sessionSubject(claims, text('id'), undefined);
    case 'email':
      return { ...sessionSubject(claims, undefined, undefined), email: text('email') };
    default:
      throw refusal('the format of its sub_id is not iss_sub, opaque, email or complex');
  }
}

function sessionSubject(
  { iss }: ClaimsOfToken,
  subject: string | undefined,
  sid: string | undefined,
): SessionSubject {
  return {
    issuer: canonicalIssuer(String(iss)),
    ...omitUndefined({ subject, sid }),
  };
}

function statementIdAndTime({ iss, jti, iat }: ClaimsOfToken): Pick<Statement, 'id' | 'issuedAt'> {
  if (typeof jti !== 'string' || jti === '') throw refusal('its jti is not a string');
  return { id: JSON.stringify([iss, jti]), issuedAt: Number(iat) };
}

function optionalClaim(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw refusal(`its ${name} is not a string`);
  return value;
}
