import type { Graph } from './graph.js';

/** Nodes that belong together: an app with what only it uses, a workspace with its items. */
export interface Cluster {
  /** The name of its app or workspace; without one, the section or the graph's title. */
  readonly title: string;
  /** The id of its app or workspace. */
  readonly head?: string | undefined;
  /** Ids of nodes, in their order in the graph. */
  readonly nodes: readonly string[];
}

/**
 * Assigns each node to the app or workspace that alone uses it; nodes that several use form a
 * cluster for each section. An event flow is one cluster.
 */
export function clustersOf({ title, edgeKind, nodes, edges }: Graph): readonly Cluster[] {
  if (edgeKind === 'events') return [{ title, nodes: nodes.map(({ id }) => id) }];
  const namesOfHeads = new Map(
    nodes.flatMap(({ id, category, type, name }) =>
      category === 'app' || type === 'workspace' ? [[id, name] as const] : [],
    ),
  );
  /** The app or workspace of each node, as far as it is known. */
  const headOf = new Map([...namesOfHeads.keys()].map((id) => [id, id] as const));
  for (const { from, to } of edges)
    if (nodes.some(({ id, type }) => id === to && type === 'workspace') && !namesOfHeads.has(from))
      headOf.set(from, to);
  const referrers = new Map<string, string[]>();
  for (const { from, to } of edges) referrers.set(to, [...(referrers.get(to) ?? []), from]);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const { id } of nodes) {
      if (headOf.has(id)) continue;
      const headsOfReferrers = new Set(
        (referrers.get(id) ?? []).map((referrer) => headOf.get(referrer)),
      );
      const [head] = headsOfReferrers;
      if (headsOfReferrers.size !== 1 || head === undefined) continue;
      headOf.set(id, head);
      hasChanged = true;
    }
  }
  const clusters = new Map<string, Cluster & { readonly nodes: string[] }>();
  for (const { id, section } of nodes) {
    const head = headOf.get(id);
    const key = head ?? `section ${section}`;
    const title = head === undefined ? section : (namesOfHeads.get(head) ?? section);
    const cluster = clusters.get(key) ?? { title, head, nodes: [] };
    cluster.nodes.push(id);
    clusters.set(key, cluster);
  }
  return [...clusters.values()];
}
