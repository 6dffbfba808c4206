import type { EventstreamSource } from '../generated/props.js';
import { Construct } from '../internal/cdktf.js';
import { type MetaArguments, metaArgumentsOfPart } from '../internal/meta-arguments.js';
import { Eventhouse } from '../items/eventhouse.js';
import type { EventstreamFlow } from '../items/eventstream-flow.js';
import { Eventstream } from '../items/eventstream.js';
import type { WorkspaceReference } from '../items/workspace.js';

/** The properties of a pipeline of events. */
export interface EventPipelineProps extends Omit<MetaArguments, 'lifecycle'> {
  /** The workspace of the pipeline; it must have a capacity. */
  readonly workspace: WorkspaceReference;
  /** The name of the eventstream; the eventhouse is named after it. */
  readonly displayName: string;
  /**
   * The sources of events. @default a custom endpoint named `in`, to which applications send them
   */
  readonly sources?: readonly EventstreamSource[] | undefined;
  /** How many days the eventstream keeps events. @default the service's own */
  readonly retentionTimeInDays?: number | undefined;
  /** The minimum of consumption units of the eventhouse. @default 0 */
  readonly minimumConsumptionUnits?: number | undefined;
}

/**
 * A pipeline of events: an eventstream that writes what its sources send into an eventhouse of its
 * own.
 *
 * @example
 * const orders = new EventPipeline(this, 'orders', { workspace: telemetry, displayName: 'orders' });
 * orders.flows['in']?.to({ name: 'alerts', type: 'CustomEndpoint' });
 */
export class EventPipeline extends Construct {
  /** The eventhouse that stores the events. */
  readonly eventhouse: Eventhouse;
  /** The eventstream. */
  readonly eventstream: Eventstream;
  /** The flow of each source, by the source's name, to add destinations. */
  readonly flows: Readonly<Record<string, EventstreamFlow>>;

  constructor(scope: Construct, id: string, props: EventPipelineProps) {
    super(scope, id);
    const { workspace, displayName, retentionTimeInDays, minimumConsumptionUnits } = props;
    const { sources = [{ name: 'in', type: 'CustomEndpoint' }] } = props;
    this.eventhouse = new Eventhouse(this, 'store', {
      workspace,
      displayName: `${displayName}-store`,
      minimumConsumptionUnits,
      ...metaArgumentsOfPart(props, 'store'),
    });
    this.eventstream = new Eventstream(this, 'stream', {
      workspace,
      displayName,
      retentionTimeInDays,
      ...metaArgumentsOfPart(props, 'stream'),
    });
    const flows = sources.map((source) => this.eventstream.addSource(source));
    this.flows = Object.fromEntries(flows.map((flow) => [flow.nodeName, flow]));
    const [first, ...others] = flows;
    first?.to({ name: 'store', type: 'Eventhouse', eventhouse: this.eventhouse }, ...others);
  }
}
