import { type LayOutCluster, maxLabelLength, type PlacedNode } from './cluster-layout.js';
import type { PictureNode } from './fold-people.js';

const padding = 10;
const heading = 30;
const row = { height: 24, gap: 3 };

/**
 * Lays a cluster out as a card: its app or workspace as the heading, the others as rows, in
 * several columns where they are many.
 */
export const layOutCard: LayOutCluster = ({ title, head }, nodes, edges) => {
  const others = nodes.filter(({ id }) => id !== head);
  const rows = Math.max(6, Math.ceil(Math.sqrt(5 * others.length)));
  const columns = Math.max(1, Math.ceil(others.length / rows));
  const column = Math.max(110, ...others.map(widthOf));
  const width = 2 * padding + Math.max(columns * (column + padding) - padding, title.length * 8.2);
  const top = padding + heading;
  const placed = nodes.map((node): PlacedNode => {
    if (node.id === head)
      return {
        node,
        role: 'heading',
        ...{ x: padding, y: padding, width: width - 2 * padding, height: heading - 4 },
      };
    const at = others.indexOf(node);
    return {
      node,
      role: 'row',
      x: padding + Math.floor(at / rows) * (column + padding),
      y: top + (at % rows) * (row.height + row.gap),
      width: columns === 1 ? width - 2 * padding : column,
      height: row.height,
    };
  });
  const deepest = Math.min(rows, others.length);
  return {
    width,
    height: top + deepest * (row.height + row.gap) + padding - row.gap,
    nodes: placed,
    edges: edges.map((edge) => ({ edge, points: [] })),
  };
};

function widthOf({ name, change, people = [] }: PictureNode): number {
  const letters = Math.min(name.length, maxLabelLength) + (change === undefined ? 0 : 3);
  return Math.round(letters * 7.1 + (people.length === 0 ? 0 : 60) + 28);
}
