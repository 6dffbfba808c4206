/** What a node is drawn as: people, what they get into, and what events pass through look different. */
export type NodeShape = 'source' | 'stream' | 'operator' | 'store' | 'app' | 'person' | 'group' | 'credential' | 'place' | 'resource';

/** What becomes of a node: in a plan, or from one environment to another. What is forgotten leaves the state and goes on existing. */
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
  /** What the one is to the other: `owners`, `registration`. */
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
