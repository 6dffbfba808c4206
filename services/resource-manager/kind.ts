import type { Clock } from '../common/clock.js';
import type { ListedChild } from './generic/listed-children.js';
import type { ResourcePath } from './path.js';
import type { Json, ResourceStore, StoredResource, StoredSecret } from './store.js';

/** The context of a write. */
export interface WriteContext {
  readonly path: ResourcePath;
  /** The existing resource of this id. */
  readonly previous: StoredResource | undefined;
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly platform: Platform;
}

/** The platform below the resource manager: where resources run, and whom the directory knows. */
export interface Platform {
  readonly tenantId: string;
  /** The domain of the environments' apps, with a port other than 443. */
  domainOf(environment: {
    readonly id: string;
    readonly name: string;
    readonly location?: string;
  }): string;
  /** Whether the apps of all environments share one domain, so that their names must be unique. */
  readonly hasOneDomain: boolean;
  /** The host suffixes of storage accounts and registries, such as `azurecr.io`. */
  readonly suffixes: { readonly storage: string; readonly registry: string };
  /** The address of a key vault. */
  vaultUri(name: string): string;
  /** `User`, `Group` or `ServicePrincipal`; undefined for ids that the directory does not know. */
  principalTypeOf?(objectId: string): Promise<string | undefined>;
  /** The running replicas of a revision; absent where nothing runs. */
  replicasOf?(app: string, revision: string): readonly Replica[];
}

/** A running instance of a revision. */
export interface Replica {
  readonly name: string;
  /** ISO 8601. */
  readonly createdTime: string;
  /** Whether it can receive requests. */
  readonly isReady: boolean;
}

/** What a PUT stores: the properties of its body, and what the service adds. */
export interface PreparedWrite {
  readonly properties: Json;
  /** Values that the service sets; see `StoredResource`. */
  readonly setByService: Json;
  readonly secrets?: readonly StoredSecret[];
  /** The members beside `properties`: `sku`, `kind`, `zones`. */
  readonly otherMembers?: Json;
  /** Children listed in the body, by the last segment of their type. */
  readonly listedChildren?: ReadonlyMap<string, readonly ListedChild[]>;
}

/** A type of resource: what it accepts and what it returns. */
export interface ResourceKind {
  /** Such as `Microsoft.App/containerApps`. */
  readonly type: string;
  /** `any`: all well-formed types. */
  readonly apiVersions: readonly string[] | 'any';
  /** Whether it is stored as sent, because nothing is known about the type. */
  readonly isGeneric?: true;
  /** Whether it has neither location nor tags, as the API says of children and extensions. */
  readonly isProxyResource?: true;
  /**
   * The status of every PUT. Where it is 202, every PATCH is answered with 202 as well.
   *
   * @default 201 for a PUT that creates, else 200
   */
  readonly putStatus?: 200 | 201 | 202;
  /** The status of a DELETE of an existing resource. @default 200 */
  readonly deleteStatus?: 204;
  /** @throws ArmError for an invalid name. */
  checkName(name: string): void;
  /**
   * Checks a body and returns what to store. What it changes in other resources, it saves itself:
   * an access policy is added to its vault.
   *
   * @throws ArmError 400 for an invalid body.
   */
  prepareWrite(body: Json, context: WriteContext): PreparedWrite | Promise<PreparedWrite>;
  /** The `properties` of an answer. */
  presentProperties(resource: StoredResource, context: ReadContext): Json | Promise<Json>;
  /** Answers of `POST {id}/{action}`, by the action's name in lower case. */
  readonly actions?: Readonly<
    Record<
      string,
      (
        resource: StoredResource,
        context: { readonly store: ResourceStore; readonly clock: Clock },
      ) => Json | Promise<Json>
    >
  >;
  /**
   * Actions whose result is a resource to save and return, by name in lower case: the changed
   * resource, or a new child of it.
   */
  readonly savingActions?: Readonly<
    Record<string, (resource: StoredResource, body: Json, now: string) => StoredResource>
  >;
  /**
   * Names, in lower case, of the actions that are answered with 202 and the `Location` of their
   * result, as if they took long.
   *
   * @default none
   */
  readonly longRunningActions?: readonly string[];
  /** When a resource is removed by the service (ISO 8601). @default never */
  expiryOf?(resource: StoredResource): string;
  /** Called before the deletion of a single resource; throws to prevent it. */
  beforeDelete?(resource: StoredResource, context: ReadContext): Promise<void>;
  /** The other resources that need this one: those of other groups keep its group from deletion. */
  listDependents?(
    resource: StoredResource,
    context: ReadContext,
  ): Promise<readonly StoredResource[]>;
  /**
   * Called before a deletion, also with the resource group: stores what can be recovered. With
   * `force` (`?force=true`), the resource cannot be recovered.
   */
  keepForRecovery?(
    resource: StoredResource,
    context: ReadContext & { readonly force: boolean; readonly clock: Clock },
  ): Promise<void>;
}

/** The context of a read. */
export interface ReadContext {
  readonly store: ResourceStore;
  readonly platform: Platform;
}
