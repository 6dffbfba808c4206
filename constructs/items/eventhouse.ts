import { discardTagMapOfAspects } from '../internal/tags-of-aspects.js';
import { CheckedConstruct } from '../stack/checked-construct.js';
import { eventhouse } from '../../kinds/eventhouse/eventhouse.js';
import { isExpressible } from '../../kinds/schema/mapping.js';
import type { EventhouseDeclaration } from '../generated/props.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { Construct } from '../internal/cdktf.js';
import { toOwnBindingConfig } from '../internal/binding-config.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import { normalizeId } from '../../core/values/guid.js';
import {
  CastellanEventhouse,
  type CastellanEventhouseConfig,
} from '../generated/lib/castellan/eventhouse.js';
import {
  FabricEventhouse,
  type FabricEventhouseConfig,
} from '../generated/lib/fabric/eventhouse.js';
import {
  castellanDefinition,
  fabricDefinition,
  isSingleDocument,
  decodePart,
} from './item-definition.js';
import { toDeclaredWorkspace, workspaceIdOf, type WorkspaceReference } from './workspace.js';

/** The properties of an eventhouse. */
export interface EventhouseProps extends Omit<EventhouseDeclaration, 'workspace'>, MetaArguments {
  /**
   * The workspace of the eventhouse: one of the stack, or the id of an existing one. It must have a
   * capacity.
   */
  readonly workspace: WorkspaceReference;
}

/** An eventhouse, of this stack or not. */
export interface IEventhouse {
  /** The id of the eventhouse. */
  readonly eventhouseId: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
}

/** The ids of an existing item. */
export interface ItemAttributes {
  /** The id of its workspace. */
  readonly workspaceId: string;
  /** The id of the item. */
  readonly itemId: string;
}

/**
 * An eventhouse, which stores events. A change of its consumption units replaces it and deletes its
 * events: `castellan plan` says so, and `castellan up` requires `--allow-replace`.
 *
 * @example
 * new Eventhouse(this, 'clickstore', { workspace: telemetry, displayName: 'clickstore', minimumConsumptionUnits: 4.25 });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Create
 *   eventhouse"
 */
export class Eventhouse extends CheckedConstruct implements IEventhouse {
  /** The id of the eventhouse, known after apply; it does not change with name or description. */
  readonly eventhouseId: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
  /**
   * The Terraform resource: the official one if it supports everything declared, otherwise
   * castellan's own.
   */
  readonly resource: FabricEventhouse | CastellanEventhouse;

  /** An eventhouse that exists already, by its id and that of its workspace. */
  static fromItemId(
    scope: Construct,
    id: string,
    { workspaceId, itemId }: ItemAttributes,
  ): IEventhouse {
    return new ExistingEventhouse(scope, id, normalizeId(itemId), normalizeId(workspaceId));
  }

  constructor(scope: Construct, id: string, declaredProps: EventhouseProps) {
    const props = withTypedTokens(scope, 'eventhouses', declaredProps, id);
    super(scope, id, 'eventhouses', { ...props, workspace: toDeclaredWorkspace(props.workspace) });
    this.workspaceId = workspaceIdOf(props.workspace);
    this.resource = this.withLogicalIdOfConstruct(this.createResource(props));
    discardTagMapOfAspects(this.resource);
    this.eventhouseId = this.resource.id;
  }

  private createResource(props: EventhouseProps): FabricEventhouse | CastellanEventhouse {
    const definition =
      props.definition === undefined
        ? undefined
        : { ...props.definition, parts: props.definition.parts.map(decodePart) };
    const values = { ...props.creationPayload, ...props, workspace: this.workspaceId };
    if (
      isExpressible(eventhouse, 'fabric_eventhouse', props) &&
      (definition === undefined || isSingleDocument(definition))
    ) {
      this.requireProvider('fabric');
      return new FabricEventhouse(this, 'Default', {
        ...toOwnBindingConfig<FabricEventhouseConfig>(eventhouse, 'fabric_eventhouse', values),
        ...(definition !== undefined && fabricDefinition(this, definition)),
      });
    }
    this.requireProvider('castellan');
    return new CastellanEventhouse(this, 'Default', {
      ...toOwnBindingConfig<CastellanEventhouseConfig>(eventhouse, 'castellan_eventhouse', values),
      ...(definition !== undefined && castellanDefinition(definition)),
    });
  }
}

/** An eventhouse that the stack does not create. */
class ExistingEventhouse extends Construct implements IEventhouse {
  constructor(
    scope: Construct,
    id: string,
    readonly eventhouseId: string,
    readonly workspaceId: string,
  ) {
    super(scope, id);
  }
}

/** An eventhouse in the form of castellan.yaml: an existing one is its id there. */
export function toDeclaredEventhouse(eventhouse: IEventhouse | string): IEventhouse | string {
  return typeof eventhouse === 'string' || eventhouse instanceof CastellanConstruct
    ? eventhouse
    : eventhouse.eventhouseId;
}
