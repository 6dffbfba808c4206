import { hash, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Identity } from './identity.js';

/** A signed-in user or program, as stored in the session. Times are seconds since 1970. */
export interface Session {
  readonly id: string;
  /** Key of the provider in the configuration. */
  readonly provider: string;
  readonly identity: Identity;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The end of the period in which `/.auth/refresh` may renew it. */
  readonly renewableUntil: number;
  /** Store key that marks the session as ended. */
  readonly revokedKey: string;
  /** Store key of the provider's tokens. */
  readonly tokensKey: string;
}

/** A new session with its own id, which never comes from a request. */
export function startSession(
  provider: string,
  identity: Identity,
  times: { readonly issuedAt: number; readonly expiresAt: number; readonly renewableUntil: number },
  id = randomBytes(16).toString('base64url'),
): Session {
  return { id, provider, identity, ...times, ...storeKeys(id) };
}

function storeKeys(id: string): { revokedKey: string; tokensKey: string } {
  const idHash = hash('sha256', `session|${id}`, 'base64url');
  return { revokedKey: `revoked-${idHash}`, tokensKey: `tokens-${idHash}` };
}

const longestSession = 64 * 1024;
/**
 * Up to this size, in bytes, a session fits into one cookie: decompressing would take longer than
 * all other checks together.
 */
const plainUpTo = 1500;

/** The bytes of a session, compressed if that helps. */
export function encodeSession(session: Session): Buffer {
  const { id, provider, identity, issuedAt, expiresAt, renewableUntil } = session;
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
    ]),
  );
  return text.length <= plainUpTo
    ? Buffer.concat([Buffer.from([0]), text])
    : Buffer.concat([Buffer.from([1]), deflateRawSync(text)]);
}

/** Parses authenticated bytes; undefined for another version. */
export function decodeSession(bytes: Buffer): Session | undefined {
  try {
    const text =
      bytes[0] === 1
        ? inflateRawSync(bytes.subarray(1), { maxOutputLength: longestSession }).toString()
        : bytes.toString('utf8', 1);
    const [id, provider, user, name, claims, issuedAt, expiresAt, renewableUntil] = JSON.parse(
      text,
    ) as [string, string, string, string, Identity['claims'], number, number, number];
    return startSession(
      provider,
      { id: user, name, claims },
      { issuedAt, expiresAt, renewableUntil },
      id,
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
const mostBytes = 6 * 1024;

/** A session that fits into its cookies: drops the longest claims while it does not. */
export function withinBounds(session: Session): Session {
  let result = session;
  while (encodeSession(result).length > mostBytes) {
    const [longest] = Object.entries(result.identity.claims)
      .map(([key, value]) => [key, JSON.stringify(value).length] as const)
      .sort((a, b) => b[1] - a[1]);
    if (longest === undefined) return result;
    const claims = Object.fromEntries(
      Object.entries(result.identity.claims).filter(([key]) => key !== longest[0]),
    );
    result = { ...result, identity: { ...result.identity, claims } };
  }
  return result;
}
