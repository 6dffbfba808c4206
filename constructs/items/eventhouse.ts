import type { EventhouseDeclaration } from '../generated/declarations.js';
import { CastellanEventhouse } from '../internal/castellan.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { FabricEventhouse } from '../internal/fabric.js';
import { requireProvider } from '../internal/providers.js';
import type { ItemDefinition } from './item-definition.js';
import { castellanDefinition, fabricDefinition, isOneDocument, writtenPart } from './item-definition.js';
import type { WorkspaceReference } from './item-props.js';
import { itemConfig, labelConfig, workspaceIdOf } from './item-props.js';

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
  /** The Terraform resource: the official one where it can say everything, else castellan's own. */
  readonly resource: FabricEventhouse | CastellanEventhouse;

  constructor(scope: Construct, id: string, props: EventhouseProps) {
    super(scope, id, 'eventhouses', props);
    this.workspaceId = workspaceIdOf(props.workspace);
    this.resource = this.named(this.createResource(props));
    this.eventhouseId = this.resource.id;
  }

  private createResource(props: EventhouseProps): FabricEventhouse | CastellanEventhouse {
    const units = props.minimumConsumptionUnits ?? props.creationPayload?.minimumConsumptionUnits;
    const definition: ItemDefinition | undefined =
      props.definition === undefined ? undefined : { ...props.definition, parts: props.definition.parts.map(writtenPart) };
    if (props.sensitivityLabelSettings === undefined && (definition === undefined || isOneDocument(definition))) {
      requireProvider(this, 'fabric');
      return new FabricEventhouse(this, 'Default', {
        ...itemConfig(props),
        // without declared units there is no configuration: the provider replaces the eventhouse when one comes or goes
        configuration: units === undefined ? undefined : { minimumConsumptionUnits: units },
        ...(definition === undefined ? {} : fabricDefinition(this, definition)),
      });
    }
    requireProvider(this, 'castellan');
    return new CastellanEventhouse(this, 'Default', {
      ...itemConfig(props),
      minimumConsumptionUnits: units,
      sensitivityLabel: labelConfig(props),
      definition: definition === undefined ? undefined : castellanDefinition(definition),
    });
  }
}
