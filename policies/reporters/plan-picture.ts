import type { Graph, NodeChange } from '../../core/graph/graph.js';
import { renderMermaid } from '../../core/graph/text-formats.js';
import { describeGrouping, groupPlan, limitNodes } from '../sources/plan/grouped-plan.js';

/**
 * The size limit of a diagram in a comment: larger ones are unreadable, and GitHub draws at most
 * 500 arrows.
 */
const limits = { edges: 500, characters: 20_000 };

/**
 * The diagram of a plan for a Markdown comment: changed resources first, limited, with a count of
 * the rest.
 */
export function planPicture(plan: Graph): string {
  const changes = plan.nodes.filter(({ change }) => change !== 'unchanged');
  if (changes.length === 0) return 'The plan changes no resource.\n';
  const grouped = groupPlan(plan);
  let picture = grouped;
  while (picture.nodes.length > 1 && !fits(picture))
    picture = limitNodes(picture, Math.floor(picture.nodes.length / 2));
  const heading = `#### The plan: ${countByChange(changes)}\n`;
  if (!fits(picture)) return `${heading}\nIts addresses are too long to draw.\n`;
  const omitted = grouped.nodes.length - picture.nodes.length;
  const notes = [
    describeGrouping(plan, grouped),
    omitted === 0 ? undefined : `${String(omitted)} of them are not drawn`,
  ].filter((each) => each !== undefined);
  const note =
    notes.length === 0 ? '' : `\n${notes.join('; ')}; \`castellan graph --plan\` lists all.\n`;
  return `${heading}\n\`\`\`mermaid\n${renderMermaid(picture)}\`\`\`\n${note}`;
}

function fits(graph: Graph): boolean {
  return graph.edges.length <= limits.edges && renderMermaid(graph).length <= limits.characters;
}

/** `1 delete, 3 create` */
function countByChange(nodes: Graph['nodes']): string {
  const counts = new Map<NodeChange, number>();
  for (const { change = 'unchanged' } of nodes) counts.set(change, (counts.get(change) ?? 0) + 1);
  return [...counts].map(([change, count]) => `${String(count)} ${change}`).join(', ');
}
