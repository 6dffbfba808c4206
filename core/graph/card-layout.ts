import { type LayOutCluster, maxLabelLength, type PlacedNode } from './cluster-layout.js';
import type { PictureNode } from './folded-graph.js';

/** Sizes of a card, in pixels; a letter is as wide as the average one in its font. */
const padding = 10;
const headingHeight = 30;
/** A row, with space for the letters of a change's sign: `-/+`. */
const row = { height: 24, gap: 3, minWidth: 110, letterWidth: 7.1, signLetters: 3 };
const titleLetterWidth = 8.2;
/** The stripe and the margins of a row. */
const rowMargins = 28;
/** The width of the number of people at the end of a row, where it has one. */
const peopleWidth = 60;
/** Fewer rows than these are not split into columns. */
const minRows = 6;
/** A row is about so many times as wide as high, and a card is to be square. */
const rowAspectRatio = 5;

/**
 * Lays a cluster out as a card: its app or workspace as the heading, the other nodes as rows, in
 * several columns where they are many.
 */
export const layOutCard: LayOutCluster = ({ title, head }, nodes, edges) => {
  const rowNodes = nodes.filter(({ id }) => id !== head);
  const rows = Math.max(minRows, Math.ceil(Math.sqrt(rowAspectRatio * rowNodes.length)));
  const columns = Math.max(1, Math.ceil(rowNodes.length / rows));
  const columnWidth = Math.max(row.minWidth, ...rowNodes.map(rowWidth));
  const width =
    2 * padding +
    Math.max(columns * (columnWidth + padding) - padding, title.length * titleLetterWidth);
  const top = padding + headingHeight;
  const placed = nodes.map((node): PlacedNode => {
    if (node.id === head)
      return {
        node,
        role: 'heading',
        x: padding,
        y: padding,
        width: width - 2 * padding,
        height: headingHeight - 4,
      };
    const index = rowNodes.indexOf(node);
    return {
      node,
      role: 'row',
      x: padding + Math.floor(index / rows) * (columnWidth + padding),
      y: top + (index % rows) * (row.height + row.gap),
      width: columns === 1 ? width - 2 * padding : columnWidth,
      height: row.height,
    };
  });
  const longestColumn = Math.min(rows, rowNodes.length);
  return {
    width,
    height: top + longestColumn * (row.height + row.gap) + padding - row.gap,
    nodes: placed,
    edges: edges.map((edge) => ({ edge, points: [] })),
  };
};

function rowWidth({ name, change, people = [] }: PictureNode): number {
  const letters =
    Math.min(name.length, maxLabelLength) + (change === undefined ? 0 : row.signLetters);
  return Math.round(
    letters * row.letterWidth + (people.length === 0 ? 0 : peopleWidth) + rowMargins,
  );
}
