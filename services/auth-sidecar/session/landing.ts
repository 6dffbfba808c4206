import type { AllowedRedirect } from '../config/settings.js';

const maxLength = 2000;

/**
 * Whether a browser may be redirected to an address after signing in or out: a path of this app, or
 * a URL of this origin or of the allowed list (ignoring its query). Everything that browsers
 * interpret in more than one way is refused.
 */
export function isAllowedLanding(
  landing: string,
  origin: string,
  redirects: readonly AllowedRedirect[],
): boolean {
  if (landing === '' || landing.length > maxLength) return false;
  // Printable ASCII without backslash: browsers drop tabs and line breaks, and treat a backslash as
  // a slash.
  if (!/^[!-[\]-~]+$/.test(landing)) return false;
  if (landing.startsWith('/')) return isSafePath(landing);
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+/i.test(landing) || !URL.canParse(landing)) return false;
  const url = new URL(landing);
  if (url.username !== '' || url.password !== '' || /@/.test(landing.split(/[/?#]/)[2] ?? ''))
    return false;
  const base = `${url.protocol}//${url.host}`;
  if (base === origin) return isSafePath(`${url.pathname}${url.search}${url.hash}`);
  const path = url.pathname === '' ? '/' : url.pathname;
  return redirects.some((entry) => entry.base === base && entry.path === path);
}

/**
 * A backslash, a control character or unusual white space anywhere; at the start anything that
 * leads to a second slash.
 */
const ambiguousPath =
  /[\\\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]|^\/(?:\s|\.{1,2}\/)*\/|^\/\.{1,2}(?:\/|$)/;

/** Whether no program takes the path for another host, however often it is decoded. */
function isSafePath(landing: string): boolean {
  const path = landing.split(/[?#]/, 1)[0] ?? '';
  let spelling = path;
  for (let round = 0; round < 5; round++) {
    if (ambiguousPath.test(spelling)) return false;
    let decoded: string;
    try {
      decoded = decodeURIComponent(spelling);
    } catch {
      return round > 0; // an invalid encoding is refused at first; after decoding, a literal % is part of a name
    }
    if (decoded === spelling) return true;
    spelling = decoded;
  }
  return false;
}
