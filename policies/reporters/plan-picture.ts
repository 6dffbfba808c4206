import type { Graph, NodeChange } from '../../core/graph/graph.js';
import { printMermaid } from '../../core/graph/print.js';

/** What a picture in a comment may hold: more is unreadable, and GitHub draws no more than 500 arrows. */
const most = { nodes: 60, edges: 500, characters: 20_000 };

/** The picture of a plan for a Markdown comment: what changes first, bounded, with a count of what it leaves out. */
export function planPicture(plan: Graph): string {
  const touched = plan.nodes.filter(({ change }) => change !== 'unchanged');
  if (touched.length === 0) return 'The plan changes no resource.\n';
  let drawn = keepFirst(plan, most.nodes);
  while (drawn.nodes.length > 1 && !fits(drawn)) drawn = keepFirst(plan, Math.floor(drawn.nodes.length / 2));
  const heading = `#### The plan: ${countByChange(touched)}\n`;
  if (!fits(drawn)) return `${heading}\nIts addresses are too long to draw.\n`;
  const left = plan.nodes.slice(drawn.nodes.length);
  const note = left.length === 0 ? '' : `\nNot drawn: ${countByChange(left)}; \`castellan graph --plan\` draws all.\n`;
  return `${heading}\n\`\`\`mermaid\n${printMermaid(drawn)}\`\`\`\n${note}`;
}

function fits(graph: Graph): boolean {
  return graph.edges.length <= most.edges && printMermaid(graph).length <= most.characters;
}

/** The first nodes, and the arrows between them. */
function keepFirst(graph: Graph, count: number): Graph {
  const nodes = graph.nodes.slice(0, count);
  const ids = new Set(nodes.map(({ id }) => id));
  return { ...graph, nodes, edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

/** `1 delete, 3 create` */
function countByChange(nodes: Graph['nodes']): string {
  const counts = new Map<NodeChange, number>();
  for (const { change = 'unchanged' } of nodes) counts.set(change, (counts.get(change) ?? 0) + 1);
  return [...counts].map(([change, count]) => `${String(count)} ${change}`).join(', ');
}
