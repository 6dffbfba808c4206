import { posix } from 'node:path';
import { normalizeLetters, normalizeSlashes } from '../../../kinds/auth/path-pattern.js';
import { Refusal } from './refusal.js';

/** The target of a request, as received: it is matched and forwarded without being rewritten. */
export interface RequestTarget {
  /** Path and query as sent. */
  readonly raw: string;
  /** The path as sent, percent-encoding included. */
  readonly path: string;
  /** The query with its question mark; empty if there is none. */
  readonly query: string;
  /**
   * Whether the path has no encoded separator or percent sign, no empty segment and no parameters
   * (`;`). Only such a path can be excluded from the sign-in.
   */
  readonly isPlain: boolean;
}

/**
 * Stands for the target of a request that another proxy asks about without reporting its path. It is
 * never an excluded path, and all requirements apply to it.
 */
export const unknownTarget: RequestTarget = { raw: '/', path: '/', query: '', isPlain: false };

/** A path in which every program reads the same segments: unreserved characters, no leading dots. */
const simplePath = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$|^\/$/;

/**
 * Parses a request's target without rewriting it. Refuses targets that programs could read in
 * different ways: other forms than a path, dot segments in any spelling, control characters, overlong
 * or invalid encodings, backslashes, fragments.
 *
 * @throws Refusal 400.
 */
export function parseTarget(target: string): RequestTarget {
  const queryStart = target.indexOf('?');
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  const query = queryStart < 0 ? '' : target.slice(queryStart);
  if (query !== '' && !/^[!"$-~]*$/.test(query))
    throw new Refusal(400, 'The query holds characters that have to be encoded.');
  if (simplePath.test(path)) return { raw: target, path, query, isPlain: true };
  if (!path.startsWith('/')) throw new Refusal(400, 'The request target must be a path.');
  if (path.startsWith('//')) throw new Refusal(400, 'The path must not begin with two slashes.');
  if (!/^[!$-~]*$/.test(path) || path.includes('\\'))
    throw new Refusal(400, 'The path holds characters that have to be encoded.');
  if (/%(?![0-9A-Fa-f]{2})/.test(path))
    throw new Refusal(400, 'The path holds a broken percent-encoding.');
  const spellings = decodings(path);
  if (spellings.some((spelling) => hasControlCharacter(spelling)))
    throw new Refusal(400, 'The path holds a control character.');
  if (spellings.some((spelling) => hasDotSegment(spelling)))
    throw new Refusal(400, 'The path holds dot segments.');
  return { raw: target, path, query, isPlain: !/%(?:2[5ef]|5c|3b)|\/\/|;/i.test(path) };
}

/** How often a path is decoded: a chain of programs may each decode it once. */
const maxDecodings = 5;

/** The path as sent, and after each decoding until nothing is left to decode. */
function decodings(path: string): string[] {
  const spellings = [path];
  let current = path;
  for (let round = 0; round < maxDecodings && current.includes('%'); round++) {
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

function hasControlCharacter(path: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path);
}

function hasDotSegment(path: string): boolean {
  return /(^|[/\\])\.{1,2}(?=$|[/\\;?#])/.test(path);
}

/**
 * Whether a path is within a prefix only in another spelling: in other letter case, encoded, with
 * doubled slashes, backslashes or parameters. Such a path is never forwarded, because the app might
 * read it as the prefix. The exact spelling does not count.
 */
export function isOtherSpelling(target: RequestTarget, prefix: string): boolean {
  if (isWithin(target.path, prefix)) return false;
  const lowerPrefix = prefix.toLowerCase();
  return canonicalSpellings(target).some((each) => isWithin(each, lowerPrefix));
}

/**
 * Whether a path is the prefix itself or continues it with a slash.
 *
 * @param start the index in the path at which the prefix has to begin.
 */
export function isWithin(path: string, prefix: string, start = 0): boolean {
  const end = start + prefix.length;
  return path.startsWith(prefix, start) && (path.length === end || path.charAt(end) === '/');
}

/**
 * The paths that an app may read a target as, in lower case: as sent, and after each decoding without
 * parameters, with slashes for backslashes, without empty segments, also with compatibility letters
 * (such as full-width ones) normalized, as the path of a file, and with all that was encoded in it.
 */
export function canonicalSpellings({ path }: RequestTarget): string[] {
  if (simplePath.test(path) && !/\.(?:\/|$)/.test(path)) return [path.toLowerCase()];
  const spellings = decodings(path).flatMap((spelling) => {
    const canonical = normalizeSeparators(spelling);
    // A compatibility letter may be a slash, a dot or a percent sign.
    const compatible = normalizeSeparators(canonical.normalize('NFKC'));
    return [canonical, compatible, asFilePath(compatible), normalizeLetters(spelling)];
  });
  return [...new Set([path.toLowerCase(), ...spellings])];
}

/**
 * The path as a file system reads it: dot segments are resolved, and names end without dots and
 * spaces, as on Windows.
 */
function asFilePath(path: string): string {
  // Looking behind keeps the time linear: each run of dots and spaces is tried once, from its start.
  return normalizeSeparators(posix.normalize(path).replace(/(?<![. ])[. ]+(?=\/|$)/g, ''));
}

/** A path in lower case with single slashes as its only separators, without parameters and query. */
function normalizeSeparators(path: string): string {
  const withoutParameters = path.replace(/\\/g, '/').replace(/;[^/]*/g, '');
  return normalizeSlashes(withoutParameters.replace(/[?#].*$/s, ''));
}

/**
 * The longest excluded path that a target is within, in any letter case. `/` excludes the root only,
 * an empty text the whole app. Ambiguous targets are within none.
 */
export function longestExcludedPath(
  target: RequestTarget,
  excludedPaths: readonly string[],
): string | undefined {
  if (excludedPaths.length === 0 || !target.isPlain || !isUnambiguous(target.path))
    return undefined;
  const path = target.path.toLowerCase();
  const matches = excludedPaths.filter((entry) =>
    entry === '/' ? path === '/' : isWithin(path, entry),
  );
  return matches.sort((a, b) => b.length - a.length)[0];
}

/**
 * Whether normalizing compatibility letters adds no dot segment and no separator. An app that
 * normalizes `/public/．．/admin` would answer `/admin`.
 */
function isUnambiguous(path: string): boolean {
  if (simplePath.test(path)) return true;
  return decodings(path).every((spelling) => {
    const normalized = spelling.normalize('NFKC');
    return (
      normalized === spelling || !(hasDotSegment(normalized) || /[\\;?#%]|\/\//.test(normalized))
    );
  });
}
