import { type Box, packBoxes } from './box-packing.js';
import { layOutCard } from './card-layout.js';
import type { LayOutCluster, PlacedNode, Point } from './cluster-layout.js';
import { type Cluster, clustersOf } from './clusters.js';
import { layOutFlow } from './flow-layout.js';
import type { FoldedGraph } from './folded-graph.js';
import type { GraphEdge } from './graph.js';

/** Where everything of a picture is. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly clusters: readonly (Box & Pick<Cluster, 'title' | 'head'>)[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly {
    readonly edge: GraphEdge;
    /** The `d` of an SVG path; empty if the edge is not drawn. */
    readonly path: string;
    /** Whether it leads to another cluster. */
    readonly crossesClusters: boolean;
  }[];
}

/** In pixels; a picture that is wider can't be read at the width of a page. */
const maxReadableWidth = 1_350;

/**
 * Lays a graph out in frames, the frames in rows of about the proportions of a screen. What would
 * be too wide to read becomes cards, which list the names of a frame.
 */
export function layOut(graph: FoldedGraph): Layout {
  const flows = layOutWith(graph, layOutFlow);
  if (graph.edgeKind === 'events' || flows.width <= maxReadableWidth) return flows;
  return layOutWith(graph, layOutCard);
}

/** Lays out each cluster by a function, and puts the clusters into rows. */
function layOutWith(graph: FoldedGraph, layOutCluster: LayOutCluster): Layout {
  const nodeOf = new Map(graph.nodes.map((node) => [node.id, node]));
  const clusterLayouts = clustersOf(graph).map((cluster) => {
    const clusterNodeIds = new Set(cluster.nodes);
    const edges = graph.edges.filter(
      ({ from, to }) => clusterNodeIds.has(from) && clusterNodeIds.has(to),
    );
    const nodes = cluster.nodes.flatMap((id) => nodeOf.get(id) ?? []);
    return { cluster, ...layOutCluster(cluster, nodes, edges) };
  });
  const { boxes, width, height } = packBoxes(clusterLayouts);
  const placedClusters = clusterLayouts.map((part, index) => ({
    ...part,
    box: boxes[index] ?? origin,
  }));
  const nodes = placedClusters.flatMap(({ nodes, box }) =>
    nodes.map((each) => ({ ...each, x: each.x + box.x, y: each.y + box.y })),
  );
  const innerEdges = placedClusters.flatMap(({ edges, box }) =>
    edges.map(({ edge, points }) => ({
      edge,
      path: linePath(points.map(({ x, y }) => ({ x: x + box.x, y: y + box.y }))),
      crossesClusters: false,
    })),
  );
  const innerEdgeSet = new Set(innerEdges.map(({ edge }) => edge));
  const placedById = new Map(nodes.map((each) => [each.node.id, each]));
  const crossingEdges = graph.edges.flatMap((edge) => {
    const [from, to] = [placedById.get(edge.from), placedById.get(edge.to)];
    if (innerEdgeSet.has(edge) || from === undefined || to === undefined) return [];
    return [{ edge, path: curvePath(from, to), crossesClusters: true }];
  });
  return {
    width,
    height,
    clusters: placedClusters.map(({ cluster: { title, head }, box }) => ({ ...box, title, head })),
    nodes,
    edges: [...innerEdges, ...crossingEdges],
  };
}

const origin: Box = { x: 0, y: 0, width: 0, height: 0 };

/** The SVG path of an edge along points, with rounded bends. */
function linePath(points: readonly Point[]): string {
  const coordinatesOf = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, index, all) => {
    const next = all[index + 1] ?? last;
    return ` Q${coordinatesOf(point)} ${coordinatesOf({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${coordinatesOf(first)}${bends.join('')} L${coordinatesOf(last)}`;
}

/** The SVG path of an edge between two boxes, from the sides that face each other. */
function curvePath(from: Box, to: Box): string {
  const isTargetOnRight = from.x + from.width / 2 <= to.x + to.width / 2;
  const x1 = isTargetOnRight ? from.x + from.width : from.x;
  const x2 = isTargetOnRight ? to.x : to.x + to.width;
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
  const bend = (isTargetOnRight ? 1 : -1) * Math.max(30, Math.abs(x2 - x1) / 2);
  const coordinates = [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2].map((each) => each.toFixed(1));
  return `M${coordinates.slice(0, 2).join(' ')} C${coordinates.slice(2).join(' ')}`;
}
