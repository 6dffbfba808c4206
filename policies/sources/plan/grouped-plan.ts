import type { Graph, GraphEdge, GraphNode } from '../../../core/graph/graph.js';

/** More nodes than this make a picture unreadable. */
export const mostNodes = 60;

/**
 * The picture of a plan with so few nodes that it is readable: where there are too many, resources of one type, module and change are one
 * node with their number, and what is still too much is left out from the end, which changes least.
 */
export function groupPlan(plan: Graph, most = mostNodes): Graph {
  if (plan.nodes.length <= most) return plan;
  const kinds = new Map<string, GraphNode[]>();
  for (const node of plan.nodes) {
    const kind = `${node.change ?? ''} ${kindOf(node)}`;
    const same = kinds.get(kind);
    if (same === undefined) kinds.set(kind, [node]);
    else same.push(node);
  }
  const nodes = [...kinds.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return more.length === 0 ? [first] : [{ ...first, name: `${String(more.length + 1)} × ${kindOf(first)}` }];
  });
  const places = new Map([...kinds.values()].flatMap((same) => same.map(({ id }) => [id, same[0]?.id ?? id] as const)));
  return keepFirst({ ...plan, nodes, edges: mergeEdges(plan.edges, places) }, most);
}

/** What `groupedPlan` made of a plan, in a sentence; undefined where it is the plan itself. */
export function noteOfGroups(plan: Graph, picture: Graph): string | undefined {
  if (picture === plan) return undefined;
  const note = `${String(plan.nodes.length)} resources are drawn as ${String(picture.nodes.length)}: those of one type and change together`;
  const omitted = new Set(plan.nodes.map((node) => `${node.change ?? ''} ${kindOf(node)}`)).size - picture.nodes.length;
  return omitted > 0 ? `${note}; ${String(omitted)} types are left out` : note;
}

/** `module.shop.azuread_group` of `module.shop.azuread_group.shoppers["a"]`. */
function kindOf({ name }: GraphNode): string {
  return /^(?:module\.[^.[]+(?:\[[^\]]*\])?\.)*[^.[]+/.exec(name)?.[0] ?? name;
}

function mergeEdges(edges: readonly GraphEdge[], places: ReadonlyMap<string, string>): readonly GraphEdge[] {
  const merged = edges.map((edge) => ({ ...edge, from: places.get(edge.from) ?? edge.from, to: places.get(edge.to) ?? edge.to }));
  return [...new Map(merged.filter(({ from, to }) => from !== to).map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
}

/** The first nodes, and the arrows between them. */
export function keepFirst(graph: Graph, count: number): Graph {
  const nodes = graph.nodes.slice(0, count);
  const ids = new Set(nodes.map(({ id }) => id));
  return { ...graph, nodes, edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}
