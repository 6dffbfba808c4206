import type {
  EventstreamDestination as Destination,
  EventstreamOperator,
  EventstreamSource,
  EventstreamStream,
} from '../generated/declarations.js';
import type { Eventhouse } from './eventhouse.js';

/** A destination that may name an eventhouse by its construct, too. */
type WithEventhouse<Node> = Node extends { readonly eventhouse?: string }
  ? Omit<Node, 'eventhouse'> & {
      /** The eventhouse that the destination writes to: one of the stack, or the id of one that exists. */
      readonly eventhouse?: Eventhouse | string;
    }
  : Node;

/** A destination: where events go. */
export type EventstreamDestination = WithEventhouse<Destination>;

/** A node of an eventstream's graph. */
export type EventstreamNode = EventstreamSource | EventstreamStream | EventstreamOperator | EventstreamDestination;

/** The graph of an eventstream, as people write it: each list holds the nodes of one kind, typed by their `type`. */
export interface EventstreamGraph {
  readonly sources?: readonly EventstreamSource[];
  /** @default one default stream that takes all sources, `DISPLAYNAME-stream`. */
  readonly streams?: readonly EventstreamStream[];
  readonly operators?: readonly EventstreamOperator[];
  readonly destinations?: readonly EventstreamDestination[];
  /** @default 1.0 */
  readonly compatibilityLevel?: '1.0' | '1.1';
}
