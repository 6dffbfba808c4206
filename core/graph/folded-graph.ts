import type { Graph, GraphNode } from './graph.js';

/** The most people, with the most edges, that are drawn one by one. */
const maxDrawn = { people: 4, edges: 10 };

/** A node of a picture: one of the graph, with the people that are folded into it. */
export interface PictureNode extends GraphNode {
  /** The names of the people that refer to it or that it refers to. */
  readonly people?: readonly string[];
  /** Whether these people only own it, as they do a group that a rule fills. */
  readonly areOwners?: boolean;
}

/** A graph whose people, where there are many, are a number on what they are connected to. */
export interface FoldedGraph extends Omit<Graph, 'nodes'> {
  readonly nodes: readonly PictureNode[];
}

/** Folds people into their groups where there are too many to draw. */
export function foldPeople(graph: Graph): FoldedGraph {
  const people = new Map(
    graph.nodes.flatMap((node) =>
      node.category === 'person' && node.change === undefined ? [[node.id, node] as const] : [],
    ),
  );
  const edges = graph.edges.filter(({ from, to }) => people.has(from) || people.has(to));
  if (people.size <= maxDrawn.people && edges.length <= maxDrawn.edges) return graph;
  const peopleByNode = new Map<string, Set<string>>();
  const otherwiseRelated = new Set<string>();
  for (const { from, to, label } of edges) {
    const [person, nodeId] = people.has(to) ? [people.get(to), from] : [people.get(from), to];
    if (person === undefined || people.has(nodeId)) continue;
    if (label !== 'owners') otherwiseRelated.add(nodeId);
    peopleByNode.set(nodeId, (peopleByNode.get(nodeId) ?? new Set()).add(person.name));
  }
  return {
    ...graph,
    nodes: graph.nodes
      .filter(({ id }) => !people.has(id))
      .map((node) => {
        const names = peopleByNode.get(node.id);
        if (names === undefined) return node;
        return { ...node, people: [...names], areOwners: !otherwiseRelated.has(node.id) };
      }),
    edges: graph.edges.filter(({ from, to }) => !people.has(from) && !people.has(to)),
  };
}
