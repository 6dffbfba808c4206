import type {
  EventstreamDestination as Destination,
  EventstreamOperator,
  EventstreamSource,
  EventstreamStream,
} from '../generated/props.js';
import type { IEventhouse } from './eventhouse.js';

/** A destination that may also refer to an eventhouse construct. */
type WithEventhouse<Node> = Node extends { readonly eventhouse?: string | undefined }
  ? Omit<Node, 'eventhouse'> & {
      /**
       * The eventhouse that the destination writes to: one of the stack, or the id of an existing
       * one.
       */
      readonly eventhouse?: IEventhouse | string | undefined;
    }
  : Node;

/** A destination of events. */
export type EventstreamDestination = WithEventhouse<Destination>;

/** A node of an eventstream's graph. */
export type EventstreamNode =
  EventstreamSource | EventstreamStream | EventstreamOperator | EventstreamDestination;

/**
 * The graph of an eventstream in the form of castellan.yaml: each list contains the nodes of one
 * kind, with the properties of their `type`.
 */
export interface EventstreamGraph {
  /** The origins of events. @default none */
  readonly sources?: readonly EventstreamSource[] | undefined;
  /** @default one default stream that takes all sources, `DISPLAYNAME-stream`. */
  readonly streams?: readonly EventstreamStream[] | undefined;
  /** Transformations of events. @default none */
  readonly operators?: readonly EventstreamOperator[] | undefined;
  /** The targets of events. @default none */
  readonly destinations?: readonly EventstreamDestination[] | undefined;
  /** @default 1.0 */
  readonly compatibilityLevel?: '1.0' | '1.1' | undefined;
}
