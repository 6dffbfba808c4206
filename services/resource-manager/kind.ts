import type { Clock } from '../common/clock.js';
import type { ListedPart } from './generic/parts.js';
import type { ResourcePath } from './path.js';
import type { Json, ResourceStore, StoredResource, StoredSecret } from './store.js';

/** What surrounds a resource when it is written. */
export interface WriteContext {
  readonly path: ResourcePath;
  /** What is under this id already. */
  readonly previous: StoredResource | undefined;
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly hosting: Hosting;
}

/** Where things are said to run. */
export interface Hosting {
  readonly tenantId: string;
  /** The domain below which an environment's apps are reached, with a port where it isn't 443. */
  domainOf(environment: { readonly id: string; readonly name: string; readonly location?: string }): string;
  /** Whether no two apps may share a name, because all stand below one domain. */
  readonly oneDomain: boolean;
  /** What the hosts of storage accounts and registries end with. */
  readonly suffixes: { readonly storage: string; readonly registry: string };
  /** The address of a key vault. */
  vaultUri(name: string): string;
  /** `User`, `Group` or `ServicePrincipal`; undefined for what the directory beside doesn't know. */
  principalTypeOf?(objectId: string): Promise<string | undefined>;
  /** What runs of a revision; absent where nothing is run. */
  replicasOf?(app: string, revision: string): readonly Replica[];
}

/** One running instance of a revision. */
export interface Replica {
  readonly name: string;
  /** ISO 8601. */
  readonly createdTime: string;
  /** Whether it may get requests. */
  readonly ready: boolean;
}

/** What a kind makes of a request's body. */
export interface Declared {
  readonly properties: Json;
  readonly decided: Json;
  readonly identity?: Json;
  readonly secrets?: readonly StoredSecret[];
  /** What is next to `properties`: `sku`, `kind`, `zones`. */
  readonly rest?: Json;
  /** Children that the body lists, by the last word of their type. */
  readonly parts?: ReadonlyMap<string, readonly ListedPart[]>;
}

/** A type of resource: what it accepts and how it is shown. */
export interface ResourceKind {
  /** Such as `Microsoft.App/containerApps`. */
  readonly type: string;
  /** `any`: each well-formed one. */
  readonly apiVersions: readonly string[] | 'any';
  /** Kept as it is sent: nothing is known of the type. */
  readonly generic?: true;
  /** Children of another resource have neither location nor tags. */
  readonly child?: true;
  /** What each PUT answers. @default 201 when it creates, 200 when it replaces */
  readonly putStatus?: 200 | 201;
  /** What a DELETE of something that is there answers. @default 200 */
  readonly deletedStatus?: 204;
  /** @throws ArmError for a name that isn't allowed. */
  checkName(name: string): void;
  /**
   * Checks a body and says what is kept of it.
   *
   * @throws ArmError 400 for what the service doesn't accept.
   */
  declare(body: Json, context: WriteContext): Declared | Promise<Declared>;
  /** The `properties` of an answer. */
  present(resource: StoredResource, context: PresentContext): Json | Promise<Json>;
  /** Further answers of `POST {id}/{action}`, by the action's name in lower case. */
  readonly actions?: Readonly<
    Record<string, (resource: StoredResource, context: { readonly store: ResourceStore; readonly clock: Clock }) => Json | Promise<Json>>
  >;
  /**
   * What `POST {id}/{action}` makes of the resource, by the action's name in lower case: the resource changed, or a new child of it. It is
   * saved and answered.
   */
  readonly changes?: Readonly<Record<string, (resource: StoredResource, body: Json, now: string) => StoredResource>>;
  /** Called before a resource is deleted; throws when it must stay. */
  beforeDelete?(resource: StoredResource, context: PresentContext & { readonly force: boolean; readonly clock: Clock }): Promise<void>;
}

/** What surrounds a resource when it is read. */
export interface PresentContext {
  readonly store: ResourceStore;
  readonly hosting: Hosting;
}
