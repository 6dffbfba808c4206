/** The kinds of YAML nodes. */
export type YamlKind = 'scalar' | 'map' | 'list' | 'alias';

/** A node of a YAML document with its location and value, whichever parser read it. */
export interface YamlNode {
  readonly kind: YamlKind;
  /** Offsets in the text; equal where the value is empty. */
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
  /** The JavaScript value, with aliases resolved and merge keys merged. */
  readonly value: unknown;
  /** For a map: key, value, key, value…; for a list: the items. */
  readonly children: readonly YamlNode[];
}

/** An entry of a map. */
export interface YamlEntry {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** The entries of a map by key, computed once per map. */
const entryCache = new WeakMap<YamlNode, ReadonlyMap<string, YamlEntry>>();

/** The entry of a map for a key, also through merge keys and an alias. */
export function entryOf(node: YamlNode, key: string, anchors: AnchorTable): YamlEntry | undefined {
  const map = anchors.follow(node);
  if (map.kind !== 'map') return undefined;
  const entries = entriesOf(map);
  const entry = entries.get(key);
  if (entry !== undefined) return entry;
  const merged = entries.get('<<');
  if (merged === undefined) return undefined;
  const source = anchors.follow(merged.value);
  for (const each of source.kind === 'list' ? source.children : [source]) {
    const inherited = entryOf(each, key, anchors);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

/** The own entries of a map by key. */
export function entriesOf(map: YamlNode): ReadonlyMap<string, YamlEntry> {
  const cached = entryCache.get(map);
  if (cached !== undefined) return cached;
  const entries = new Map<string, YamlEntry>();
  for (let index = 0; index + 1 < map.children.length; index += 2) {
    const [key, value] = [map.children[index], map.children[index + 1]];
    if (key !== undefined && value !== undefined) entries.set(String(key.value), { key, value });
  }
  entryCache.set(map, entries);
  return entries;
}

/** Finds the nodes that aliases refer to: an alias has the same object as value as its anchor. */
export class AnchorTable {
  #nodes: Map<unknown, YamlNode> | undefined;

  constructor(readonly root: YamlNode) {}

  /** The node itself, or for an alias the node of its anchor. */
  follow(node: YamlNode): YamlNode {
    if (node.kind !== 'alias' || node.value === null || typeof node.value !== 'object') return node;
    this.#nodes ??= this.#collect();
    return this.#nodes.get(node.value) ?? node;
  }

  #collect(): Map<unknown, YamlNode> {
    const nodes = new Map<unknown, YamlNode>();
    const pending: YamlNode[] = [this.root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind !== 'map' && node.kind !== 'list') continue;
      nodes.set(node.value, node);
      for (const child of node.children) pending.push(child);
    }
    return nodes;
  }
}
