import { closeSync, openSync, readSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedEntry, SeedLists } from '../../services/common/seed.js';
import { assertListName } from './seed-lists.js';

/** The largest part, which limits the memory that reading takes. */
const maxPart = { entries: 2_000, characters: 4_000_000 };
/** The schema of YAML in which dates are text, as in a small seed file. */
const schema = CORE_SCHEMA;

/**
 * Reads a seed file of any size in parts, each with entries of one list, in the order of the file.
 * It is JSON, or YAML with block sequences (`- …`); an alias is limited to its entry.
 *
 * @throws CAS4002 with file and line of a mistake, when its part is reached.
 */
export function* readSeedParts(file: string): Generator<SeedLists> {
  let part: EntryText[] = [];
  let characters = 0;
  for (const entry of readEntries(file)) {
    const isFull = part.length >= maxPart.entries || characters >= maxPart.characters;
    if (part[0] && (isFull || part[0].list !== entry.list)) {
      yield listsOfPart(file, part);
      [part, characters] = [[], 0];
    }
    part.push(entry);
    characters += entry.text.length;
  }
  if (part.length > 0) yield listsOfPart(file, part);
}

/** The texts of a seed's entries, in the order of the file. */
function* readEntries(file: string): Generator<EntryText> {
  const [firstChunk] = readChunks(file);
  if (firstChunk?.trimStart().startsWith('{')) yield* jsonEntries(file);
  else yield* yamlEntries(file);
}

/**
 * The entries of block sequences under the names of lists; lines indented deeper than an entry's
 * dash belong to it.
 */
function* yamlEntries(file: string): Generator<EntryText> {
  let list: string | undefined;
  let indent: number | undefined;
  let entry: { text: string; line: number } | undefined;
  let lineNumber = 0;
  for (const line of readLines(file)) {
    lineNumber++;
    const dashIndent = /^( *)-(?: |$)/.exec(line)?.[1]?.length;
    if (dashIndent !== undefined && list !== undefined) indent ??= dashIndent;
    const isEntry = dashIndent !== undefined && list !== undefined && dashIndent === indent;
    const key =
      dashIndent === undefined
        ? /^(?:(["']?)(\w+)\1\s*:\s*(.*)|[^\s#%-].*)$/.exec(line)
        : undefined;
    if (entry && list !== undefined && (isEntry || key)) {
      yield { list, ...entry };
      entry = undefined;
    }
    if (isEntry) entry = { text: line, line: lineNumber };
    else if (key) [list, indent] = [yamlListOf(file, lineNumber, key), undefined];
    else if (entry) entry.text += `\n${line}`;
    else if (!/^(---)?\s*(#.*)?$|^%/.test(line))
      throw seedError(file, lineNumber, 'an entry of a list is expected here ("- …")');
  }
  if (entry && list !== undefined) yield { list, ...entry };
}

/** The list that a top-level key begins; undefined for an empty one. */
function yamlListOf(
  file: string,
  line: number,
  [, , name, rest = '']: RegExpExecArray,
): string | undefined {
  if (name === undefined) throw seedError(file, line, 'the name of a list is expected here');
  assertListName(name, `${file}:${line}`);
  if (/^(#.*)?$/.test(rest)) return name;
  if (/^(\[\s*\]|null|~)\s*(#.*)?$/.test(rest)) return undefined;
  throw seedError(
    file,
    line,
    `in a file of this size the entries of "${name}" stand below it, each behind a dash`,
  );
}

function listsOfPart(file: string, part: readonly EntryText[]): SeedLists {
  const [first] = part;
  if (!first) return {};
  const entries = part.map(({ text }) => parseJson(text));
  const parsedEntries = entries.every((entry) => entry !== undefined)
    ? entries
    : parseYaml(file, first.line, part);
  parsedEntries.forEach((entry, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw seedError(
        file,
        part[index]?.line ?? first.line,
        `every entry of "${first.list}" is a map of properties`,
      );
  });
  return { [first.list]: parsedEntries as SeedEntry[] };
}

/** Parses an entry that is JSON after a dash, as programs write large files; undefined for YAML. */
function parseJson(text: string): unknown {
  const inner = text.replace(/^\s*-\s/, '');
  if (!/^\s*\{/.test(inner)) return undefined;
  try {
    return JSON.parse(inner);
  } catch {
    return undefined; // a flow map that is not JSON: parsed as YAML, which reports what is wrong
  }
}

function parseYaml(file: string, line: number, part: readonly EntryText[]): unknown[] {
  const text = part.map((entry) => entry.text).join('\n');
  try {
    return load(text, { schema }) as unknown[];
  } catch (cause) {
    const { mark, reason } = cause as { mark?: { line: number }; reason?: string };
    throw seedError(file, line + (mark?.line ?? 0), reason ?? (cause as Error).message, cause);
  }
}

function seedError(file: string, line: number, message: string, cause?: unknown): CastellanError {
  return new CastellanError(
    'CAS4002',
    `${file}:${line}: ${message}`,
    cause === undefined ? {} : { cause },
  );
}

/** An entry of a list as written. */
interface EntryText {
  /** The name of the list that it is in: `groups`. */
  readonly list: string;
  readonly text: string;
  /** The line on which it starts, from 1. */
  readonly line: number;
}

const chunkBytes = 1024 * 1024;

/** A file's text in chunks. @throws CAS4002 when it cannot be read or is not UTF-8. */
function* readChunks(file: string): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const bytes = Buffer.allocUnsafe(chunkBytes);
  const orSeedError = <T>(read: () => T): T => {
    try {
      return read();
    } catch (cause) {
      throw new CastellanError('CAS4002', `${file} can't be read: ${(cause as Error).message}`, {
        cause,
      });
    }
  };
  const descriptor = orSeedError(() => openSync(file, 'r'));
  try {
    for (;;) {
      const length = orSeedError(() => readSync(descriptor, bytes, 0, chunkBytes, null));
      if (length === 0) break;
      yield orSeedError(() => decoder.decode(bytes.subarray(0, length), { stream: true }));
    }
    yield orSeedError(() => decoder.decode());
  } finally {
    closeSync(descriptor);
  }
}

/** The longest line of a seed, so that a file without line breaks is not read completely. */
const maxLineCharacters = 16 * 1024 * 1024;

/** A file's lines, without line breaks. @throws CAS4002 for one that is too long. */
function* readLines(file: string): Generator<string> {
  let unfinishedLine = '';
  let lineNumber = 1;
  for (const text of readChunks(file)) {
    const lines = (unfinishedLine + text).split(/\r?\n/);
    unfinishedLine = lines.pop() ?? '';
    yield* lines;
    lineNumber += lines.length;
    if (unfinishedLine.length > maxLineCharacters)
      throw new CastellanError(
        'CAS4002',
        `${file}:${String(lineNumber)}: a line of more than 16 MB: in a seed of this size each entry has lines of its own`,
      );
  }
  if (unfinishedLine !== '') yield unfinishedLine.replace(/\r$/, '');
}

// the codes of the characters that end a string or a value
const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, newline] = [codeOf('"'), codeOf('\\'), codeOf(','), codeOf('\n')];
const openBracket = codeOf('[');
const openingBrackets = new Set([codeOf('{'), openBracket]);
const closingBrackets = new Set([codeOf('}'), codeOf(']')]);

/**
 * The entries of `{"users": [{…}, …], …}`, whatever its size: scans only strings and brackets; the
 * caller parses the entries.
 *
 * @throws CAS4002 for an unknown list, or a value that is not a list.
 */
function* jsonEntries(file: string): Generator<EntryText> {
  let [depth, isInString, isEscaped, line, startLine] = [0, false, false, 1, 1];
  let list: string | undefined;
  let pending = ''; // the text since the last boundary, from earlier chunks
  for (const text of readChunks(file)) {
    let from = 0;
    const takeUpTo = (to: number): string => {
      const textBefore = (pending + text.slice(from, to)).trim();
      [pending, from] = ['', to + 1];
      return textBefore;
    };
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === newline) line++;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInString = false;
      } else if (code === quote) isInString = true;
      else if (openingBrackets.has(code)) {
        if (++depth === 1) takeUpTo(index);
        if (depth === 2) {
          list = jsonListOf(file, line, takeUpTo(index), code);
          startLine = line;
        }
      } else if (closingBrackets.has(code)) {
        if (--depth === 1 && list !== undefined) {
          const last = takeUpTo(index);
          if (last !== '') yield { list, text: last, line: startLine };
          list = undefined;
        }
      } else if (code === comma && depth === 2 && list !== undefined) {
        yield { list, text: takeUpTo(index), line: startLine };
        startLine = line;
      }
    }
    pending += text.slice(from);
  }
  if (depth !== 0)
    throw new CastellanError('CAS4002', `${file}:${line}: the JSON ends before it is complete`);
}

/** The list that a key (`, "users":`) and the bracket after it begin. */
function jsonListOf(file: string, line: number, key: string, bracket: number): string {
  const name = /^,?\s*"(\w+)"\s*:$/.exec(key)?.[1];
  if (name === undefined || bracket !== openBracket)
    throw new CastellanError('CAS4002', `${file}:${line}: a list is expected here ("users": […])`);
  assertListName(name, `${file}:${line}`);
  return name;
}
