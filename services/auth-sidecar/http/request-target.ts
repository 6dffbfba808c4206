import { posix } from 'node:path';
import { Refusal } from './refusal.js';

/** The target of a request: the bytes as received, which are also matched and forwarded. */
export interface RequestTarget {
  /** Path and query as sent. */
  readonly raw: string;
  readonly path: string;
  /** With the question mark; empty when there is none. */
  readonly query: string;
  /**
   * Unambiguous: no relevant encoding, no empty segment, no parameters. Only such a path can be
   * excluded.
   */
  readonly plain: boolean;
}

/**
 * The target of a request whose path no trusted proxy reports: never an excluded path, and each
 * requirement applies.
 */
export const unknownTarget: RequestTarget = { raw: '/', path: '/', query: '', plain: false };

const simple = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$|^\/$/;

/**
 * Parses a request's target without rewriting it. Refuses ambiguous ones: other forms than a path,
 * dot segments in any spelling, control characters, overlong or invalid encodings, backslashes,
 * fragments.
 *
 * @throws Refusal 400.
 */
export function parseTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  if (query !== '' && !/^[!"$-~]*$/.test(query))
    throw new Refusal(400, 'The query holds characters that have to be encoded.');
  if (simple.test(path)) return { raw: target, path, query, plain: true };
  if (!path.startsWith('/')) throw new Refusal(400, 'The request target must be a path.');
  if (path.startsWith('//')) throw new Refusal(400, 'The path must not begin with two slashes.');
  if (!/^[!$-~]*$/.test(path) || path.includes('\\'))
    throw new Refusal(400, 'The path holds characters that have to be encoded.');
  if (/%(?![0-9A-Fa-f]{2})/.test(path))
    throw new Refusal(400, 'The path holds a broken percent-encoding.');
  const spellings = decodings(path);
  if (spellings.some((spelling) => hasControl(spelling)))
    throw new Refusal(400, 'The path holds a control character.');
  if (spellings.some((spelling) => hasDotSegment(spelling)))
    throw new Refusal(400, 'The path holds dot segments.');
  return { raw: target, path, query, plain: !/%(?:2[5ef]|5c|3b)|\/\/|;/i.test(path) };
}

/** The path, and the results of decoding it repeatedly, as a chain of careless programs would. */
function decodings(path: string): string[] {
  const spellings = [path];
  let current = path;
  for (let round = 0; round < 5 && current.includes('%'); round++) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      if (round === 0) throw new Refusal(400, 'The path is not UTF-8.');
      break; // a literal % after the first decoding is valid
    }
    if (next === current) break;
    spellings.push(next);
    current = next;
  }
  return spellings;
}

function hasControl(path: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path);
}

function hasDotSegment(path: string): boolean {
  return /(^|[/\\])\.{1,2}(?=$|[/\\;?#])/.test(path);
}

/**
 * Whether a path is another spelling of a prefix: in other letter case, encoded, with doubled
 * slashes, backslashes or parameters. Such a path is never forwarded, since the app might read it
 * as the prefix. The exact spelling does not count.
 */
export function isOtherSpelling(target: RequestTarget, prefix: string): boolean {
  if (isWithin(target.path, prefix)) return false;
  const lowerPrefix = prefix.toLowerCase();
  return canonicalSpellings(target).some((each) => isWithin(each, lowerPrefix));
}

/**
 * Whether a path is a prefix, or below it by whole segments. @param start where the prefix is to
 * begin
 */
export function isWithin(path: string, prefix: string, start = 0): boolean {
  const end = start + prefix.length;
  return path.startsWith(prefix, start) && (path.length === end || path.charAt(end) === '/');
}

/**
 * What an app may read a path as, in lower case: as it is, decoded repeatedly, without parameters, with
 * slashes for backslashes, without empty segments, with full-width and other compatibility letters
 * normalized, and as the path of a file.
 */
export function canonicalSpellings({ path }: RequestTarget): string[] {
  if (simple.test(path) && !/\.(?:\/|$)/.test(path)) return [path.toLowerCase()];
  const spellings = decodings(path).flatMap((spelling) => {
    const canonical = withoutAmbiguity(spelling);
    // A compatibility letter may be a slash, a dot or a percent sign.
    const compatible = withoutAmbiguity(canonical.normalize('NFKC'));
    return [canonical, compatible, asFile(compatible)];
  });
  return [...new Set([path.toLowerCase(), ...spellings])];
}

/** Without dot segments, and without the dots and spaces that Windows leaves out of names. */
function asFile(path: string): string {
  return withoutAmbiguity(posix.normalize(path).replace(/[. ]+(?=\/|$)/g, ''));
}

function withoutAmbiguity(path: string): string {
  return path
    .toLowerCase()
    .replace(/\\/g, '/')
    .replace(/;[^/]*/g, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/\/+/g, '/');
}

/**
 * The longest excluded path that a target is, or is below: by whole segments, in any letter case,
 * and only in its plain spelling.
 */
export function excludedBy(target: RequestTarget, excluded: readonly string[]): string | undefined {
  if (excluded.length === 0 || !target.plain || !isUnambiguous(target.path)) return undefined;
  const path = target.path.toLowerCase();
  const matches = excluded.filter(
    (entry) => path === entry || (entry !== '/' && path.startsWith(`${entry}/`)),
  );
  return matches.sort((a, b) => b.length - a.length)[0];
}

/**
 * Whether compatibility letters change nothing that separates segments: an app that normalizes
 * `/public/．．/admin` would answer `/admin`.
 */
function isUnambiguous(path: string): boolean {
  if (simple.test(path)) return true;
  return decodings(path).every((spelling) => {
    const normalized = spelling.normalize('NFKC');
    return (
      normalized === spelling || !(hasDotSegment(normalized) || /[\\;?#%]|\/\//.test(normalized))
    );
  });
}
