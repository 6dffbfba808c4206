import type { EventhouseProps as EventhouseDeclaration } from '../../policies/schemas/index.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { FabricEventhouse } from '../internal/fabric.js';
import { requireProvider } from '../internal/providers.js';
import { documentPart } from './definition-template.js';
import type { WorkspaceReference } from './item-props.js';
import { documentOf, itemConfig, workspaceIdOf } from './item-props.js';

/** Everything that may be declared of an eventhouse. */
export interface EventhouseProps extends Omit<EventhouseDeclaration, 'workspace'> {
  /** The workspace that holds the eventhouse: one of the stack, or the id of one that exists. It must have a capacity. */
  readonly workspace: WorkspaceReference;
}

/**
 * An eventhouse, which keeps events. A change of its units replaces it, and every event in it is lost: `castellan plan` says so,
 * `castellan up` wants `--allow-replace`.
 *
 * @example
 * new Eventhouse(this, 'clickstore', { workspace: telemetry, displayName: 'clickstore', minimumConsumptionUnits: 4.25 });
 * @see spec 002, "Create eventhouse"
 */
export class Eventhouse extends CastellanConstruct {
  /** The id of the eventhouse, known after apply; it stays when name or description change. */
  readonly eventhouseId: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
  /** The Terraform resource, for what these props don't say. */
  readonly resource: FabricEventhouse;

  constructor(scope: Construct, id: string, props: EventhouseProps) {
    super(scope, id, 'eventhouses', props);
    requireProvider(this, 'fabric');
    const units = props.minimumConsumptionUnits ?? props.creationPayload?.minimumConsumptionUnits;
    const part = props.definition?.parts[0];
    this.workspaceId = workspaceIdOf(props.workspace);
    this.resource = this.named(
      new FabricEventhouse(this, 'Default', {
        ...itemConfig(props),
        // without declared units there is no configuration: the provider replaces the eventhouse when one comes or goes
        configuration: units === undefined ? undefined : { minimumConsumptionUnits: units },
        ...(part === undefined
          ? {}
          : { format: 'Default', definition: { [part.path]: documentPart(this, documentOf(part, this.node.path)) } }),
      }),
    );
    this.eventhouseId = this.resource.id;
  }
}
