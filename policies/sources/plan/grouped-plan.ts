import type { Graph, GraphEdge, GraphNode } from '../../../core/graph/graph.js';

/** The most nodes of a readable diagram. */
export const maxNodes = 60;

/**
 * Reduces the diagram of a plan to a readable number of nodes: resources of one type, module and
 * action become one node with their number, and the least important nodes are left out.
 */
export function groupPlan(plan: Graph, max = maxNodes): Graph {
  if (plan.nodes.length <= max) return plan;
  const kinds = new Map<string, GraphNode[]>();
  for (const node of plan.nodes) {
    const kind = `${node.change ?? ''} ${kindOf(node)}`;
    const same = kinds.get(kind);
    if (same === undefined) kinds.set(kind, [node]);
    else same.push(node);
  }
  const nodes = [...kinds.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return more.length === 0
      ? [first]
      : [{ ...first, name: `${String(more.length + 1)} × ${kindOf(first)}` }];
  });
  const nodeIds = new Map(
    [...kinds.values()].flatMap((same) => same.map(({ id }) => [id, same[0]?.id ?? id] as const)),
  );
  return limitNodes({ ...plan, nodes, edges: mergeEdges(plan.edges, nodeIds) }, max);
}

/** Describes the reduction in a sentence; undefined if there is none. */
export function noteOfGroups(plan: Graph, picture: Graph): string | undefined {
  if (picture === plan) return undefined;
  const note = `${String(plan.nodes.length)} resources are drawn as ${String(picture.nodes.length)}: those of one type and change together`;
  const omitted =
    new Set(plan.nodes.map((node) => `${node.change ?? ''} ${kindOf(node)}`)).size -
    picture.nodes.length;
  return omitted > 0 ? `${note}; ${String(omitted)} types are left out` : note;
}

/** `module.shop.azuread_group` for `module.shop.azuread_group.shoppers["a"]`. */
function kindOf({ name }: GraphNode): string {
  return /^(?:module\.[^.[]+(?:\[[^\]]*\])?\.)*[^.[]+/.exec(name)?.[0] ?? name;
}

function mergeEdges(
  edges: readonly GraphEdge[],
  places: ReadonlyMap<string, string>,
): readonly GraphEdge[] {
  const merged = edges.map((edge) => ({
    ...edge,
    from: places.get(edge.from) ?? edge.from,
    to: places.get(edge.to) ?? edge.to,
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
