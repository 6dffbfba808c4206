import { readFileSync, statSync } from 'node:fs';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedLists } from '../../services/common/seed.js';
import { assertListName, seedListNames } from './seed-lists.js';
import { readSeedParts } from './seed-parts.js';
import { invalidKeyReason } from './seed-properties.js';

/** An opened seed: read as a whole, or, if it is too large for memory, in parts at each iteration. */
export type OpenedSeed =
  { readonly whole: SeedLists } | { readonly parts: () => Iterable<SeedLists> };

/** The size in bytes from which a file is read in parts. */
const minBytesForParts = 16 * 1024 * 1024;
/** How many nodes an alias may expand to: a limit against documents that expand without end. */
const maxAliasCount = 1000;

/**
 * Opens a seed file of any size.
 *
 * @throws CAS4002 with file, line and column of a mistake; in a large file when it is reached.
 */
export function openSeed(file: string): OpenedSeed {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size < minBytesForParts
    ? { whole: readSeedFile(file) }
    : { parts: () => readSeedParts(file) };
}

/**
 * Reads a seed file: YAML with the lists of {@link SeedLists}, each entry with the API's property
 * names.
 *
 * @throws CAS4002 with file, line and column of the first mistake.
 */
export function readSeedFile(file: string): SeedLists {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw new CastellanError('CAS4002', `${file} can't be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  return parseSeed(text, file);
}

/**
 * Parses the text of a seed file.
 *
 * @param file its name in messages.
 * @throws CAS4002 with file, line and column of the first mistake.
 */
export function parseSeed(text: string, file: string): SeedLists {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const placeOf = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${file}:${line}:${col}`;
  };
  const seedError = (offset: number | undefined, message: string): CastellanError =>
    new CastellanError('CAS4002', `${placeOf(offset)}: ${message}`);
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw seedError(problem.pos[0], problem.message);
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return {};
  if (!isMap(root))
    throw seedError(root.range?.[0], `a seed is a map with the lists ${seedListNames.join(', ')}`);
  for (const { key, value } of root.items) {
    const [name, offset] = isScalar(key)
      ? [String(key.value), key.range?.[0]]
      : ['?', root.range?.[0]];
    assertListName(name, placeOf(offset));
    if (value === null || (isScalar(value) && value.value === null)) continue;
    if (!isSeq(value)) throw seedError(offset, `"${name}" is not a list`);
    for (const entry of value.items) {
      const node = isAlias(entry) ? entry.resolve(document) : entry;
      if (!isMap(node))
        throw seedError(
          isNode(entry) ? entry.range?.[0] : offset,
          `every entry of "${name}" is a map of properties`,
        );
      for (const { key: property } of node.items) {
        const reason = isScalar(property)
          ? invalidKeyReason(name, String(property.value))
          : undefined;
        if (reason !== undefined)
          throw seedError((property as { range?: readonly number[] }).range?.[0], reason);
      }
    }
  }
  try {
    const lists = document.toJS({ maxAliasCount }) as Record<
      string,
      SeedLists[keyof SeedLists] | null
    >;
    return Object.fromEntries(
      Object.entries(lists).filter(([, list]) => list !== null),
    ) as SeedLists;
  } catch (cause) {
    throw new CastellanError('CAS4002', `${file}: ${(cause as Error).message}`, { cause });
  }
}
