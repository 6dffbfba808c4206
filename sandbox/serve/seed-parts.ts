import { CORE_SCHEMA, load } from 'js-yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedEntry, SeedSection } from '../../services/common/seed.js';
import { jsonEntries } from './seed-json.js';
import { type EntryText, linesOf, textsOf } from './seed-text.js';
import { assertListName } from './seed-lists.js';

/** So much of one list is handed over at once: what a part needs in memory follows from it. */
const partSize = { entries: 2_000, characters: 4_000_000 };
/** As in a small file: dates stay text. */
const schema = CORE_SCHEMA;

/**
 * Reads a seed file of any size in parts, each with entries of one list, in the order of the file. It is JSON, or YAML whose lists are
 * written one entry after the other (`- …`); an alias reaches only as far as its entry.
 *
 * @throws CAS4002 with file and line of a mistake, when the part that it is in is reached.
 */
export function* readSeedParts(file: string): Generator<SeedSection> {
  let part: EntryText[] = [];
  let characters = 0;
  for (const entry of entriesOf(file)) {
    const full = part.length >= partSize.entries || characters >= partSize.characters;
    if (part[0] && (full || part[0].list !== entry.list)) {
      yield sectionOf(file, part);
      [part, characters] = [[], 0];
    }
    part.push(entry);
    characters += entry.text.length;
  }
  if (part.length > 0) yield sectionOf(file, part);
}

function* entriesOf(file: string): Generator<EntryText> {
  const [first] = textsOf(file);
  if (first?.trimStart().startsWith('{')) yield* jsonEntries(file);
  else yield* yamlEntries(file);
}

/** The entries of block sequences under the names of lists; whatever is indented deeper than an entry's dash belongs to it. */
function* yamlEntries(file: string): Generator<EntryText> {
  let list: string | undefined;
  let indent: number | undefined;
  let entry: { text: string; line: number } | undefined;
  let number = 0;
  for (const line of linesOf(file)) {
    number++;
    const dash = /^( *)-(?: |$)/.exec(line)?.[1]?.length;
    const begins = dash !== undefined && list !== undefined && (indent ??= dash) === dash;
    const name = dash === undefined ? /^(?:(["']?)(\w+)\1\s*:\s*(.*)|[^\s#%-].*)$/.exec(line) : undefined;
    if (entry && list !== undefined && (begins || name)) {
      yield { list, ...entry };
      entry = undefined;
    }
    if (begins) entry = { text: line, line: number };
    else if (name) [list, indent] = [listOf(file, number, name), undefined];
    else if (entry) entry.text += `\n${line}`;
    else if (!/^(---)?\s*(#.*)?$|^%/.test(line)) throw mistake(file, number, 'an entry of a list is expected here ("- …")');
  }
  if (entry && list !== undefined) yield { list, ...entry };
}

function listOf(file: string, line: number, [, , name, rest = '']: RegExpExecArray): string | undefined {
  if (name === undefined) throw mistake(file, line, 'the name of a list is expected here');
  assertListName(name, `${file}:${line}`);
  if (/^(#.*)?$/.test(rest)) return name;
  if (/^(\[\s*\]|null|~)\s*(#.*)?$/.test(rest)) return undefined;
  throw mistake(file, line, `in a file of this size the entries of "${name}" stand below it, each behind a dash`);
}

function sectionOf(file: string, part: readonly EntryText[]): SeedSection {
  const [first] = part;
  if (!first) return {};
  const entries = part.map(({ text }) => parseJson(text));
  const parsed = entries.every((entry) => entry !== undefined) ? entries : parseYaml(file, first.line, part);
  parsed.forEach((entry, at) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw mistake(file, part[at]?.line ?? first.line, `every entry of "${first.list}" is a map of properties`);
  });
  return { [first.list]: parsed as SeedEntry[] };
}

/** Most big files are written by programs, as JSON behind a dash: far faster to read than YAML. */
function parseJson(text: string): unknown {
  const inner = text.replace(/^\s*-\s/, '');
  if (!/^\s*\{/.test(inner)) return undefined;
  try {
    return JSON.parse(inner);
  } catch {
    return undefined; // a flow map that isn't JSON: read as YAML, which says what is wrong with it
  }
}

function parseYaml(file: string, line: number, part: readonly EntryText[]): unknown[] {
  const text = part.map((entry) => entry.text).join('\n');
  try {
    return load(text, { schema }) as unknown[];
  } catch (cause) {
    const { mark, reason } = cause as { mark?: { line: number }; reason?: string };
    throw mistake(file, line + (mark?.line ?? 0), reason ?? (cause as Error).message, cause);
  }
}

function mistake(file: string, line: number, message: string, cause?: unknown): CastellanError {
  return new CastellanError('CAS4002', `${file}:${line}: ${message}`, cause === undefined ? {} : { cause });
}
