import { createHash } from 'node:crypto';
import type { ItemRow } from '../item/view.js';
import { partsOf } from '../item/definition-store.js';
import { parsePart } from '../item/part-content.js';
import type { ItemsReader } from '../store/tables.js';

/** A node of an eventstream's document. */
export type TopologyNode = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string; readonly type: string };

/** An eventstream as it runs: every node with an id, sources and destinations with their state. */
export interface Topology {
  readonly sources: readonly TopologyNode[];
  readonly destinations: readonly TopologyNode[];
  readonly streams: readonly TopologyNode[];
  readonly operators: readonly TopologyNode[];
  readonly compatibilityLevel: string;
}

/** What an eventstream remembers of its running: the ids of the nodes that were paused. */
export interface EventstreamSettings {
  readonly paused?: readonly string[];
}

/** Reads the topology of an eventstream from its definition. */
export async function topologyOf(db: ItemsReader, item: ItemRow): Promise<Topology> {
  const part = (await partsOf(db, item)).find(({ path }) => path === 'eventstream.json');
  const document = (part === undefined ? {} : parsePart(part.path, part.payload)) as Partial<Record<keyof Topology, unknown>>;
  const { paused = [] } = JSON.parse(item.settings) as EventstreamSettings;
  const nodes = (list: unknown): TopologyNode[] =>
    (Array.isArray(list) ? (list as Record<string, unknown>[]) : []).map((node) => ({
      ...node,
      id: typeof node['id'] === 'string' ? node['id'].toLowerCase() : nodeId(item.id, String(node['name'])),
      name: String(node['name']),
      type: String(node['type']),
    }));
  const withState = (list: unknown): TopologyNode[] =>
    nodes(list).map((node) => ({ ...node, status: paused.includes(node.id) ? 'Paused' : 'Running' }));
  return {
    sources: withState(document.sources),
    destinations: withState(document.destinations),
    streams: nodes(document.streams),
    operators: nodes(document.operators),
    compatibilityLevel: typeof document.compatibilityLevel === 'string' ? document.compatibilityLevel : '1.0',
  };
}

/** The id of a node that was given none: the same as long as its name stays. */
function nodeId(itemId: string, name: string): string {
  const hex = createHash('sha256').update(`${itemId}/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
