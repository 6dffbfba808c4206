import type { Eventhouse } from './eventhouse.js';

/** A node of an eventstream's graph. */
export interface EventstreamNode {
  readonly name: string;
  readonly type: string;
  /** The nodes that this one reads, by name. @default for a destination: the default stream. */
  readonly inputNodes?: readonly (string | { readonly name: string })[];
  /** The eventhouse that an `Eventhouse` destination writes to: one of the stack, or the id of one that exists. */
  readonly eventhouse?: Eventhouse | string;
  /** What the type of node needs, as in the cloud's own document. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [property: string]: unknown;
}

/** The graph of an eventstream, as people write it. */
export interface EventstreamGraph {
  readonly sources?: readonly EventstreamNode[];
  /** @default one default stream that takes all sources. */
  readonly streams?: readonly EventstreamNode[];
  readonly operators?: readonly EventstreamNode[];
  readonly destinations?: readonly EventstreamNode[];
  /** @default 1.0 */
  readonly compatibilityLevel?: '1.0' | '1.1';
}

/** Where the eventstream itself is. */
export interface EventstreamPlace {
  readonly displayName: string;
  readonly workspaceId: string;
}

/** The cloud's own document of a graph: every list is there, every node has properties, inputs are objects. */
export function eventstreamDocument(graph: EventstreamGraph, place: EventstreamPlace): Record<string, unknown> {
  const { sources = [], operators = [], destinations = [], compatibilityLevel = '1.0' } = graph;
  const streams = graph.streams ?? defaultStreams(sources, place);
  const entry = streams.find(({ type }) => type === 'DefaultStream')?.name;
  return {
    sources: sources.map((node) => nodeDocument(node, place)),
    destinations: destinations.map((node) => nodeDocument({ inputNodes: entry === undefined ? [] : [entry], ...node }, place)),
    streams: streams.map((node) => nodeDocument(node, place)),
    operators: operators.map((node) => nodeDocument(node, place)),
    compatibilityLevel,
  };
}

function defaultStreams(sources: readonly EventstreamNode[], { displayName }: EventstreamPlace): EventstreamNode[] {
  if (sources.length === 0) return [];
  return [{ name: `${displayName}-stream`, type: 'DefaultStream', inputNodes: sources.map(({ name }) => name) }];
}

function nodeDocument(node: EventstreamNode, place: EventstreamPlace): Record<string, unknown> {
  const { name, type, inputNodes, eventhouse, properties, ...rest } = node;
  return {
    name,
    type,
    ...(inputNodes === undefined ? {} : { inputNodes: inputNodes.map((input) => (typeof input === 'string' ? { name: input } : input)) }),
    properties: type === 'Eventhouse' ? eventhouseProperties(eventhouse, properties, place) : { ...properties },
    ...rest,
  };
}

function eventhouseProperties(
  eventhouse: Eventhouse | string | undefined,
  properties: Readonly<Record<string, unknown>> | undefined,
  place: EventstreamPlace,
): Record<string, unknown> {
  const target =
    eventhouse === undefined
      ? {}
      : typeof eventhouse === 'string'
        ? { workspaceId: place.workspaceId, itemId: eventhouse }
        : { workspaceId: eventhouse.workspaceId, itemId: eventhouse.eventhouseId };
  return { dataIngestionMode: 'DirectIngestion', ...target, ...properties };
}
