import type { EventstreamOperator } from '../generated/props.js';
import type { EventstreamDestination, EventstreamNode } from './eventstream-graph.js';
import type { OtherNodeType } from './other-node.js';

/** A node without its inputs, which the flow adds. */
export type WithoutInputs<Node> = Node extends { readonly type: OtherNodeType }
  ? Node
  : Node extends { readonly inputNodes?: unknown }
    ? Omit<Node, 'inputNodes'>
    : Node;

/** Adds a node to one of the lists of an eventstream's graph. */
export type AddNode = (list: 'operators' | 'destinations', node: EventstreamNode) => void;

/**
 * The path of events through an eventstream: each step reads the events of the one before.
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
   * @param others more flows that the operator reads, such as those of a `Union` or a `Join`.
   */
  through(
    operator: WithoutInputs<EventstreamOperator>,
    ...others: readonly EventstreamFlow[]
  ): EventstreamFlow {
    this.addStep('operators', operator, others);
    return new EventstreamFlow(String(operator.name), this.addNode);
  }

  /**
   * Delivers the events to a destination; a flow may have several.
   *
   * @param others more flows that the destination reads.
   */
  to(
    destination: WithoutInputs<EventstreamDestination>,
    ...others: readonly EventstreamFlow[]
  ): this {
    this.addStep('destinations', destination, others);
    return this;
  }

  private addStep(
    list: 'operators' | 'destinations',
    node: object,
    others: readonly EventstreamFlow[],
  ): void {
    const inputNodes = [this, ...others].map(({ nodeName }) => nodeName);
    this.addNode(list, { ...node, inputNodes } as unknown as EventstreamNode);
  }
}
