/** The category of a node: people, apps and event streams look different. */
export type NodeCategory =
  | 'source'
  | 'stream'
  | 'operator'
  | 'store'
  | 'app'
  | 'person'
  | 'group'
  | 'credential'
  | 'place'
  | 'resource';

/**
 * The change of a node, in a plan or between two environments. What is to `forget` leaves the state
 * and continues to exist.
 */
export type NodeChange = 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'unchanged';

/** A node of a diagram. */
export interface GraphNode {
  /** A short identifier that every diagram language allows: `n0`. */
  readonly id: string;
  readonly name: string;
  /** Its kind in the words of the configuration: `unified group`, `CustomEndpoint`. */
  readonly type: string;
  /** The heading above it in text: `Groups`. */
  readonly section: string;
  readonly category: NodeCategory;
  /** The target of its link, in diagrams that are part of a page. */
  readonly href?: string;
  /** Absent in diagrams of a configuration alone. */
  readonly change?: NodeChange;
  /** The title of the frame around it; the frames of a diagram are side by side. */
  readonly frame?: string;
}

/** An edge of a diagram. */
export interface GraphEdge {
  /** The id of the node that it leaves. */
  readonly from: string;
  /** The id of the node that it enters. */
  readonly to: string;
  /** The relation between the two: `owners`, `registration`. */
  readonly label?: string;
}

/** The content of a diagram, independent of its language. */
export interface Graph {
  readonly title: string;
  /**
   * What an edge is: a way of events from one node to the next, or a reference of one to another.
   * In text, a node of an event flow is followed by its inputs, another one by what it refers to.
   */
  readonly edgeKind: 'events' | 'references';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
