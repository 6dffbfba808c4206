import type { PlannedChange } from '../planner/plan.js';
import type { ActualValues } from '../planner/new-state.js';
import type { Diagnostic, ProviderSchema } from '../schemas/schema.js';
import type { Json } from '../values/json.js';
import type { ValueMap, Path, Value } from '../values/value.js';
import type { DirectoryClient } from '../../clients/directory/index.js';
import type { ItemsClient } from '../../clients/items/index.js';
import type { ResourceManagerClient } from '../../clients/resource-manager/index.js';
import type { Response } from '../protocol/messages.js';

/** The context of every call of a handler. */
export interface Context {
  /** The services, reached with the provider's credentials. */
  readonly api: Api;
  /** The provider's own configuration block; empty if there is none. */
  readonly providerConfig: ValueMap;
  /** Aborted when Terraform is interrupted. */
  readonly signal: AbortSignal;
  /**
   * The properties of the resource that write-only attributes set or have set, as an object by
   * name; absent for types without {@link ResourceHandler.secretNames}.
   */
  readonly secretNames?: Json;
  /** Adds a warning or a note to the result. */
  warn(diagnostic: Omit<Diagnostic, 'severity'>): void;
}

/** A creation: the planned state, and the configuration, which alone has write-only values. */
export interface CreateCall extends Context {
  /** The planned state; what the service decides is unknown. */
  readonly planned: ValueMap;
  /** The configured attributes of the resource. */
  readonly config: ValueMap;
  /**
   * Records an existing object, so that a failure of a later step leaves it in the state (tainted)
   * instead of orphaned.
   */
  reportCreated(state: ActualValues): void;
}

/** A search for an existing object to adopt in place of a creation. */
export interface FindCall extends Context {
  readonly planned: ValueMap;
  /**
   * When the killed creation started: older objects were created by someone else. The start of the
   * epoch if any object may be adopted.
   */
  readonly createdSince: Date;
  /**
   * Whether another resource has the object with this id of Terraform's state. What is found by a
   * name that several objects may have must not be taken.
   */
  readonly isTaken: (id: string) => boolean;
}

/** An update in place. */
export interface UpdateCall extends Context {
  /** The state before. */
  readonly prior: ValueMap;
  readonly planned: ValueMap;
  /** The configured attributes, which alone have write-only values. */
  readonly config: ValueMap;
}

/** A read or a deletion of an object in the state. */
interface StateCall extends Context {
  /** The state of the object as Terraform has it. */
  readonly state: ValueMap;
}

/** A plan under construction: the generic plan, which the handler may adjust beyond the schema. */
export interface PlanCall extends Context {
  readonly change: PlannedChange;
}

/**
 * How to create, read, change and delete one resource type. Answers are the service's values; the
 * generic planner does the rest.
 */
export interface ResourceHandler {
  create(call: CreateCall): Promise<ActualValues>;
  /**
   * Finds the object with the identifying values of a planned one: for a creation that started and
   * may have created it before the process was killed, and when existing objects are adopted.
   */
  findExisting?(call: FindCall): Promise<ActualValues | undefined>;
  /** Undefined when the object is gone. */
  read(call: StateCall): Promise<ActualValues | undefined>;
  /** Absent if every change replaces. */
  update?(call: UpdateCall): Promise<ActualValues>;
  delete(call: StateCall): Promise<void>;
  /**
   * The state to read for a user's import id; throws a {@link ProviderFailure} for an id of another
   * form.
   */
  import?(id: string): ActualValues;
  /**
   * The state to read for a resource of another type that becomes one of this type; throws a
   * {@link ProviderFailure} for a type from which it cannot.
   */
  moveFrom?(type: string, state: Readonly<Record<string, unknown>>): ActualValues;
  /**
   * An input that no state contains, but whose change must be planned; null if there is none. Only
   * its hash is kept, beside the state.
   */
  unstoredInput?(config: ValueMap): Value;
  /**
   * The names of the properties that write-only attributes set, without their values: kept beside
   * the state, so that no read takes the value of one into it.
   */
  secretNames?(config: ValueMap): Json;
  /** Corrects the plan beyond what the schema says. */
  plan?(call: PlanCall): Promise<void> | void;
  /** Migrates the JSON of an older state, by its version. */
  upgrade?(version: number, state: Record<string, unknown>): Record<string, unknown>;
}

/** How to read a data source. Omitted attributes stay as configured. */
export type DataSourceHandler = (
  call: Context & { readonly config: ValueMap },
) => Promise<ActualValues>;

/** A refusal that becomes a Terraform diagnostic: a summary, an explanation and the attribute. */
export class ProviderFailure extends Error {
  constructor(
    readonly summary: string,
    readonly detail?: string,
    readonly path?: Path,
  ) {
    super(summary);
    this.name = 'ProviderFailure';
  }
}

/** The services for the handlers, and the caller. */
export interface Api {
  readonly directory: DirectoryClient;
  readonly items: ItemsClient;
  readonly resourceManager: ResourceManagerClient;
  readonly identity: Identity;
}

/** The identity of the provider towards the services. */
export interface Identity {
  /** Empty if none is configured. */
  readonly tenantId: string;
  /** The subscription of the resources; empty if none is configured. */
  readonly subscriptionId: string;
  /** The client id of the application, or of the tool that a user signed in with; may be empty. */
  clientId(): Promise<string>;
  /** The object id of the caller, from its token; empty if that has none. */
  objectId(): Promise<string>;
}

/**
 * A provider: its schemas, its handlers, and how it connects to the services after configuration.
 */
export interface Provider {
  readonly schema: ProviderSchema;
  /** By resource type: `azuread_group`. */
  readonly resources: Readonly<Record<string, ResourceHandler>>;
  readonly dataSources: Readonly<Record<string, DataSourceHandler>>;
  /** By the name in calls: `content_decode`. @default none */
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
  /** Called with the provider block; the result serves every later call. */
  connect(config: ValueMap): Promise<Api> | Api;
}

/** A function that configurations may call: `provider::fabric::content_decode(…)`. */
export interface ProviderFunction {
  /** Its signature, as the message of the protocol. */
  readonly signature: Response;
  call(args: readonly Value[]): Value;
}
