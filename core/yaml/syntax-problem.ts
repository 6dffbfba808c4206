import type { Document, YAMLError } from 'yaml';
import type { Problem, ProblemId } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';

/** The first mistake that `yaml` has found in a document. */
export function firstSyntaxError(document: Document.Parsed): YAMLError | undefined {
  const tags = document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED');
  return [...document.errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0])[0];
}

/** A mistake as it is reported, in the words of castellan. */
export function syntaxProblem({ code, message, pos }: YAMLError, source: SourceText): Problem {
  const location = source.location(pos[0], pos[1]);
  const [id, text] = describeError(
    code,
    message,
    source.text.slice(pos[0], pos[1]),
    source.line(location.line),
  );
  return { id, message: text, location };
}

function describeError(
  code: string,
  message: string,
  excerpt: string,
  line: string,
): readonly [ProblemId, string] {
  if (code === 'TAB_AS_INDENT' || /^\s*\t/.test(line))
    return ['config-tab', 'a tab indents this line; YAML indents with spaces only'];
  if (code === 'TAG_RESOLVE_FAILED')
    return ['config-tag', `the tag ${excerpt || message} is not known here; remove it`];
  if (code === 'BAD_ALIAS') return ['config-alias', 'a text that begins with * is put in quotes'];
  return ['config-syntax', inPlainWords(code, message)];
}

/** What is to be written, where the parser names a rule of the grammar. */
function inPlainWords(code: string, message: string): string {
  const [, closing] = /sufficiently indented and end with a ([}\]])$/.exec(message) ?? [];
  if (closing !== undefined) {
    const [opening, what] = closing === '}' ? ['{', 'map'] : ['[', 'list'];
    return `a ${opening} has no ${closing} where the ${what} ends, or ${closing} is indented too little`;
  }
  const [, quote] = /^Missing closing (["'])quote$/.exec(message) ?? [];
  if (quote !== undefined) return `a text that begins with ${quote} has no ${quote} at its end`;
  const [, escape] = /^Invalid escape sequence (\S+)$/.exec(message) ?? [];
  if (escape !== undefined) return `${escape} is no escape within "…": write \\\\ for a backslash`;
  const [, first] = /^Plain value cannot start with .* character (\S)$/.exec(message) ?? [];
  if (first !== undefined) return `a value that begins with ${first} is put in quotes`;
  return plainWords.get(message) ?? plainWords.get(code) ?? lowerFirst(message);
}

const plainWords: ReadonlyMap<string, string> = new Map([
  ['BLOCK_IN_FLOW', 'a value with a colon and a space in it is put in quotes'],
  [
    'Nested mappings are not allowed in compact mappings',
    'a value with a colon and a space in it is put in quotes',
  ],
  [
    'BAD_INDENT',
    'this line begins at another column than those it belongs to: the keys of a map, and the entries of a list, begin at the same one',
  ],
  [
    'Unexpected scalar at node end',
    "something follows the end of this value: put all of it in quotes, and double a ' within '…'",
  ],
]);

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
