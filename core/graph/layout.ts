import dagre from '@dagrejs/dagre';
import { clustersOf } from './clusters.js';
import type { FoldedGraph, PictureNode } from './fold-people.js';
import type { GraphEdge } from './graph.js';

/** A rectangle, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of a picture is. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly clusters: readonly (Box & { readonly title: string })[];
  readonly nodes: readonly (Box & { readonly node: PictureNode })[];
  readonly edges: readonly {
    readonly edge: GraphEdge;
    readonly path: string;
    /** Whether it leads to another cluster. */
    readonly isFar: boolean;
  }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const gap = 24;
const padding = { side: 16, top: 38 };

/**
 * Lays a graph out: each cluster by itself from left to right, and the clusters in rows, so that
 * the picture of a thousand nodes has the proportions of a screen.
 */
export function layOut(graph: FoldedGraph): Layout {
  const nodeOf = new Map(graph.nodes.map((node) => [node.id, node]));
  const parts = clustersOf(graph).map((cluster) => {
    const inside = new Set(cluster.nodes);
    const edges = graph.edges.filter(({ from, to }) => inside.has(from) && inside.has(to));
    const nodes = cluster.nodes.flatMap((id) => nodeOf.get(id) ?? []);
    return { title: cluster.title, ...layOutCluster(nodes, edges) };
  });
  const { boxes, width, height } = pack(parts);
  const nodes = parts.flatMap((part, at) => {
    const box = boxes[at];
    return part.nodes.map((each) => ({
      ...each,
      x: each.x + (box?.x ?? 0) + padding.side,
      y: each.y + (box?.y ?? 0) + padding.top,
    }));
  });
  const places = new Map(nodes.map((each) => [each.node.id, each]));
  const near = parts.flatMap((part, at) => {
    const { x = 0, y = 0 } = boxes[at] ?? {};
    return part.edges.map(({ edge, points }) => ({
      edge,
      path: pathOf(points.map((p) => ({ x: p.x + x + padding.side, y: p.y + y + padding.top }))),
      isFar: false,
    }));
  });
  const done = new Set(near.map(({ edge }) => edge));
  const far = graph.edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (done.has(edge) || from === undefined || to === undefined) return [];
    return [{ edge, path: curve(from, to), isFar: true }];
  });
  return {
    width,
    height,
    clusters: parts.flatMap(({ title }, at) => {
      const box = boxes[at];
      return box === undefined ? [] : [{ ...box, title }];
    }),
    nodes,
    edges: [...near, ...far],
  };
}

interface ClusterLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (Box & { readonly node: PictureNode })[];
  readonly edges: readonly { readonly edge: GraphEdge; readonly points: readonly Point[] }[];
}

/** Connected nodes from left to right, and what is not connected in rows. */
function layOutCluster(nodes: readonly PictureNode[], edges: readonly GraphEdge[]): ClusterLayout {
  const workspaces = new Set(nodes.filter(({ type }) => type === 'workspace').map(({ id }) => id));
  // The frame says already which workspace an item is in.
  const drawn = edges.filter(({ to }) => !workspaces.has(to));
  const parts = componentsOf(nodes, drawn).map((part) => layOutComponent(part, drawn));
  const { boxes, width, height } = pack(parts, 14);
  const moved = parts.map((part, at) => ({ part, dx: boxes[at]?.x ?? 0, dy: boxes[at]?.y ?? 0 }));
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
      ...edges.flatMap((edge) => (workspaces.has(edge.to) ? [{ edge, points: [] }] : [])),
    ],
  };
}

/** The nodes that edges connect, each part in the order of its first node. */
function componentsOf(
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

function layOutComponent(
  nodes: readonly PictureNode[],
  edges: readonly GraphEdge[],
): ClusterLayout {
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
      return { ...box, node, x: box.x - box.width / 2, y: box.y - box.height / 2 };
    }),
    edges: own.map((edge, at) => ({
      edge,
      points: (graph.edge(edge.from, edge.to, String(at)) as { points: Point[] }).points,
    })),
  };
}

/** Puts boxes into rows of about the proportions of a screen, the tallest first. */
function pack(
  sizes: readonly { readonly width: number; readonly height: number }[],
  space = gap,
): { readonly boxes: readonly Box[]; readonly width: number; readonly height: number } {
  const area = sizes.reduce((sum, size) => sum + (size.width + space) * (size.height + space), 0);
  const widest = Math.max(0, ...sizes.map(({ width }) => width));
  const limit = Math.max(widest, Math.sqrt(area * 1.7));
  const order = sizes
    .map((size, index) => ({ ...size, index }))
    .toSorted((a, b) => b.height - a.height || a.index - b.index);
  const boxes: Box[] = [];
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const size of order) {
    if (x > 0 && x + size.width > limit) {
      x = 0;
      y += rowHeight + space;
      rowHeight = 0;
    }
    boxes[size.index] = { x, y, width: size.width, height: size.height };
    x += size.width + space;
    width = Math.max(width, x - space);
    rowHeight = Math.max(rowHeight, size.height);
  }
  return { boxes, width, height: y + rowHeight };
}

/** The longest name that is written whole, in characters. */
export const maxLabelLength = 30;

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

function pathOf(points: readonly Point[]): string {
  const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, index, all) => {
    const next = all[index + 1] ?? last;
    return ` Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${bends.join('')} L${at(last)}`;
}

/** From one box to another, whichever side they are on. */
function curve(from: Box, to: Box): string {
  const isRight = from.x + from.width / 2 <= to.x + to.width / 2;
  const x1 = isRight ? from.x + from.width : from.x;
  const x2 = isRight ? to.x : to.x + to.width;
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
  const bend = (isRight ? 1 : -1) * Math.max(30, Math.abs(x2 - x1) / 2);
  const all = [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2].map((each) => each.toFixed(1));
  return `M${all.slice(0, 2).join(' ')} C${all.slice(2).join(' ')}`;
}
