import type { EventstreamDefinitionProps } from '../../kinds/eventstream/schema.js';

type Node = Readonly<Record<string, unknown>>;

/** What stands for an id that only the cloud knows, in the form that references have. */
const laterId = '${id}';

/** What stands for the name of the default stream that nobody declared: the service names it after the eventstream. */
export const impliedStream = '(default stream)';

/**
 * An inline definition in the form of the cloud's own document, node by node at the same place, so that a mistake's path is that of the
 * configuration: inputs are objects, every node has properties, and an eventhouse is referred to by ids that are known later.
 */
export function eventstreamGraph(definition: EventstreamDefinitionProps): Readonly<Record<string, unknown>> {
  const sources = nodes(definition.sources);
  const streams = definition.streams === undefined ? defaultStream(sources) : nodes(definition.streams);
  const entry = streams.find((node) => (node as Node | null)?.['type'] === 'DefaultStream') as Node | undefined;
  const inputs = entry === undefined ? [] : [{ name: entry['name'] }];
  return {
    sources,
    streams,
    operators: nodes(definition.operators),
    destinations: nodes(definition.destinations, inputs),
    ...(definition.compatibilityLevel === undefined ? {} : { compatibilityLevel: definition.compatibilityLevel }),
  };
}

function defaultStream(sources: readonly unknown[]): readonly unknown[] {
  const inputNodes: Node[] = [];
  for (const node of sources) if (isNode(node) && typeof node['name'] === 'string') inputNodes.push({ name: node['name'] });
  return inputNodes.length === 0 ? [] : [{ name: impliedStream, type: 'DefaultStream', inputNodes, properties: {} }];
}

function nodes(list: unknown, inputNodes?: readonly unknown[]): readonly unknown[] {
  return Array.isArray(list) ? list.map((node: unknown) => (isNode(node) ? document(node, inputNodes) : node)) : [];
}

function document(declared: Node, inputs: readonly unknown[] | undefined): Node {
  const node: Record<string, unknown> = {};
  for (const key of Object.keys(declared)) if (key !== 'eventhouse') node[key] = declared[key];
  const given = declared['inputNodes'] ?? inputs;
  const inputNodes = Array.isArray(given) ? given.map((input: unknown) => (typeof input === 'string' ? { name: input } : input)) : given;
  if (inputNodes !== undefined) node['inputNodes'] = inputNodes;
  const properties = isNode(declared['properties']) ? declared['properties'] : none;
  node['properties'] = declared['type'] === 'Eventhouse' ? { ...placeOf(declared), ...properties } : properties;
  return node;
}

const none: Node = Object.freeze({});

/** What the synthesis says of an eventhouse: its ids, and with an eventhouse of the stack the connection, too. */
function placeOf({ eventhouse }: Node): Node {
  const ids = { dataIngestionMode: 'DirectIngestion', workspaceId: laterId, itemId: laterId };
  return eventhouse === undefined ? ids : { ...ids, connectionName: laterId, tableName: laterId, mappingRuleName: laterId };
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
