import { Composer, CST, Parser } from 'yaml';
import type { Problem } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';
import { aliasProblem } from './alias-problem.js';
import { AnchorTable, type YamlNode } from './node.js';
import { nodeTree, UnsupportedYamlError } from './node-tree.js';
import { parsePlainYaml } from './plain-yaml.js';
import { firstSyntaxError, syntaxProblem } from './syntax-problem.js';

/** One document of a YAML file. */
export interface YamlDocument {
  readonly source: SourceText;
  readonly root: YamlNode;
  readonly anchors: AnchorTable;
}

/** The documents of a file, or its first mistake. */
type ParseResult = { readonly documents: readonly YamlDocument[] } | { readonly problem: Problem };

/** Characters that YAML excludes from every document. */
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** The deepest nesting of a document. */
const maxDepth = 100;

/**
 * Parses YAML (and JSON) with the location of every node. The values of most files are read by
 * js-yaml, and `yaml` finds locations when one is asked for; mistakes and unusual syntax are all
 * read by `yaml`.
 */
export function parseYaml(source: SourceText): ParseResult {
  const values = parsePlainYaml(source.text)?.filter(isPresent) ?? [];
  if (values.length === 0) return parseWithLocations(source);
  let locatedRoots: readonly YamlNode[] | undefined;
  return {
    documents: values.map((value, index) => {
      const root = new LazyRootNode(
        value,
        () => (locatedRoots ??= rootsOf(source))[index] as YamlNode,
      );
      return { source, root, anchors: new AnchorTable(root) };
    }),
  };
}

/** Reads values and locations with `yaml`. */
export function parseWithLocations(source: SourceText): ParseResult {
  const control = controlCharacter.exec(source.text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const message = `the control character U+${code} is not allowed in YAML: remove it`;
    return problem('config-syntax', message, source, control.index);
  }
  const tokens = [...new Parser().parse(source.text)];
  const offsetTooDeep = tokens
    .map((token) => tooDeepOffset(token, 0))
    .find((offset) => offset !== undefined);
  if (offsetTooDeep !== undefined)
    return problem(
      'config-depth',
      `nested more than ${String(maxDepth)} levels deep`,
      source,
      offsetTooDeep,
    );
  // nodeTree finds keys that are used twice: `yaml` would compare each key with each other one
  const composer = new Composer({ merge: true, uniqueKeys: false, logLevel: 'silent' });
  const roots: YamlNode[] = [];
  for (const document of composer.compose(tokens)) {
    const mistake = firstSyntaxError(document);
    if (mistake !== undefined) return { problem: syntaxProblem(mistake, source) };
    try {
      const root = nodeTree(document.contents);
      if (isPresent(root.value)) roots.push(root);
    } catch (error) {
      if (!(error instanceof UnsupportedYamlError)) throw error;
      return problem(error.id, error.message, source, ...error.range);
    }
  }
  if (roots.length === 0)
    return problem(
      'config-empty',
      'there is nothing in this file: write what it is to declare, or delete it',
      source,
      0,
    );
  for (const root of roots) {
    const found = aliasProblem(root, source);
    if (found !== undefined) return { problem: found };
  }
  return { documents: roots.map((root) => ({ source, root, anchors: new AnchorTable(root) })) };
}

const isPresent = (value: unknown): boolean => value !== null && value !== undefined;

/** The roots of a text whose values js-yaml has read. */
function rootsOf(source: SourceText): readonly YamlNode[] {
  const parsed = parseWithLocations(source);
  if ('problem' in parsed)
    throw new Error(`js-yaml accepts ${source.file}, but yaml does not: ${parsed.problem.message}`);
  return parsed.documents.map(({ root }) => root);
}

/** A root whose value is known and whose tree is parsed when it is asked for. */
class LazyRootNode implements YamlNode {
  constructor(
    readonly value: unknown,
    private readonly tree: () => YamlNode,
  ) {}

  get kind(): YamlNode['kind'] {
    return this.tree().kind;
  }

  get start(): number {
    return this.tree().start;
  }

  get end(): number {
    return this.tree().end;
  }

  get children(): readonly YamlNode[] {
    return this.tree().children;
  }
}

function problem(
  id: Problem['id'],
  message: string,
  source: SourceText,
  start: number,
  end = start,
): { readonly problem: Problem } {
  return { problem: { id, message, location: source.location(start, end) } };
}

/** The offset of a collection that is nested too deep. */
function tooDeepOffset(token: CST.Token | null | undefined, depth: number): number | undefined {
  if (token?.type === 'document') return tooDeepOffset(token.value, depth);
  if (!CST.isCollection(token)) return undefined;
  if (depth === maxDepth) return token.offset;
  for (const { key, value } of token.items) {
    const found = tooDeepOffset(key, depth + 1) ?? tooDeepOffset(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
