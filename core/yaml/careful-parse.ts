import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLError,
} from 'yaml';
import type { Problem, ProblemId } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';
import type { YamlNode } from './node.js';

/** The documents of a text, or its first mistake. */
export type CarefulResult = { readonly roots: readonly YamlNode[] } | { readonly problem: Problem };

/** Parses YAML with `yaml`, which is slow and reports the location and kind of every mistake. */
export function carefulParse(source: SourceText): CarefulResult {
  const documents = parseAllDocuments(source.text, {
    merge: true,
    prettyErrors: false,
    lineCounter: new LineCounter(),
    logLevel: 'silent',
  });
  if (!Array.isArray(documents)) return { roots: [] };
  for (const document of documents) {
    const mistake = firstMistake(document);
    if (mistake !== undefined) return { problem: problemOf(mistake, source) };
  }
  return { roots: documents.map((document) => treeOf(document)) };
}

function firstMistake(document: Document.Parsed): YAMLError | undefined {
  const tags = document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED');
  return [...document.errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0])[0];
}

function problemOf({ code, message, pos }: YAMLError, source: SourceText): Problem {
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
  if (code === 'DUPLICATE_KEY')
    return [
      'config-duplicate-key',
      `the key ${quote(keyOf(line) ?? excerpt)} is used twice in the same map`,
    ];
  if (code === 'TAB_AS_INDENT' || /^\s*\t/.test(line))
    return ['config-tab', 'a tab indents this line; YAML indents with spaces only'];
  if (code === 'TAG_RESOLVE_FAILED')
    return ['config-tag', `the tag ${excerpt || message} is not known here; remove it`];
  if (code === 'BAD_ALIAS') return ['config-alias', `the alias ${excerpt} has no anchor before it`];
  return ['config-syntax', `${lowerFirst(message)}`];
}

function keyOf(line: string): string | undefined {
  return /^\s*(?:- )?["']?([^"':]+)["']?\s*:/.exec(line)?.[1];
}

function treeOf(document: Document.Parsed): YamlNode {
  return convert(document.contents as Node | null, new Map());
}

/**
 * Converts the tree of `yaml` to our own, with the value of each node; an alias shares the object
 * of its anchor.
 */
function convert(node: Node | null, anchors: Map<string, unknown>): YamlNode {
  const [start, end] = node?.range ?? [0, 0];
  if (isAlias(node))
    return { kind: 'alias', start, end, value: anchors.get(node.source), children: [] };
  if (isScalar(node)) {
    if (node.anchor !== undefined) anchors.set(node.anchor, node.value);
    // `yaml` uses a symbol as the key of a merge
    return {
      kind: 'scalar',
      start,
      end,
      value: typeof node.value === 'symbol' ? '<<' : node.value,
      children: [],
    };
  }
  if (isSeq(node)) {
    const value: unknown[] = [];
    if (node.anchor !== undefined) anchors.set(node.anchor, value);
    const children = node.items.map((item) =>
      convert(isPair(item) ? null : (item as Node), anchors),
    );
    for (const child of children) value.push(child.value);
    return { kind: 'list', start, end, value, children };
  }
  if (!isMap(node)) return { kind: 'scalar', start, end, value: null, children: [] };
  const value: Record<string, unknown> = {};
  if (node.anchor !== undefined) anchors.set(node.anchor, value);
  const children: YamlNode[] = [];
  for (const pair of node.items) {
    const key = convert(pair.key as Node | null, anchors);
    const item = convert((pair.value as Node | null) ?? null, anchors);
    const scalar =
      item.start === 0 && item.end === 0 ? { ...item, start: key.end, end: key.end } : item;
    children.push(key, scalar);
  }
  assign(value, children);
  return { kind: 'map', start, end, value, children };
}

function assign(target: Record<string, unknown>, children: readonly YamlNode[]): void {
  const own = (key: string, value: unknown): unknown =>
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  for (let index = 0; index < children.length; index += 2) {
    const key = String(children[index]?.value);
    if (key !== '<<') own(key, children[index + 1]?.value);
  }
  for (let index = 0; index < children.length; index += 2) {
    if (children[index]?.value !== '<<') continue;
    const merged = children[index + 1]?.value;
    for (const each of Array.isArray(merged) ? merged : [merged])
      for (const [key, value] of Object.entries((each ?? {}) as object))
        if (!Object.hasOwn(target, key)) own(key, value);
  }
}

function quote(word: string): string {
  return JSON.stringify(word.trim());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
