import type { Graph, NodeCategory } from '../../../core/graph/graph.js';
import type { NodeListName } from '../nodes/index.js';
import { type DefinitionNode, nodesOf } from './references.js';

const graphPropertiesByList: Readonly<
  Record<NodeListName, { readonly section: string; readonly category: NodeCategory }>
> = {
  sources: { section: 'Sources', category: 'source' },
  streams: { section: 'Streams', category: 'stream' },
  operators: { section: 'Operators', category: 'operator' },
  destinations: { section: 'Destinations', category: 'store' },
};

/**
 * The graph of an eventstream's document: the flow of events. Inputs that name no node are left
 * out; the check reports them.
 */
export function eventstreamGraph(document: unknown, title: string): Graph {
  const documentNodes = nodesOf(document);
  const nodes = documentNodes.map(({ name, type, list }, index) => ({
    id: `n${index}`,
    name,
    type,
    ...graphPropertiesByList[list],
  }));
  const ids = new Map(nodes.map(({ name, id }) => [name, id] as const));
  const edges = documentNodes.flatMap((node: DefinitionNode, index) =>
    node.inputs.flatMap(({ name }) => {
      const from = ids.get(name);
      return from === undefined ? [] : [{ from, to: `n${index}` }];
    }),
  );
  return { title, edgeKind: 'events', nodes, edges };
}
