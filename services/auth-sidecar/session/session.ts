import { hash, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ClaimsUsedByRules } from '../config/settings.js';
import { canonicalIssuer, type Claims, dropClaimsToFit } from './claims.js';
import type { Identity } from './identity.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A signed-in user or program, as stored in the session. Times are seconds since 1970. */
export interface Session {
  readonly id: string;
  /** Key of the provider in the configuration. */
  readonly provider: string;
  /** As the provider stated it when this session was issued. */
  readonly identity: Identity;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The end of the period in which `/.auth/refresh` may renew it. */
  readonly renewableUntil: number;
  /** The hash of the token that it was made from (`tokenHash`); absent for opaque ones. */
  readonly sourceTokenHash?: string;
  /** Store key that marks the session as ended. */
  readonly revokedKey: string;
  /** Store key of the provider's tokens. */
  readonly tokensKey: string;
  /** Store key of its entry in the register of sessions. */
  readonly registerEntryKey: string;
  /**
   * Store keys of the times at which an operator or the provider ended sessions: of the provider's
   * own session, of this person, of this issuer, of this subject, of everyone. Sessions that started
   * before such a cutoff have ended.
   */
  readonly cutoffKeys: readonly string[];
}

/** Creates a session: a new one without an `id`, which never comes from a request. */
export function createSession(
  provider: string,
  identity: Identity,
  times: { readonly issuedAt: number; readonly expiresAt: number; readonly renewableUntil: number },
  {
    id = randomBytes(16).toString('base64url'),
    sourceTokenHash,
  }: { id?: string; sourceTokenHash?: string | undefined } = {},
): Session {
  const person = personOf(provider, identity);
  return {
    id,
    provider,
    identity,
    ...times,
    ...omitUndefined({ sourceTokenHash }),
    ...storeKeys(id),
    cutoffKeys: cutoffKeys({ ...person, sid: nonEmptyText(identity.claims['sid']) }),
  };
}

/** A person by issuer and subject: equal subjects of two issuers are two persons. */
export interface Person {
  /** The claim `iss`, by its {@link canonicalIssuer}; the provider's key where there is none. */
  readonly issuer: string;
  /** The claim `sub`; the id of the identity where there is none. */
  readonly subject: string;
}

/** @param provider the key of the provider, which stands for an issuer that states no name. */
export function personOf(provider: string, { id, claims }: Identity): Person {
  return {
    issuer: canonicalIssuer(nonEmptyText(claims['iss']) ?? provider),
    subject: nonEmptyText(claims['sub']) ?? id,
  };
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The store keys of the cutoffs that apply to sessions, the narrowest first.
 *
 * @param sid the provider's own session
 */
export function cutoffKeys({
  issuer,
  subject,
  sid,
}: Partial<Person> & { readonly sid?: string | undefined }): readonly [string, ...string[]] {
  const hasPerson = issuer !== undefined && subject !== undefined;
  const hasProviderSession = issuer !== undefined && sid !== undefined;
  return [
    ...(hasProviderSession ? [`ended-sid-${hashOf(JSON.stringify([issuer, sid]))}`] : []),
    ...(hasPerson ? [`ended-person-${hashOf(JSON.stringify([issuer, subject]))}`] : []),
    ...(issuer === undefined ? [] : [`ended-issuer-${hashOf(issuer)}`]),
    ...(subject === undefined ? [] : [`ended-subject-${hashOf(subject)}`]),
    'ended-all',
  ] as unknown as readonly [string, ...string[]];
}

/** A hash by which a token is recognized, and which does not reveal it. */
export function tokenHash(token: string): string {
  return hash('sha256', `token|${token}`, 'base64url').slice(0, 22);
}

/** The store key that marks a token as one of a session that was signed out. */
export function signedOutTokenKey(hashOfToken: string): string {
  return `spent-${hashOfToken}`;
}

/** The store key of the last sign-out of a person: posted tokens from before it are refused. */
export function lastSignOutKey({ issuer, subject }: Person): string {
  return `signed-out-${hashOf(JSON.stringify([issuer, subject]))}`;
}

/** A session's id as it is shown to operators: it opens nothing. */
export function sessionHash(id: string): string {
  return hash('sha256', `session|${id}`, 'base64url');
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The beginning of the keys of the register of sessions. */
export const registerPrefix = 'session-';

/** The store key that exists while a session at the provider has sessions here. */
export function providerSessionKey(issuer: string, sid: string): string {
  return `sid-${hashOf(JSON.stringify([issuer, sid]))}`;
}

function storeKeys(id: string): Pick<Session, 'revokedKey' | 'tokensKey' | 'registerEntryKey'> {
  const idHash = sessionHash(id);
  return {
    revokedKey: revokedKey(idHash),
    tokensKey: `tokens-${idHash}`,
    registerEntryKey: `${registerPrefix}${idHash}`,
  };
}

/** The store key that marks a session as ended. @param idHash the hash of its id */
export function revokedKey(idHash: string): string {
  return `revoked-${idHash}`;
}

/** The most bytes that a compressed session may decompress to. */
const maxDecompressedBytes = 64 * 1024;
/**
 * Up to this size, in bytes, a session fits into one cookie: decompressing would take longer than
 * all other checks together.
 */
const maxUncompressedBytes = 1500;

/** The bytes of a session, compressed if that helps. */
export function encodeSession(session: Session): Buffer {
  const { id, provider, identity, issuedAt, expiresAt, renewableUntil, sourceTokenHash } = session;
  const text = Buffer.from(
    JSON.stringify([
      id,
      provider,
      identity.id,
      identity.name,
      identity.claims,
      issuedAt,
      expiresAt,
      renewableUntil,
      ...(sourceTokenHash === undefined ? [] : [sourceTokenHash]),
    ]),
  );
  return text.length <= maxUncompressedBytes
    ? Buffer.concat([Buffer.from([0]), text])
    : Buffer.concat([Buffer.from([1]), deflateRawSync(text)]);
}

type EncodedSession = [
  string,
  string,
  string,
  string,
  Identity['claims'],
  number,
  number,
  number,
  string?,
];

/** Parses authenticated bytes; undefined for another version. */
export function decodeSession(bytes: Buffer): Session | undefined {
  try {
    const text =
      bytes[0] === 1
        ? inflateRawSync(bytes.subarray(1), { maxOutputLength: maxDecompressedBytes }).toString()
        : bytes.toString('utf8', 1);
    const [id, provider, user, name, claims, issuedAt, expiresAt, renewableUntil, sourceTokenHash] =
      JSON.parse(text) as EncodedSession;
    return createSession(
      provider,
      { id: user, name, claims },
      { issuedAt, expiresAt, renewableUntil },
      { id, sourceTokenHash },
    );
  } catch {
    return undefined; // encrypted by another version of the format: the same as no session
  }
}

/**
 * The longest session in bytes before encryption: together with the cookies of sign-ins in progress
 * and the browser's other headers it stays below the limit of 16 KB, so that a provider's claims
 * cannot lock anyone out.
 */
const maxSessionBytes = 6 * 1024;

/** A session that fits into its cookies: drops claims while it does not. */
export function fitToCookies(session: Session, claimsUsedByRules: ClaimsUsedByRules): Session {
  const withClaims = (claims: Claims): Session => ({
    ...session,
    identity: { ...session.identity, claims },
  });
  const claims = dropClaimsToFit(
    session.identity.claims,
    claimsUsedByRules,
    (candidate) => encodeSession(withClaims(candidate)).length > maxSessionBytes,
  );
  return claims === session.identity.claims ? session : withClaims(claims);
}
