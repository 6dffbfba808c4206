import type { ValidationFailure } from '../schema/property-metadata.js';

/** The path below which a sign-in layer answers where `routes.apiPrefix` is not set. */
export const defaultApiPrefix = '/.auth';

/**
 * The mistakes of a path with an optional `/*` at its end (an excluded path, the path of a
 * requirement), with the messages of `castellan check` and of the sidecar.
 */
export const pathPatternMistakes = {
  dots: 'has .. or an empty segment, which no request path contains',
  wildcard: 'has a * that is taken literally; only a trailing /* covers the paths below',
  query: 'has a query or fragment; paths only',
  blank: 'has a blank or a backslash, which no request path contains',
  encoded:
    'has an encoded slash, backslash, dot, per cent sign or NUL, which no request path contains',
  parameters: 'has a semicolon, at which the path ends for many apps; end it there, too',
} as const;

/**
 * Checks a path that excludes others or has requirements: the sidecar compares whole segments of
 * plain paths. The `pattern` of the property in the schema checks the leading slash.
 */
export function pathPatternMistake(value: unknown): ValidationFailure | undefined {
  if (typeof value !== 'string') return undefined;
  const messageId = mistakeIdOf(value === '/' ? '' : value.replace(/\/\*?$/, ''));
  return messageId === undefined
    ? undefined
    : { messageId, message: `"${value}" ${pathPatternMistakes[messageId]}` };
}

function mistakeIdOf(path: string): keyof typeof pathPatternMistakes | undefined {
  if (/[?#]/.test(path)) return 'query';
  if (/[\s\\]/.test(path)) return 'blank';
  if (/\/(\.{1,2})?(\/|$)/.test(path)) return 'dots';
  if (/%(2f|5c|2e|25|00)/i.test(path)) return 'encoded';
  if (/;|%3b/i.test(path)) return 'parameters';
  return path.includes('*') ? 'wildcard' : undefined;
}

/**
 * The prefix with which a sidecar compares paths, of an excluded path: without a trailing slash or
 * `/*`, in lower case. `/` stays, and excludes only the root. `/*` becomes an empty text, which
 * stands for the whole app.
 */
export function pathPrefixOf(path: string): string {
  if (path === '/') return path;
  return path.replace(/\/\*?$/, '').toLowerCase();
}

/**
 * The one form of all spellings of a path, by which requirements are compared: decoded, in lower
 * case, with compatibility letters normalized, without a trailing slash or `/*`. The whole app is
 * an empty text.
 */
export function canonicalPathOf(path: string): string {
  const encodedRun = /(?:%[0-9a-f]{2})+/gi;
  return normalizeLetters(path.replace(/\/\*?$/, '').replace(encodedRun, decodeIfValid));
}

/** A decoded path with its letters, and what becomes a slash, in the one form that is compared. */
export function normalizeLetters(path: string): string {
  return normalizeSlashes(normalizeSlashes(path).normalize('NFKC'));
}

/** A path in lower case with single slashes as its only separators. */
export function normalizeSlashes(path: string): string {
  return path.toLowerCase().replace(/\\/g, '/').replace(/\/\/+/g, '/');
}

function decodeIfValid(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded; // not UTF-8: requests with it are refused
  }
}
