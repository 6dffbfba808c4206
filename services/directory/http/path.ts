import { dialectWords } from '../../../core/dialect/dialect.js';
import { badRequest } from './answers.js';

/** The key of an object in a path: an id, or an alternate key such as `(uniqueName='x')`. */
export type PathKey = string | { readonly property: string; readonly value: string };

/** The value of a key, alternate or not. */
export function pathKeyValue(key: PathKey): string {
  return typeof key === 'string' ? key : key.value;
}

/**
 * A segment of an OData path: a word or id, a word in the directory's namespace (a cast, a bound
 * function), or an alternate key.
 */
export interface PathToken {
  /** `word`: as written. `qualified`: with the namespace. `key`: in parentheses. */
  readonly kind: 'word' | 'qualified' | 'key';
  /** Decoded, without namespace; of a key, its value without quotes. */
  readonly text: string;
  /** The property of an alternate key. */
  readonly property?: string;
}

const maximumPathLength = 4096;

/**
 * Parses an OData path: `/groups(uniqueName='x')/members/microsoft.graph.user/$count`. Keys in
 * parentheses are treated like keys in segments, empty parentheses of a function are dropped, and a
 * doubled quote in a key is unescaped.
 *
 * @param path as received, still percent-encoded, without the version and the query.
 * @param namespace `svc.directory` or `microsoft.graph`; undefined for a path without casts.
 */
export function parsePath(path: string, namespace?: string): PathToken[] {
  if (path.length > maximumPathLength) throw badRequest('The path is too long.');
  return encodedOrKeyCharacter.test(path)
    ? parseEncodedPath(path, namespace)
    : parsePlainPath(path);
}

/** A path without these characters has plain segments only, neither encoded nor with keys. */
const encodedOrKeyCharacter = /[%().:']/;

function parsePlainPath(path: string): PathToken[] {
  const tokens: PathToken[] = [];
  for (const text of path.split('/')) if (text !== '') tokens.push({ kind: 'word', text });
  return tokens;
}

function parseEncodedPath(path: string, namespace: string | undefined): PathToken[] {
  const tokens: PathToken[] = [];
  for (const segment of splitSegments(decodePath(path))) {
    if (segment === '') continue;
    const openIndex =
      /^[\w.$]+\(/.test(segment) && segment.endsWith(')') ? segment.indexOf('(') : -1;
    const name = openIndex < 0 ? segment : segment.slice(0, openIndex);
    const unqualified = withoutNamespace(name, namespace);
    tokens.push(
      unqualified === undefined
        ? { kind: 'word', text: name }
        : { kind: 'qualified', text: unqualified },
    );
    const argument = openIndex < 0 ? '' : segment.slice(openIndex + 1, -1).trim();
    if (argument !== '') tokens.push(parseKeyArgument(argument));
  }
  const hasColon = path.includes(':') || /%3a/i.test(path);
  return hasColon ? withPathAddressing(tokens) : tokens;
}

/**
 * Generated clients use the alias of the cloud's namespace: `members/graph.user`. A user principal
 * name, with `@`, never has a namespace.
 */
const namespaceAlias = /^graph\.(\w+)$/i;

/** The part after the namespace or its alias; undefined for a word without one. */
function withoutNamespace(name: string, namespace: string | undefined): string | undefined {
  if (namespace === undefined) return undefined;
  if (name.toLowerCase().startsWith(`${namespace.toLowerCase()}.`))
    return name.slice(namespace.length + 1);
  return namespace === dialectWords.directoryNamespace.azure
    ? namespaceAlias.exec(name)?.[1]
    : undefined;
}

/**
 * Path addressing: `root:/a/b.txt:/content` names the item at `a/b.txt` below `root`. It becomes
 * the segments `root`, `by-path`, the path as one key, and the segments after the second colon.
 */
function withPathAddressing(tokens: readonly PathToken[]): PathToken[] {
  const start = tokens.findIndex(
    (token, index) =>
      token.text.endsWith(':') && tokens.slice(0, index).some(({ text }) => text === 'drive'),
  );
  if (start < 0) return [...tokens];
  const followingTokens = tokens.slice(start + 1);
  const end = followingTokens.findIndex((token) => token.text.endsWith(':'));
  const names = (end < 0 ? followingTokens : followingTokens.slice(0, end + 1)).map(({ text }) =>
    text.replace(/:$/, ''),
  );
  const word = (text: string): PathToken => ({ kind: 'word', text });
  const folder = word((tokens[start]?.text ?? '').slice(0, -1));
  return [
    ...tokens.slice(0, start),
    folder,
    word('by-path'),
    word(names.join('/')),
    ...(end < 0 ? [] : followingTokens.slice(end + 1)),
  ];
}

function decodePath(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\u0000')) return decoded;
  } catch {
    throw badRequest('The path is not correctly percent-encoded.');
  }
  throw badRequest('The path contains a null character.');
}

/**
 * Splits at slashes outside quotes and parentheses, so that `groups(uniqueName='a/b')` stays whole.
 */
function splitSegments(path: string): string[] {
  const segments: string[] = [];
  let [start, isQuoted, depth] = [0, false, 0];
  for (let index = 0; index <= path.length; index++) {
    const character = path[index];
    if (character === '(' && !isQuoted) depth++;
    if (character === "'" && depth > 0) isQuoted = !isQuoted;
    if (character === ')' && !isQuoted) depth = Math.max(0, depth - 1);
    if (
      index === path.length ||
      (character === '/' && !(isQuoted || (depth > 0 && path.indexOf(')', index) > index)))
    ) {
      segments.push(path.slice(start, index));
      start = index + 1;
    }
  }
  return segments;
}

function parseKeyArgument(argument: string): PathToken {
  const assignment = /^(\w+)\s*=\s*(.*)$/s.exec(argument);
  const text = assignment?.[2] ?? argument;
  const value = /^'(.*)'$/s.exec(text)?.[1]?.replaceAll("''", "'") ?? text;
  const property = assignment?.[1];
  return property === undefined || property.toLowerCase() === 'id'
    ? { kind: 'word', text: value }
    : { kind: 'key', text: value, property };
}
