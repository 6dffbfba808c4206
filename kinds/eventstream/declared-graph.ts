import { isObject } from '../../core/values/is-object.js';

type NodeProperties = Readonly<Record<string, unknown>>;

/**
 * The graph of an eventstream as written in castellan.yaml or TypeScript: inputs as names, defaults
 * omitted.
 */
export interface DeclaredGraph {
  readonly sources?: unknown;
  readonly streams?: unknown;
  readonly operators?: unknown;
  readonly destinations?: unknown;
  readonly compatibilityLevel?: unknown;
}

/** The names that the document of a graph depends on. */
export interface GraphContext {
  /** The eventstream's: the default stream of a graph without streams is `DISPLAYNAME-stream`. */
  readonly displayName: string;
  /**
   * The eventstream's name in castellan.yaml, or that of its construct: `NAME-stream` also means
   * the default stream.
   */
  readonly name?: string;
  /**
   * The ids of the eventhouse that a destination names in `eventhouse`; undefined if it names none.
   */
  readonly eventhouseIds: (eventhouse: unknown) => NodeProperties;
}

/**
 * The document as the service has it: every list exists, every node has properties, inputs are
 * objects.
 */
export interface EventstreamDocument {
  readonly sources: readonly unknown[];
  readonly destinations: readonly unknown[];
  readonly streams: readonly unknown[];
  readonly operators: readonly unknown[];
  readonly compatibilityLevel: unknown;
}

/** The name of the default stream of a graph without streams, as the portal chooses it. */
export function defaultStreamName(displayName: string): string {
  return `${displayName}-stream`;
}

/**
 * The document of a graph, node by node at the same index, so that paths of mistakes are those of
 * the configuration. Malformed nodes stay as they are: the check reports them.
 */
export function eventstreamDocument(
  graph: DeclaredGraph,
  context: GraphContext,
): EventstreamDocument {
  const sources = asList(graph.sources);
  const addedStream = graph.streams === undefined ? defaultStream(sources, context) : undefined;
  const streams = addedStream === undefined ? asList(graph.streams) : [addedStream];
  const defaultStreamNode = streams.find(
    (node) => isObject(node) && node['type'] === 'DefaultStream',
  ) as NodeProperties | undefined;
  const aliases = new Map<unknown, unknown>();
  if (addedStream !== undefined && context.name !== undefined)
    aliases.set(defaultStreamName(context.name), addedStream['name']);
  const nodeDocuments = (list: readonly unknown[], inputNodes?: readonly unknown[]): unknown[] =>
    list.map((node) =>
      isObject(node)
        ? nodeDocument(inputNodes === undefined ? node : { inputNodes, ...node }, aliases, context)
        : node,
    );
  return {
    sources: nodeDocuments(sources),
    destinations: nodeDocuments(
      asList(graph.destinations),
      defaultStreamNode === undefined ? [] : [defaultStreamNode['name']],
    ),
    streams: nodeDocuments(streams),
    operators: nodeDocuments(asList(graph.operators)),
    compatibilityLevel: graph.compatibilityLevel ?? '1.0',
  };
}

function asList(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function defaultStream(
  sources: readonly unknown[],
  { displayName }: GraphContext,
): NodeProperties | undefined {
  const inputNodes = sources.flatMap((node) =>
    isObject(node) && typeof node['name'] === 'string' ? [node['name']] : [],
  );
  return inputNodes.length === 0
    ? undefined
    : { name: defaultStreamName(displayName), type: 'DefaultStream', inputNodes };
}

function nodeDocument(
  node: NodeProperties,
  aliases: ReadonlyMap<unknown, unknown>,
  { eventhouseIds }: GraphContext,
): NodeProperties {
  const { name, type, inputNodes, eventhouse, properties, ...rest } = node;
  const defaults =
    type === 'Eventhouse'
      ? { dataIngestionMode: 'DirectIngestion', ...eventhouseIds(eventhouse) }
      : {};
  return {
    ...('name' in node && { name }),
    ...('type' in node && { type }),
    ...(inputNodes !== undefined && {
      inputNodes: Array.isArray(inputNodes)
        ? inputNodes.map((input) => inputDocument(input, aliases))
        : inputNodes,
    }),
    properties:
      properties === undefined || isObject(properties)
        ? { ...defaults, ...properties }
        : properties,
    ...rest,
  };
}

function inputDocument(input: unknown, aliases: ReadonlyMap<unknown, unknown>): unknown {
  const node = typeof input === 'string' ? { name: input } : input;
  return isObject(node) && aliases.has(node['name'])
    ? { ...node, name: aliases.get(node['name']) }
    : node;
}
