import { CORE_SCHEMA, loadAll } from 'js-yaml';

/**
 * Syntax that is left to `yaml`: what shares values (anchors, aliases, merges), tags, texts of
 * several lines, explicit and empty keys, empty items, and forms of numbers that the two libraries
 * read differently.
 */
const unsupportedSyntax = new RegExp(
  [
    '[&*!?|>\\t\\r]|<<',
    '^[ -]*:|(?:^| )- *$', // no key, or no item
    '(?:^|[\\s:,[{])(?:[-+]?0b[01]|[-+]0[xo]|[-+]\\.\\d|-0+(?![\\w.]))',
    // a quote that the line does not close
    `(?:^|[:,[{-]) *(?:"(?:[^"\\\\\n]|\\\\.)*|'[^'\n]*(?:''[^'\n]*)*)$`,
    '^ *(?!#|- |$)(?![^\\n]*:(?: |$))[^\\n]+$', // neither an item nor a key
  ].join('|'),
  'm',
);

/**
 * Reads the values of a text's documents with js-yaml, which is faster than `yaml` and has no
 * locations.
 *
 * @returns undefined for a text with a mistake, and for unusual syntax: both are for `yaml`.
 */
export function parsePlainYaml(text: string): readonly unknown[] | undefined {
  if (unsupportedSyntax.test(text.replaceAll(/^(?:---|\.\.\.)$/gm, ''))) return undefined;
  try {
    return loadAll(text, undefined, { schema: CORE_SCHEMA });
  } catch {
    return undefined;
  }
}
