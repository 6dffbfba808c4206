import type { Box } from './box-packing.js';
import type { Cluster } from './clusters.js';
import type { PictureNode } from './folded-graph.js';
import type { GraphEdge } from './graph.js';

/** A place, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a node is, and whether it is a row of a card or the card's heading. */
export interface PlacedNode extends Box {
  readonly node: PictureNode;
  /** `box`: drawn by itself; `row` and `heading`: in a card (`card-layout.ts`). */
  readonly role: 'box' | 'row' | 'heading';
}

/** The inside of a cluster; places are from the corner of its frame. */
export interface ClusterLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  /** An edge has no points if the frame shows it already: that of an item to its workspace. */
  readonly edges: readonly { readonly edge: GraphEdge; readonly points: readonly Point[] }[];
}

/** Lays out the inside of a cluster, from its nodes and the edges between them. */
export type LayOutCluster = (
  cluster: Cluster,
  nodes: readonly PictureNode[],
  edges: readonly GraphEdge[],
) => ClusterLayout;

/** The most characters of a name: longer ones are cut. */
export const maxLabelLength = 30;
