import dagre from '@dagrejs/dagre';
import { type Box, packBoxes } from './box-packing.js';
import {
  type ClusterLayout,
  type LayOutCluster,
  maxLabelLength,
  type Point,
} from './cluster-layout.js';
import type { PictureNode } from './fold-people.js';
import type { GraphEdge } from './graph.js';

const padding = { side: 16, top: 38 };

/** Lays a cluster out as boxes: connected ones from left to right, the others in rows. */
export const layOutFlow: LayOutCluster = (_cluster, nodes, edges) => {
  const workspaces = new Set(nodes.filter(({ type }) => type === 'workspace').map(({ id }) => id));
  // The frame says already which workspace an item is in.
  const [said, drawn] = [
    edges.filter(({ to }) => workspaces.has(to)),
    edges.filter(({ to }) => !workspaces.has(to)),
  ];
  const parts = connectedParts(nodes, drawn).map((part) => layOutPart(part, drawn));
  const { boxes, width, height } = packBoxes(parts, 14);
  const moved = parts.map((part, at) => ({
    part,
    dx: padding.side + (boxes[at]?.x ?? 0),
    dy: padding.top + (boxes[at]?.y ?? 0),
  }));
  return {
    width: width + 2 * padding.side,
    height: height + padding.top + padding.side,
    nodes: moved.flatMap(({ part, dx, dy }) =>
      part.nodes.map((each) => ({ ...each, x: each.x + dx, y: each.y + dy })),
    ),
    edges: [
      ...moved.flatMap(({ part, dx, dy }) =>
        part.edges.map(({ edge, points }) => ({
          edge,
          points: points.map(({ x, y }) => ({ x: x + dx, y: y + dy })),
        })),
      ),
      ...said.map((edge) => ({ edge, points: [] })),
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
    const [one, other] = [partOf.get(from), partOf.get(to)];
    if (one === undefined || other === undefined || one === other) continue;
    one.push(...other);
    for (const { id } of other) partOf.set(id, one);
  }
  return [...new Set(partOf.values())];
}

function layOutPart(nodes: readonly PictureNode[], edges: readonly GraphEdge[]): ClusterLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 56 });
  for (const node of nodes)
    graph.setNode(node.id, { width: widthOf(node), height: heightOf(node) });
  const own = edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const [at, { from, to }] of own.entries()) graph.setEdge(from, to, {}, String(at));
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const box = graph.node(node.id) as Box;
      const [x, y] = [box.x - box.width / 2, box.y - box.height / 2];
      return { x, y, width: box.width, height: box.height, node, role: 'box' };
    }),
    edges: own.map((edge, at) => ({
      edge,
      points: (graph.edge(edge.from, edge.to, String(at)) as { points: Point[] }).points,
    })),
  };
}

function widthOf({ name, type, change }: PictureNode): number {
  const letters = Math.max(
    Math.min(name.length + (change === undefined ? 0 : 3), maxLabelLength) * 7.6,
    type.length * 6.2,
  );
  return Math.round(Math.max(96, letters + 34));
}

function heightOf({ people }: PictureNode): number {
  return people === undefined ? 46 : 62;
}
