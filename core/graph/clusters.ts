import type { Graph } from './graph.js';

/** Nodes that belong together: an app with what only it uses, a workspace with its items. */
export interface Cluster {
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
export function clustersOf({ title, arrows, nodes, edges }: Graph): readonly Cluster[] {
  if (arrows === 'inputs') return [{ title, nodes: nodes.map(({ id }) => id) }];
  const heads = new Map(
    nodes.flatMap(({ id, category, type, name }) =>
      category === 'app' || type === 'workspace' ? [[id, name] as const] : [],
    ),
  );
  const clusterOf = new Map([...heads.keys()].map((id) => [id, id] as const));
  for (const { from, to } of edges)
    if (nodes.some(({ id, type }) => id === to && type === 'workspace') && !heads.has(from))
      clusterOf.set(from, to);
  const referrers = new Map<string, string[]>();
  for (const { from, to } of edges) referrers.set(to, [...(referrers.get(to) ?? []), from]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { id } of nodes) {
      if (clusterOf.has(id)) continue;
      const owners = new Set((referrers.get(id) ?? []).map((user) => clusterOf.get(user)));
      const [owner] = owners;
      if (owners.size !== 1 || owner === undefined) continue;
      clusterOf.set(id, owner);
      grew = true;
    }
  }
  const clusters = new Map<string, Cluster & { readonly nodes: string[] }>();
  for (const { id, section } of nodes) {
    const owner = clusterOf.get(id);
    const key = owner ?? `section ${section}`;
    const title = owner === undefined ? section : (heads.get(owner) ?? section);
    const cluster = clusters.get(key) ?? { title, head: owner, nodes: [] };
    cluster.nodes.push(id);
    clusters.set(key, cluster);
  }
  return [...clusters.values()];
}
