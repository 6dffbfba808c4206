import type { EventstreamOperator } from '../generated/props.js';
import type { EventstreamDestination, EventstreamNode } from './eventstream-graph.js';
import type { OtherNodeType } from './other-node.js';

/** A node without its inputs, which the flow knows. */
export type WithoutInputs<Node> = Node extends { readonly type: OtherNodeType }
  ? Node
  : Node extends { readonly inputNodes?: unknown }
    ? Omit<Node, 'inputNodes'>
    : Node;

/** What a flow adds to its eventstream. */
export type AddNode = (list: 'operators' | 'destinations', node: EventstreamNode) => void;

/**
 * The way of events through an eventstream: each step reads the one before.
 *
 * @example
 * const clicks = new Eventstream(this, 'clicks', { workspace: telemetry, displayName: 'clicks' });
 * const web: EventstreamFlow = clicks.addSource({ name: 'web', type: 'CustomEndpoint' });
 * web.to({ name: 'store', type: 'Eventhouse', eventhouse: clickstore });
 */
export class EventstreamFlow {
  constructor(
    /** The name of the node whose events the next step reads. */
    readonly nodeName: string,
    private readonly addNode: AddNode,
  ) {}

  /**
   * Passes the events through an operator.
   *
   * @param others further flows that it reads, for operators such as `Union` and `Join`.
   */
  through(
    operator: WithoutInputs<EventstreamOperator>,
    ...others: readonly EventstreamFlow[]
  ): EventstreamFlow {
    this.add('operators', operator, others);
    return new EventstreamFlow(String(operator.name), this.addNode);
  }

  /**
   * Delivers the events to a destination; a flow may have several.
   *
   * @param others further flows that it takes.
   */
  to(
    destination: WithoutInputs<EventstreamDestination>,
    ...others: readonly EventstreamFlow[]
  ): this {
    this.add('destinations', destination, others);
    return this;
  }

  private add(
    list: 'operators' | 'destinations',
    node: object,
    others: readonly EventstreamFlow[],
  ): void {
    const inputNodes = [this, ...others].map(({ nodeName }) => nodeName);
    this.addNode(list, { ...node, inputNodes } as unknown as EventstreamNode);
  }
}
