import { createHash, randomBytes } from 'node:crypto';
import { type CookieNames, setCookieValue } from './cookies.js';
import type { KeyRing } from './key-ring.js';

/** A sign-in in progress, in its cookie. */
export interface PendingLogin {
  /** Key of the provider in the configuration. */
  readonly provider: string;
  /** The landing afterwards: a path or an allowed URL. */
  readonly landing: string;
  /** The time after which the sign-in starts again, in seconds since 1970. */
  readonly expiresAt: number;
  /** The seed of nonce and PKCE verifier. */
  readonly seed: string;
  /** Request token secret (OAuth 1). */
  readonly secret?: string;
}

const maxLoginCookies = 12;
const maxLoginBytes = 8 * 1024;
/**
 * The limit for all of the sidecar's cookies together: a long session leaves less room for sign-ins
 * in progress.
 */
const maxSidecarCookieBytes = 11 * 1024;
/**
 * How long the cookie of a sign-in outlives it, in seconds: an expired sign-in is recognized by its
 * cookie and starts again.
 */
const extraCookieSeconds = 3600;

/** The bytes around a cookie's name and value: `=` and `; `. */
const separatorBytes = 3;

/** A fresh sign-in's secrets. */
export function generateStateAndSeed(): { readonly state: string; readonly seed: string } {
  return {
    state: randomBytes(32).toString('base64url'),
    seed: randomBytes(32).toString('base64url'),
  };
}

/** Nonce and PKCE verifier of a sign-in. */
export function deriveSecrets(seed: string): { readonly nonce: string; readonly verifier: string } {
  const derive = (label: string): string =>
    createHash('sha256').update(`${label}|${seed}`).digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('verifier') };
}

/** Identifies a state without revealing it, for cookie names and the list of used states. */
export function stateId(state: string): string {
  return createHash('sha256').update(`state|${state}`).digest('base64url').slice(0, 22);
}

function sealingPurpose(origin: string, name: string): string {
  return `login|${origin}|${name}`;
}

/**
 * `Set-Cookie` values that store a new sign-in and drop the oldest ones if there are too many.
 *
 * @param lifetimeSeconds of the sign-in
 */
export function loginSetCookies(
  keys: KeyRing,
  origin: string,
  names: CookieNames,
  state: string,
  login: PendingLogin,
  requestCookies: readonly (readonly [string, string])[],
  isCrossSitePost: boolean,
  lifetimeSeconds: number,
): string[] {
  const name = `${names.login}${stateId(state)}`;
  const { provider, landing, expiresAt, seed, secret } = login;
  const value = keys.seal(
    Buffer.from(JSON.stringify([provider, landing, expiresAt, seed, secret ?? null])),
    sealingPurpose(origin, name),
  );
  const logins = requestCookies.filter(([cookieName]) => cookieName.startsWith(names.login));
  const cookieBytes = (cookies: typeof requestCookies): number =>
    cookies.reduce(
      (sum, [cookieName, text]) => sum + cookieName.length + text.length + separatorBytes,
      0,
    );
  const allowedBytes = Math.min(
    maxLoginBytes,
    maxSidecarCookieBytes - (cookieBytes(requestCookies) - cookieBytes(logins)),
  );
  const dropNames: string[] = [];
  let bytes = cookieBytes(logins) + cookieBytes([[name, value]]);
  for (const [cookieName, text] of logins) {
    if (logins.length - dropNames.length < maxLoginCookies && bytes <= allowedBytes) break;
    dropNames.push(cookieName);
    bytes -= cookieName.length + text.length + separatorBytes;
  }
  return [
    ...dropNames.map((each) => clearLoginCookie(each, names)),
    setCookieValue(
      name,
      value,
      lifetimeSeconds + extraCookieSeconds,
      names,
      isCrossSitePost ? 'None' : 'Lax',
    ),
  ];
}

/** The sign-in of a state, if this browser has its cookie. */
export function findLogin(
  keys: KeyRing,
  origin: string,
  names: CookieNames,
  state: string,
  requestCookies: readonly (readonly [string, string])[],
): { readonly name: string; readonly login: PendingLogin } | undefined {
  const name = `${names.login}${stateId(state)}`;
  for (const [cookieName, value] of requestCookies) {
    if (cookieName !== name) continue;
    const bytes = keys.open(value, sealingPurpose(origin, name));
    if (bytes === undefined) continue;
    const [provider, landing, expiresAt, seed, secret] = JSON.parse(bytes.toString()) as [
      string,
      string,
      number,
      string,
      string | null,
    ];
    return {
      name,
      login: { provider, landing, expiresAt, seed, ...(secret !== null && { secret }) },
    };
  }
  return undefined;
}

/** A `Set-Cookie` value that deletes a sign-in. */
export function clearLoginCookie(name: string, names: CookieNames): string {
  return setCookieValue(name, '', 0, names);
}
