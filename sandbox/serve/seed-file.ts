import { readFileSync, statSync } from 'node:fs';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedSection } from '../../services/common/seed.js';
import { assertListName, listNames } from './seed-lists.js';
import { readSeedParts } from './seed-parts.js';
import { invalidKeyReason } from './seed-properties.js';

/** An open seed: complete, or if it is too large for memory, read in parts at each iteration. */
export type OpenedSeed =
  { readonly whole: SeedSection } | { readonly parts: () => Iterable<SeedSection> };

/** The size in bytes from which a file is read in parts. */
const bigFile = 16 * 1024 * 1024;

/**
 * Opens a seed file of any size.
 *
 * @throws CAS4002 with file, line and column of a mistake; in a large file when it is reached.
 */
export function openSeed(file: string): OpenedSeed {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size < bigFile ? { whole: readSeedFile(file) } : { parts: () => readSeedParts(file) };
}

/**
 * Reads a seed file: YAML with the lists of {@link SeedSection}, each entry with the API's property
 * names.
 *
 * @throws CAS4002 with file, line and column of the first mistake.
 */
export function readSeedFile(file: string): SeedSection {
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

/** The same for a text; `file` is its name in messages. */
export function parseSeed(text: string, file: string): SeedSection {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const at = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${file}:${line}:${col}`;
  };
  const fail = (offset: number | undefined, message: string): CastellanError =>
    new CastellanError('CAS4002', `${at(offset)}: ${message}`);
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw fail(problem.pos[0], problem.message);
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return {};
  if (!isMap(root))
    throw fail(root.range?.[0], `a seed is a map with the lists ${listNames.join(', ')}`);
  for (const { key, value } of root.items) {
    const [name, offset] = isScalar(key)
      ? [String(key.value), key.range?.[0]]
      : ['?', root.range?.[0]];
    assertListName(name, at(offset));
    if (value === null || (isScalar(value) && value.value === null)) continue;
    if (!isSeq(value)) throw fail(offset, `"${name}" is not a list`);
    for (const entry of value.items) {
      const node = isAlias(entry) ? entry.resolve(document) : entry;
      if (!isMap(node))
        throw fail(
          isNode(entry) ? entry.range?.[0] : offset,
          `every entry of "${name}" is a map of properties`,
        );
      for (const { key: property } of node.items) {
        const refusal = isScalar(property)
          ? invalidKeyReason(name, String(property.value))
          : undefined;
        if (refusal !== undefined)
          throw fail((property as { range?: readonly number[] }).range?.[0], refusal);
      }
    }
  }
  try {
    const lists = document.toJS({ maxAliasCount: 1000 }) as Record<
      string,
      SeedSection[keyof SeedSection] | null
    >;
    return Object.fromEntries(
      Object.entries(lists).filter(([, list]) => list !== null),
    ) as SeedSection;
  } catch (cause) {
    throw new CastellanError('CAS4002', `${file}: ${(cause as Error).message}`, { cause });
  }
}
