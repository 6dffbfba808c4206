import { trimWhitespace } from '../http/field-value.js';
import type { Dialect } from '../../../core/dialect/dialect.js';

/** The names of the sidecar's cookies under one origin. */
export interface CookieNames {
  /** A long session has more cookies of this name with `.1`, `.2` and so on. */
  readonly session: string;
  /** Beginning of the name of a login in progress. */
  readonly login: string;
  /** Keeps where the browser goes after the sign-out at a provider. */
  readonly landing: string;
  /** Whether the cookies are `Secure`: the origin is https. */
  readonly isSecure: boolean;
}

const maxChunkCharacters = 3800;
const maxChunks = 4;

/**
 * The `__Host-` prefix prevents other hosts of the same domain from setting these cookies; it
 * requires https.
 */
export function cookieNames(dialect: Dialect, isSecure: boolean): CookieNames {
  const prefix = isSecure ? '__Host-' : '';
  return {
    session: dialect === 'azure' ? 'AppServiceAuthSession' : `${prefix}SvcAuthSession`,
    login: `${prefix}SvcAuthLogin.`,
    landing: `${prefix}SvcAuthLanding`,
    isSecure,
  };
}

/** The parsed `Cookie` headers of a request: the sidecar's cookies, and the app's. */
export interface SplitCookies {
  /** The app's cookies, ready to be forwarded; empty if there are none. */
  readonly forwarded: string;
  /** Names and values of the sidecar's cookies. */
  readonly sidecar: readonly (readonly [string, string])[];
}

/** In the names of all of the sidecar's cookies, so that most headers need not be split. */
const sidecarNamePart = /SvcAuth|ServiceAuth/i;

/** Separates the sidecar's cookies from a `Cookie` header. */
export function splitCookies(header: string): SplitCookies {
  if (!sidecarNamePart.test(header)) return { forwarded: header, sidecar: [] };
  const sidecarCookies: [string, string][] = [];
  let appCookies = '';
  for (const part of header.includes(';') ? header.split(';') : [header]) {
    const pair = trimWhitespace(part);
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : trimWhitespace(pair.slice(0, equals));
    if (isSidecarCookie(name))
      sidecarCookies.push([name, equals < 0 ? '' : trimWhitespace(pair.slice(equals + 1))]);
    else if (pair !== '') appCookies += appCookies === '' ? pair : `; ${pair}`;
  }
  return { forwarded: appCookies, sidecar: sidecarCookies };
}

const sidecarNames = /^(__Host-|__Secure-)?(SvcAuth(Session|Login|Landing)|AppServiceAuthSession)/i;

/**
 * Whether a cookie's name is one of the sidecar's, in any scheme and dialect. Such a cookie of a
 * request never reaches the app, and the app cannot set one.
 */
export function isSidecarCookie(name: string): boolean {
  return sidecarNames.test(name);
}

/**
 * The session cookie's value joined from its chunks. It is broken if a chunk is missing, or repeated
 * with different values, or if there are too many.
 */
export function joinSessionCookie(
  sidecarCookies: SplitCookies['sidecar'],
  names: CookieNames,
): { readonly value?: string; readonly isBroken: boolean } {
  const [singleCookie] = sidecarCookies;
  // The usual case: one cookie in one piece.
  if (
    singleCookie !== undefined &&
    sidecarCookies.length === 1 &&
    singleCookie[0] === names.session &&
    singleCookie[1].charAt(1) !== '~'
  )
    return { value: singleCookie[1], isBroken: false };
  const chunks = new Map<number, string>();
  for (const [name, value] of sidecarCookies) {
    if (!name.startsWith(names.session)) continue;
    const suffix = name.slice(names.session.length);
    const index = suffix === '' ? 0 : /^\.[1-9]$/.test(suffix) ? Number(suffix.slice(1)) : -1;
    if (index < 0) continue;
    const sameChunk = chunks.get(index);
    if (sameChunk !== undefined && sameChunk !== value) return { isBroken: true };
    chunks.set(index, value);
  }
  const first = chunks.get(0);
  if (first === undefined) return { isBroken: false };
  const match = /^([2-9])~(.*)$/.exec(first);
  if (!match) return { value: first, isBroken: false };
  const count = Number(match[1]);
  if (count > maxChunks) return { isBroken: true };
  let value = match[2] ?? '';
  for (let index = 1; index < count; index++) {
    const chunk = chunks.get(index);
    if (chunk === undefined) return { isBroken: true };
    value += chunk;
  }
  return { value, isBroken: false };
}

/** `Set-Cookie` values for a session; clears additional chunks of a longer one before. */
export function sessionSetCookies(
  value: string,
  maxAge: number,
  names: CookieNames,
  presentNames: readonly string[],
): string[] {
  if (value.length <= maxChunkCharacters)
    return [
      setCookieValue(names.session, value, maxAge, names),
      ...clearStaleChunks(1, names, presentNames),
    ];
  const parts: string[] = [];
  for (let start = 0; start < value.length; start += maxChunkCharacters)
    parts.push(value.slice(start, start + maxChunkCharacters));
  if (parts.length > maxChunks) throw new Error('the session is too large for cookies');
  return [
    ...parts.map((part, index) =>
      setCookieValue(
        index === 0 ? names.session : `${names.session}.${index}`,
        index === 0 ? `${parts.length}~${part}` : part,
        maxAge,
        names,
      ),
    ),
    ...clearStaleChunks(parts.length, names, presentNames),
  ];
}

/** `Set-Cookie` values that clear the session. */
export function clearSessionCookies(names: CookieNames, presentNames: readonly string[]): string[] {
  return [setCookieValue(names.session, '', 0, names), ...clearStaleChunks(1, names, presentNames)];
}

function clearStaleChunks(
  from: number,
  names: CookieNames,
  presentNames: readonly string[],
): string[] {
  const clearingCookies: string[] = [];
  for (let index = from; index <= 9; index++)
    if (presentNames.includes(`${names.session}.${index}`))
      clearingCookies.push(setCookieValue(`${names.session}.${index}`, '', 0, names));
  return clearingCookies;
}

/** A `Set-Cookie` value: a cookie for this host only, inaccessible to scripts. */
export function setCookieValue(
  name: string,
  value: string,
  maxAge: number,
  names: CookieNames,
  sameSite: 'Lax' | 'None' = 'Lax',
): string {
  const site = sameSite === 'None' && !names.isSecure ? 'Lax' : sameSite;
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${site}${names.isSecure ? '; Secure' : ''}`;
}
