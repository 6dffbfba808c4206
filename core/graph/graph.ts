/** The shape of a node: people, apps and event streams look different. */
export type NodeShape = 'source' | 'stream' | 'operator' | 'store' | 'app' | 'person' | 'group' | 'credential' | 'place' | 'resource';

/** The change of a node, in a plan or between two environments. `forgotten` leaves the state and continues to exist. */
export type NodeChange = 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'unchanged';

/** A thing in a picture. */
export interface GraphNode {
  /** Short and plain, for languages that allow little in names: `n0`. */
  readonly id: string;
  readonly name: string;
  /** What kind of thing it is, in the words of its configuration: `unified group`, `CustomEndpoint`. */
  readonly type: string;
  /** The heading that it is listed under in text: `Groups`. */
  readonly section: string;
  readonly shape: NodeShape;
  /** Where a click on it leads, in pictures that are part of a page. */
  readonly href?: string;
  /** Left out in pictures of a configuration alone. */
  readonly change?: NodeChange;
  /** The title of the frame that it is drawn in; frames of a picture are side by side. */
  readonly frame?: string;
}

/** An arrow of a picture. */
export interface GraphEdge {
  /** The id of the node that it leaves. */
  readonly from: string;
  /** The id of the node that it enters. */
  readonly to: string;
  /** The relation between the two: `owners`, `registration`. */
  readonly label?: string;
}

/** What a picture shows, before it is written in any language. */
export interface Graph {
  readonly title: string;
  /** Whether text lists what enters a node (events that flow) or what a node points at (references). */
  readonly arrows: 'inputs' | 'references';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
