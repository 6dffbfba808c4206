import type { PlannedChange } from '../planner/plan.js';
import type { ActualValues } from '../planner/settle.js';
import type { Finding, ProviderSchema } from '../schemas/schema.js';
import type { ValueMap, Path, Value } from '../values/value.js';
import type { DirectoryClient } from '../../clients/directory/index.js';
import type { ItemsClient } from '../../clients/items/index.js';
import type { ResourceManagerClient } from '../../clients/resource-manager/index.js';
import type { Response } from '../protocol/messages.js';

/** What every call of a handler may use. */
export interface Context {
  /** The services, reached with the provider's credentials. */
  readonly api: Api;
  /** The provider's own configuration block; empty where there is none. */
  readonly provider: ValueMap;
  /** Aborted when Terraform is interrupted. */
  readonly signal: AbortSignal;
  /** Adds a warning or a note to the result. */
  warn(finding: Omit<Finding, 'severity'>): void;
}

/** A creation: the planned state, and the configuration (the only place of write-only values). */
export interface CreateCall extends Context {
  readonly planned: ValueMap;
  readonly config: ValueMap;
  /**
   * Notes what exists already, so that a failure of a later step leaves the object in the state (tainted) rather than orphaned.
   */
  created(state: ActualValues): void;
}

/** A search for the object that a killed creation may have created. */
export interface FindCall extends Context {
  readonly planned: ValueMap;
  /** When the creation started: an older object was created by someone else. */
  readonly begunAt: Date;
}

/** An update in place. */
export interface UpdateCall extends Context {
  readonly prior: ValueMap;
  readonly planned: ValueMap;
  readonly config: ValueMap;
}

/** A read or a deletion of what the state knows. */
interface StateCall extends Context {
  readonly state: ValueMap;
}

/** A plan that is being made: the generic plan, which the handler may adjust by what the schema can't say. */
export interface PlanCall extends Context {
  readonly change: PlannedChange;
}

/** How one resource type is created, read, changed and deleted. Answers are what the service has; the generic planner does the rest. */
export interface ResourceHandler {
  create(call: CreateCall): Promise<ActualValues>;
  /**
   * Finds the object that a creation may have made before the process was killed, by what distinguishes it from others. Called only for a
   * creation that started and did not finish.
   */
  find?(call: FindCall): Promise<ActualValues | undefined>;
  /** Undefined when the object is gone. */
  read(call: StateCall): Promise<ActualValues | undefined>;
  /** Absent where every change replaces. */
  update?(call: UpdateCall): Promise<ActualValues>;
  delete(call: StateCall): Promise<void>;
  /** The state to read from, made from the id that a user gave; throws a {@link ProviderFailure} for an id of another form. */
  import?(id: string): ActualValues;
  /** Rules of the plan that the schema can't say. */
  plan?(call: PlanCall): Promise<void> | void;
  /** Changes the JSON of an older state, by the version it has. */
  upgrade?(version: number, state: Record<string, unknown>): Record<string, unknown>;
}

/** How a data source is read. Attributes left out stay as configured. */
export type DataSourceHandler = (call: Context & { readonly config: ValueMap }) => Promise<ActualValues>;

/** A refusal that the user reads as a Terraform diagnostic: a summary, an explanation and the attribute that it is about. */
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

/** The services as the handlers reach them, and who asks. */
export interface Api {
  readonly directory: DirectoryClient;
  readonly items: ItemsClient;
  readonly resourceManager: ResourceManagerClient;
  readonly identity: Identity;
}

/** The identity of the provider towards the services. */
export interface Identity {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** The client id of the application, or of the tool that a person signed in with. */
  clientId(): Promise<string>;
  /** The object id of the caller, from its token. */
  objectId(): Promise<string>;
}

/** A provider: its schemas, its handlers, and how it reaches the services once it is configured. */
export interface Provider {
  readonly schema: ProviderSchema;
  readonly resources: Readonly<Record<string, ResourceHandler>>;
  readonly dataSources: Readonly<Record<string, DataSourceHandler>>;
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
  /** Called with the provider block; the answer serves every later call. */
  connect(config: ValueMap): Promise<Api> | Api;
}

/** A function that configurations may call: `provider::fabric::content_decode(…)`. */
export interface ProviderFunction {
  readonly message: Response;
  call(args: readonly Value[]): Value;
}
