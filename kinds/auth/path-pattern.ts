import type { ValidationFailure } from '../schema/property-metadata.js';

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
  return path.includes('*') ? 'wildcard' : undefined;
}

/**
 * The prefix with which a sidecar compares paths, of an excluded path or a requirement: without a
 * trailing slash or `/*`, in lower case. `/` stays, and excludes only the root. `/*` becomes an
 * empty text, which stands for the whole app.
 */
export function pathPrefixOf(path: string): string {
  if (path === '/') return path;
  return path.replace(/\/\*?$/, '').toLowerCase();
}
