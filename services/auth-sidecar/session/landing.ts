import type { AllowedRedirect } from '../config/settings.js';

const longest = 2000;

/**
 * Whether a browser may be sent to a place after signing in or out: a path of this app, or a URL of this origin or of the allowed list
 * (whose query doesn't count). Everything that browsers read in more than one way is refused.
 */
export function isAllowedLanding(landing: string, origin: string, redirects: readonly AllowedRedirect[]): boolean {
  if (landing === '' || landing.length > longest) return false;
  // Printable ASCII without backslash: browsers drop tabs and line ends, and take a backslash for a slash.
  if (!/^[!-[\]-~]+$/.test(landing)) return false;
  if (landing.startsWith('/')) return isSafePath(landing);
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+/i.test(landing) || !URL.canParse(landing)) return false;
  const url = new URL(landing);
  if (url.username !== '' || url.password !== '' || /@/.test(landing.split(/[/?#]/)[2] ?? '')) return false;
  const base = `${url.protocol}//${url.host}`;
  if (base === origin) return isSafePath(`${url.pathname}${url.search}${url.hash}`);
  const path = url.pathname === '' ? '/' : url.pathname;
  return redirects.some((entry) => entry.base === base && entry.path === path);
}

/** A backslash, a control character or an odd space anywhere; at the beginning anything that leads to a second slash. */
const ambiguous = /[\\\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]|^\/(?:\s|\.{1,2}\/)*\/|^\/\.{1,2}(?:\/|$)/;

/** A path that no program takes for another host, however often it decodes it. */
function isSafePath(landing: string): boolean {
  const path = landing.split(/[?#]/, 1)[0] ?? '';
  let spelling = path;
  for (let round = 0; round < 5; round++) {
    if (ambiguous.test(spelling)) return false;
    let text: string;
    try {
      text = decodeURIComponent(spelling);
    } catch {
      return round > 0; // a broken encoding at first sight is refused; a literal % behind an encoding is a name
    }
    if (text === spelling) return true;
    spelling = text;
  }
  return false;
}
