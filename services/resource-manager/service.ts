import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Caller } from '../common/caller.js';
import { Chassis, type RequestIds } from '../common/chassis.js';
import { managementAudiences, hasUserImpersonation } from '../common/management-access.js';
import type { Service, ServiceContext, ServiceFactory } from '../common/service.js';
import { defaultTenantId } from '../common/tenant.js';
import { sharedThrottle } from '../common/shared-bucket.js';
import { throttleEachOperation } from '../common/throttle.js';
import { ArmError, errorSchema, toArmError } from './errors.js';
import { resourceGroupType, ResourceGroups } from './resource-groups.js';
import { storedRevisions } from './container-app/revisions.js';
import { asObject } from './json.js';
import type { Platform } from './kind.js';
import { authConfig } from './kinds/auth-config.js';
import { containerApp, isStopped } from './kinds/container-app.js';
import { isNotServed, notServedByResourceManager } from './not-served.js';
import { Resources } from './resources.js';
import { findRoute, type ResourceManager, routes } from './routes.js';
import { type Json, ResourceStore, type StoredSecret } from './store.js';
import { WriteQueue } from './write-queue.js';

/** An app as the sandbox runs it: with its secrets and its sign-in settings, if any. */
export interface DeclaredApp {
  /** The resource id of the app. */
  readonly id: string;
  readonly name: string;
  /**
   * The `properties` that a GET of the app returns, with `configuration.ingress.fqdn` and
   * `latestRevisionName`.
   */
  readonly properties: Json;
  readonly secrets: readonly StoredSecret[];
  /** Its revisions with their templates, the latest one last. */
  readonly revisions: readonly { readonly name: string; readonly template: Json }[];
  /** The `properties` of `authConfigs/current`. */
  readonly auth?: Json;
  /** Whether the app is stopped. */
  readonly isStopped?: true;
}

/** The resource manager with the methods that the sandbox uses besides its HTTP interface. */
export interface ResourceManagerService extends Service {
  /** All declared apps. */
  apps(): Promise<DeclaredApp[]>;
  /**
   * Adds a listener for changes of apps and sign-in settings; a change is answered after the
   * listener has finished.
   */
  onAppsChanged(listener: () => void | Promise<void>): void;
}

/** What differs from the defaults of the platform, such as the addresses of apps. */
export type PlatformOptions = Partial<Platform>;

/** Opens the resource manager with a database. */
export async function openResourceManager(
  context: ServiceContext,
  options: PlatformOptions = {},
): Promise<ResourceManagerService> {
  const platform: Platform = {
    tenantId: context.tenantId ?? defaultTenantId,
    domainOf: cloudLikeDomain,
    hasOneDomain: false,
    suffixes: cloudSuffixes,
    vaultUri: (name) => `https://${name}.vault.azure.net/`,
    ...options,
  };
  const store = await ResourceStore.open(context.database);
  const listeners: (() => void | Promise<void>)[] = [];
  const notifyListeners = async (type: string): Promise<void> => {
    if (type === containerApp.type || type === authConfig.type || type === resourceGroupType)
      for (const listener of listeners) await listener();
  };
  const groups = new ResourceGroups(store, context.clock, platform, () =>
    notifyListeners(resourceGroupType),
  );
  const resources = new Resources({
    store,
    clock: context.clock,
    platform,
    onChange: notifyListeners,
  });
  const chassis = new Chassis<ResourceManager>({
    name: 'resource-manager',
    prefixes: ['/subscriptions'],
    aliases: ['/providers/Microsoft.Authorization'],
    operations: routes,
    find: (call) => (isNotServed(call.path) ? undefined : findRoute(call)),
    toServiceError: toArmError,
    errorSchema,
    tokenVerifier: context.tokenVerifier,
    clock: context.clock,
    audiences: managementAudiences,
    notServed: notServedByResourceManager,
    runtime: {
      store,
      clock: context.clock,
      groups,
      resources,
      platform,
      queue: new WriteQueue(context.database),
    },
    headers: responseHeaders,
    ...(context.throttle && {
      throttle: throttleEachOperation(sharedThrottle(context.database, 'resource-manager')),
    }),
    before: ({ caller }) => requirePermission(caller),
  });
  return Object.assign(chassis, {
    // Resources are created by Terraform and other clients, not by seed files.
    seed: () => Promise.resolve(),
    close: () => Promise.resolve(),
    onAppsChanged: (listener: () => void | Promise<void>) => void listeners.push(listener),
    async apps(): Promise<DeclaredApp[]> {
      const declaredApps: DeclaredApp[] = [];
      for (const app of await store.list({ type: containerApp.type })) {
        const auth = await store.find(`${app.id}/authConfigs/current`);
        const properties = await containerApp.presentProperties(app, { store, platform });
        declaredApps.push({
          id: app.id,
          name: app.name,
          properties,
          secrets: app.secrets,
          revisions: storedRevisions(app.setByService),
          ...(auth !== undefined && { auth: asObject(auth.properties) ?? {} }),
          ...(isStopped(app) && { isStopped: true as const }),
        });
      }
      return declaredApps;
    },
  });
}

/** Request ids, by the header names that the cloud's clients send and read. */
function responseHeaders(
  { requestId }: RequestIds,
  received: IncomingHttpHeaders,
): Record<string, string> {
  const receivedHeader = (name: string): string | undefined => received[name]?.toString();
  const echoedClientRequestId =
    receivedHeader('x-ms-return-client-request-id') === 'true'
      ? receivedHeader('x-ms-client-request-id')
      : undefined;
  return {
    'x-ms-request-id': requestId,
    'x-ms-correlation-request-id': receivedHeader('x-ms-correlation-request-id') ?? requestId,
    // Every write is complete when it is answered, so the official providers need not wait before
    // they poll.
    'x-go-azure-sdk-skip-polling-delay': 'true',
    'cache-control': 'no-cache',
    ...omitUndefined({ 'x-ms-client-request-id': echoedClientRequestId }),
  };
}

function requirePermission(caller: Caller): void {
  if (hasUserImpersonation(caller)) return;
  const message = `The client with object id '${caller.objectId}' does not have the delegated permission 'user_impersonation'.`;
  throw new ArmError(403, 'AuthorizationFailed', message);
}

/** Host suffixes of the cloud. */
const cloudSuffixes: Platform['suffixes'] = {
  storage: 'core.windows.net',
  registry: 'azurecr.io',
};

/** The stand-alone resource manager (`castellan serve resource-manager`). */
export const createResourceManagerService: ServiceFactory = (context) =>
  openResourceManager(context);

function cloudLikeDomain({ id, location }: { id: string; location?: string }): string {
  const hash = createHash('sha256').update(id.toLowerCase()).digest('hex').slice(0, 8);
  return `env-${hash}.${(location ?? 'westeurope').toLowerCase().replaceAll(' ', '')}.azurecontainerapps.io`;
}
