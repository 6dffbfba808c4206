import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/values/is-object.js';
import { type RegoTime, localTime, nanosecondsPerMillisecond } from './local-time.js';

/** A function for policies; its arguments and result are JSON. `undefined` is Rego's undefined. */
type Builtin = (...args: never[]) => unknown;

const digest = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex');
const toList = (search: string | readonly string[]): readonly string[] =>
  typeof search === 'string' ? [search] : search;

/**
 * Rego's pure functions that compiled policies do not contain and the package opa-wasm lacks.
 * Functions that reach outside the policy (`http.send`, `opa.runtime`, `net.lookup_ip_addr`) are
 * not available. Now is the time of the check.
 */
export function regoBuiltins(now: () => Date): Readonly<Record<string, Builtin>> {
  return {
    'time.now_ns': () => now().getTime() * nanosecondsPerMillisecond,
    'time.parse_rfc3339_ns': (text: string) => nanosecondsOf(text),
    'time.date': (time: RegoTime) => localTime(time)?.date,
    'time.clock': (time: RegoTime) => localTime(time)?.clock,
    'time.weekday': (time: RegoTime) => localTime(time)?.weekday,
    'strings.any_prefix_match': (search: string | string[], bases: string | string[]) =>
      toList(search).some((text) => toList(bases).some((base) => text.startsWith(base))),
    'strings.any_suffix_match': (search: string | string[], bases: string | string[]) =>
      toList(search).some((text) => toList(bases).some((base) => text.endsWith(base))),
    'strings.count': (text: string, part: string) => text.split(part).length - 1,
    'strings.reverse': (text: string) => [...text].reverse().join(''),
    'regex.replace': (text: string, pattern: string, value: string) =>
      text.replace(
        new RegExp(pattern, 'gu'),
        value.replace(/\$\{(\w+)\}/g, (_, name: string) =>
          /^\d+$/.test(name) ? `$${name}` : `$<${name}>`,
        ),
      ),
    'regex.find_n': (pattern: string, text: string, count: number) => {
      const matches = [...text.matchAll(new RegExp(pattern, 'gu'))].map(([match]) => match);
      return count < 0 ? matches : matches.slice(0, count);
    },
    'semver.is_valid': (text: string) => parseVersion(text) !== undefined,
    'semver.compare': (left: string, right: string) =>
      compareVersions(parseVersion(left), parseVersion(right)),
    'hex.encode': (text: string) => Buffer.from(text).toString('hex'),
    'hex.decode': (text: string) =>
      /^([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex').toString() : undefined,
    'crypto.md5': digest('md5'),
    'crypto.sha1': digest('sha1'),
    'crypto.sha256': digest('sha256'),
    'urlquery.encode': (text: string) => encodeQuery(text),
    'urlquery.decode': (text: string) => decodeURIComponent(text.replaceAll('+', ' ')),
    'object.subset': (whole: unknown, part: unknown) => isSubset(whole, part),
    trace: () => true,
  };
}

function nanosecondsOf(text: string): number | undefined {
  const [, day = ''] =
    /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const time = Date.parse(text);
  // JavaScript takes February 30 for a day in March
  const exists = day !== '' && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  return !exists || Number.isNaN(time) ? undefined : time * nanosecondsPerMillisecond;
}

/** Encodes as Go does: a space as +, and all but letters, digits and `-_.~` by their bytes. */
function encodeQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

type Version = readonly [
  major: number,
  minor: number,
  patch: number,
  prerelease: readonly string[],
];

function parseVersion(text: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  return match === null
    ? undefined
    : [Number(match[1]), Number(match[2]), Number(match[3]), match[4]?.split('.') ?? []];
}

function compareVersions(
  left: Version | undefined,
  right: Version | undefined,
): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  for (const place of [0, 1, 2] as const)
    if (left[place] !== right[place]) return left[place] < right[place] ? -1 : 1;
  const [leftParts, rightParts] = [left[3], right[3]];
  if (leftParts.length === 0 || rightParts.length === 0)
    return Math.sign(rightParts.length - leftParts.length);
  const place = leftParts.findIndex((part, index) => part !== rightParts[index]);
  if (place === -1) return Math.sign(leftParts.length - rightParts.length);
  const [leftPart, rightPart] = [leftParts[place] ?? '', rightParts[place]];
  if (rightPart === undefined) return 1;
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(leftPart), /^\d+$/.test(rightPart)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  return isLeftNumber
    ? Math.sign(Number(leftPart) - Number(rightPart))
    : leftPart < rightPart
      ? -1
      : 1;
}

function isSubset(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole) && Array.isArray(part)) return hasItems(whole, part);
  if (!isObject(whole) || !isObject(part)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isSubset(whole[key], value),
  );
}

/**
 * Whether a list has the items of another one, each equal and in this order, without others in
 * between.
 *
 * @throws Error where the answer would be another one for sets, which come here as lists.
 */
function hasItems(whole: readonly unknown[], part: readonly unknown[]): boolean {
  if (part.length === 0) return true;
  if (whole.some((_, start) => isDeepStrictEqual(whole.slice(start, start + part.length), part)))
    return true;
  const isDistinct = part.every(
    (item, index) => !part.slice(0, index).some((other) => isDeepStrictEqual(item, other)),
  );
  if (isDistinct && part.every((item) => whole.some((other) => isDeepStrictEqual(item, other))))
    throw new Error(
      'object.subset does not know here whether it compares sets or lists; for sets, write count(part - whole) == 0',
    );
  return false;
}
