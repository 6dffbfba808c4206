import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { ProblemId } from '../source/problem.js';
import { isObject } from '../values/is-object.js';
import { setOwnProperty } from '../values/set-own-property.js';
import type { YamlNode } from './node.js';

/** What `yaml` accepts and a configuration may not contain. */
export class UnsupportedYamlError extends Error {
  constructor(
    readonly id: ProblemId,
    message: string,
    /** The range of the mistake in the text. */
    readonly range: readonly [start: number, end: number],
  ) {
    super(message);
  }
}

/**
 * The tree of a document that `yaml` has parsed, with the value of each node; an alias shares the
 * object of its anchor.
 *
 * @throws UnsupportedYamlError for a key that a map has twice, for an alias without an anchor
 *   before it, and for something else than a map that is merged.
 */
export function nodeTree(contents: Node | null): YamlNode {
  return nodeOf(contents, new Map());
}

function nodeOf(node: Node | null, anchors: Map<string, unknown>): YamlNode {
  const [start, end] = node?.range ?? [0, 0];
  if (isAlias(node)) {
    const { source } = node;
    if (!anchors.has(source))
      throw new UnsupportedYamlError(
        'config-alias',
        `the alias *${source} has no anchor (&${source}) before it; a text that begins with * is put in quotes`,
        [start, end],
      );
    return { kind: 'alias', start, end, value: anchors.get(source), children: [] };
  }
  if (isScalar(node)) {
    // `yaml` uses a symbol as the key of a merge
    const value = typeof node.value === 'symbol' ? '<<' : node.value;
    if (node.anchor !== undefined) anchors.set(node.anchor, value);
    return { kind: 'scalar', start, end, value, children: [] };
  }
  if (isSeq(node)) {
    const value: unknown[] = [];
    if (node.anchor !== undefined) anchors.set(node.anchor, value);
    const children = node.items.map((item) =>
      nodeOf(isPair(item) ? null : (item as Node), anchors),
    );
    for (const child of children) value.push(child.value);
    return { kind: 'list', start, end, value, children };
  }
  if (!isMap(node)) return { kind: 'scalar', start, end, value: null, children: [] };
  const value: Record<string, unknown> = {};
  if (node.anchor !== undefined) anchors.set(node.anchor, value);
  const children = mapChildren(node, value, anchors);
  for (let index = 0; index < children.length; index += 2) {
    const item = children[index + 1];
    if (children[index]?.value === '<<' && item !== undefined) addMergedEntries(value, item);
  }
  return { kind: 'map', start, end, value, children };
}

/** The keys and values of a map in turn; sets all but merged ones. */
function mapChildren(
  { items }: YAMLMap,
  target: Record<string, unknown>,
  anchors: Map<string, unknown>,
): readonly YamlNode[] {
  const children: YamlNode[] = [];
  for (const pair of items) {
    const key = nodeOf(pair.key as Node | null, anchors);
    const item = nodeOf((pair.value as Node | null) ?? null, anchors);
    const isEmpty = item.start === 0 && item.end === 0;
    children.push(key, isEmpty ? { ...item, start: key.end, end: key.end } : item);
    const name = String(key.value);
    if (name === '<<') continue;
    if (Object.hasOwn(target, name)) {
      const message = `the key ${JSON.stringify(name)} is used twice in the same map: keep one of them`;
      throw new UnsupportedYamlError('config-duplicate-key', message, [key.start, key.end]);
    }
    setOwnProperty(target, name, item.value);
  }
  return children;
}

/** Adds the entries of the map, or of the list of maps, that a key `<<` has. */
function addMergedEntries(target: Record<string, unknown>, { value, start, end }: YamlNode): void {
  for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (!isObject(each))
      throw new UnsupportedYamlError(
        'config-syntax',
        'only maps, or aliases of maps, can be merged by <<',
        [start, end],
      );
    for (const [key, inherited] of Object.entries(each))
      if (!Object.hasOwn(target, key)) setOwnProperty(target, key, inherited);
  }
}
