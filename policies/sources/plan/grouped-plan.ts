import type { Graph, GraphEdge, GraphNode } from '../../../core/graph/graph.js';

/** The most nodes of a diagram that can still be read. */
export const maxNodes = 60;

/**
 * Reduces the diagram of a plan to a readable number of nodes: resources of one type, module and
 * action become one node with their number, and the least important nodes are left out.
 */
export function groupPlan(plan: Graph, max = maxNodes): Graph {
  if (plan.nodes.length <= max) return plan;
  const groups = new Map<string, GraphNode[]>();
  for (const node of plan.nodes) {
    const key = groupKeyOf(node);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  const nodes = [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return more.length === 0
      ? [first]
      : [{ ...first, name: `${String(more.length + 1)} × ${typeAddressOf(first)}` }];
  });
  const nodeIds = new Map(
    [...groups.values()].flatMap((group) =>
      group.map(({ id }) => [id, group[0]?.id ?? id] as const),
    ),
  );
  return limitNodes({ ...plan, nodes, edges: mergeEdges(plan.edges, nodeIds) }, max);
}

/** Describes the reduction in a sentence; undefined if there is none. */
export function describeGrouping(plan: Graph, drawnGraph: Graph): string | undefined {
  if (drawnGraph === plan) return undefined;
  const note = `${String(plan.nodes.length)} resources are drawn as ${String(drawnGraph.nodes.length)}: those of one type and change together`;
  const omitted = new Set(plan.nodes.map(groupKeyOf)).size - drawnGraph.nodes.length;
  return omitted > 0 ? `${note}; ${String(omitted)} types are left out` : note;
}

/** What the nodes of one group have in common: their change, module and type. */
function groupKeyOf(node: GraphNode): string {
  return `${node.change ?? ''} ${typeAddressOf(node)}`;
}

/** `module.shop.azuread_group` for `module.shop.azuread_group.shoppers["a"]`. */
function typeAddressOf({ name }: GraphNode): string {
  return /^(?:module\.[^.[]+(?:\[[^\]]*\])?\.)*[^.[]+/.exec(name)?.[0] ?? name;
}

function mergeEdges(
  edges: readonly GraphEdge[],
  nodeIds: ReadonlyMap<string, string>,
): readonly GraphEdge[] {
  const merged = edges.map((edge) => ({
    ...edge,
    from: nodeIds.get(edge.from) ?? edge.from,
    to: nodeIds.get(edge.to) ?? edge.to,
  }));
  return [
    ...new Map(
      merged.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from} ${edge.to}`, edge]),
    ).values(),
  ];
}

/** The first nodes, and the arrows between them. */
export function limitNodes(graph: Graph, count: number): Graph {
  const nodes = graph.nodes.slice(0, count);
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    ...graph,
    nodes,
    edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
  };
}
