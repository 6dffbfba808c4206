import { isObject } from '../values/is-object.js';
import { setOwnProperty } from '../values/set-own-property.js';
import type { SourceLocation } from '../findings/finding.js';
import { entryOf, type YamlEntry, type YamlNode } from './node.js';
import type { YamlDocument } from './parse-yaml.js';

/** The path of a value in a configuration: keys of maps and indexes of lists. */
export type ConfigPath = readonly (string | number)[];

/** A node that may set the value at a path, with its key and document. */
interface Candidate {
  readonly node: YamlNode;
  /** The key of its entry; undefined for the root and for items of lists. */
  readonly key: YamlNode | undefined;
  readonly document: YamlDocument;
}

/**
 * Several documents merged: maps merge, lists and other values replace, null removes. The last one
 * wins.
 */
export class Layers {
  #value: unknown;

  /** @param documents the lowest first. */
  constructor(readonly documents: readonly YamlDocument[]) {}

  /** The merged value. */
  get value(): unknown {
    this.#value ??= this.documents.map(({ root }) => root.value).reduce(merge);
    return this.#value;
  }

  /** Whether the value may contain a text: a file contains it, or has escapes that may spell it. */
  mayContain(text: string): boolean {
    return this.documents.some(
      ({ source }) => source.text.includes(text) || /\\[xuU\r\n]/.test(source.text),
    );
  }

  /**
   * The location of the value at a path; if it is missing, that of the closest key above it.
   *
   * @param at `key` for the location of the key instead of the value.
   */
  locate(path: ConfigPath, at: 'value' | 'key' = 'value'): SourceLocation | undefined {
    let candidates: readonly Candidate[] = this.documents.toReversed().map((document) => ({
      node: document.anchors.follow(document.root),
      key: undefined,
      document,
    }));
    let depth = 0;
    for (const step of path) {
      const next = stepInto(candidates, step);
      if (next.length === 0) break;
      candidates = next;
      depth++;
    }
    const candidate = candidateAt(candidates, at);
    if (candidate === undefined) return undefined;
    const { source } = candidate.document;
    const isEmpty = candidate.node.start >= candidate.node.end;
    const node =
      candidate.key !== undefined && (depth < path.length || at === 'key' || isEmpty)
        ? candidate.key
        : candidate.node;
    if (depth < path.length && candidate.key === undefined) return source.location(node.start);
    return source.location(node.start, node.end);
  }

  /** The node at a path, in the document that sets its value. */
  find(path: ConfigPath): Candidate | undefined {
    let candidates: readonly Candidate[] = this.documents
      .toReversed()
      .map((document) => ({ node: document.root, key: undefined, document }));
    for (const step of path) candidates = stepInto(candidates, step);
    return candidates[0];
  }
}

/**
 * What a finding points at: a value of the highest document that sets it, but the key of the lowest
 * one that has it. Where an overlay adds to a map, the map of the lowest document is meant.
 *
 * @param candidates the highest first
 */
function candidateAt(candidates: readonly Candidate[], at: 'value' | 'key'): Candidate | undefined {
  const [highest] = candidates;
  const lowest = candidates.at(-1);
  const isMerged = lowest?.node.kind === 'map' && highest?.node.kind === 'map';
  return at === 'key' || isMerged ? lowest : highest;
}

function stepInto(candidates: readonly Candidate[], step: string | number): readonly Candidate[] {
  const next: Candidate[] = [];
  for (const { node, document } of candidates) {
    const target = document.anchors.follow(node);
    if (target.kind === 'map') {
      const entry: YamlEntry | undefined = entryOf(target, String(step), document.anchors);
      if (entry !== undefined) next.push({ node: entry.value, key: entry.key, document });
    } else if (target.kind === 'list') {
      const item = target.children[Number(step)];
      if (item !== undefined) next.push({ node: item, key: undefined, document });
      break; // a list replaces the values of lower documents
    } else break;
  }
  return next;
}

function merge(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === null) delete result[key];
    else
      setOwnProperty(result, key, Object.hasOwn(result, key) ? merge(result[key], value) : value);
  }
  return result;
}
