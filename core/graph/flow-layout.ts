import dagre from '@dagrejs/dagre';
import { type Box, packBoxes } from './box-packing.js';
import {
  type ClusterLayout,
  type LayOutCluster,
  maxLabelLength,
  type Point,
} from './cluster-layout.js';
import type { PictureNode } from './folded-graph.js';
import type { GraphEdge } from './graph.js';

/** Sizes in pixels: the space inside a frame, whose title is at the top, and between boxes. */
const padding = { side: 16, top: 38 };
const gap = { boxes: 14, ranks: 56 };
/** A box; a letter is as wide as the average one in its font. */
const box = { minWidth: 96, margins: 34, height: 46, heightWithPeople: 62 };
const letterWidth = { name: 7.6, type: 6.2 };
/** The letters of the sign before a changed node: `-/+`. */
const signLetters = 3;

/** Lays a cluster out as boxes: connected ones from left to right, the others in rows. */
export const layOutFlow: LayOutCluster = (_cluster, nodes, edges) => {
  const workspaces = new Set(nodes.filter(({ type }) => type === 'workspace').map(({ id }) => id));
  // The frame says already which workspace an item is in.
  const [impliedEdges, drawnEdges] = [
    edges.filter(({ to }) => workspaces.has(to)),
    edges.filter(({ to }) => !workspaces.has(to)),
  ];
  const parts = connectedParts(nodes, drawnEdges).map((part) => layOutPart(part, drawnEdges));
  const { boxes, width, height } = packBoxes(parts, gap.boxes);
  const placedParts = parts.map((part, index) => ({
    part,
    dx: padding.side + (boxes[index]?.x ?? 0),
    dy: padding.top + (boxes[index]?.y ?? 0),
  }));
  return {
    width: width + 2 * padding.side,
    height: height + padding.top + padding.side,
    nodes: placedParts.flatMap(({ part, dx, dy }) =>
      part.nodes.map((each) => ({ ...each, x: each.x + dx, y: each.y + dy })),
    ),
    edges: [
      ...placedParts.flatMap(({ part, dx, dy }) =>
        part.edges.map(({ edge, points }) => ({
          edge,
          points: points.map(({ x, y }) => ({ x: x + dx, y: y + dy })),
        })),
      ),
      ...impliedEdges.map((edge) => ({ edge, points: [] })),
    ],
  };
};

/** The nodes that edges connect, each part in the order of its first node. */
function connectedParts(
  nodes: readonly PictureNode[],
  edges: readonly GraphEdge[],
): readonly (readonly PictureNode[])[] {
  const partOf = new Map(nodes.map((node) => [node.id, [node]]));
  for (const { from, to } of edges) {
    const [partOfFrom, partOfTo] = [partOf.get(from), partOf.get(to)];
    if (partOfFrom === undefined || partOfTo === undefined || partOfFrom === partOfTo) continue;
    partOfFrom.push(...partOfTo);
    for (const { id } of partOfTo) partOf.set(id, partOfFrom);
  }
  return [...new Set(partOf.values())];
}

function layOutPart(nodes: readonly PictureNode[], edges: readonly GraphEdge[]): ClusterLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: gap.boxes, ranksep: gap.ranks });
  for (const node of nodes)
    graph.setNode(node.id, { width: widthOf(node), height: heightOf(node) });
  const partEdges = edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const [edgeIndex, { from, to }] of partEdges.entries())
    graph.setEdge(from, to, {}, String(edgeIndex));
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      // dagre's place is the middle of a box
      const placed = graph.node(node.id) as Box;
      const { width, height } = placed;
      return {
        x: placed.x - width / 2,
        y: placed.y - height / 2,
        width,
        height,
        node,
        role: 'box',
      };
    }),
    edges: partEdges.map((edge, index) => ({
      edge,
      points: (graph.edge(edge.from, edge.to, String(index)) as { points: Point[] }).points,
    })),
  };
}

function widthOf({ name, type, change }: PictureNode): number {
  const nameLetters = Math.min(
    name.length + (change === undefined ? 0 : signLetters),
    maxLabelLength,
  );
  const textWidth = Math.max(nameLetters * letterWidth.name, type.length * letterWidth.type);
  return Math.round(Math.max(box.minWidth, textWidth + box.margins));
}

function heightOf({ people }: PictureNode): number {
  return people === undefined ? box.height : box.heightWithPeople;
}
