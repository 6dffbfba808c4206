import type { HttpClient } from '../common/http-client.js';
import {
  apiVersions,
  type CallOptions,
  connect,
  type ResourceManagerClientOptions,
} from './connection.js';
import { parseScope } from './resource-id.js';
import {
  type ContainerAppProperties,
  type ContainerAppSecret,
  type IdentityProperties,
  listableResourcesOfType,
  type ListableResourcesOfType,
  type LogWorkspaceProperties,
  type ManagedEnvironmentProperties,
  type UnknownProperties,
  type Resource,
  resourcesOfType,
  type ResourcesOfType,
  resources,
  type Resources,
  type SharedKeys,
} from './resources.js';

/**
 * The resource manager: groups, environments, container apps with their sign-in settings, log
 * workspaces, identities.
 */
export interface ResourceManagerClient {
  /** The underlying connection, for requests that have no method here. */
  readonly http: HttpClient;
  /** Resources of any type, by id and api-version. */
  readonly resources: Resources;
  readonly resourceGroups: ResourcesOfType<UnknownProperties> & {
    /** @param subscription its id, or `/subscriptions/{id}`. */
    list(subscription: string, call?: CallOptions): AsyncIterable<Resource>;
    /** The resources in a group. */
    contents(id: string, call?: CallOptions): AsyncIterable<Resource>;
  };
  readonly managedEnvironments: ListableResourcesOfType<ManagedEnvironmentProperties>;
  readonly containerApps: ListableResourcesOfType<ContainerAppProperties> & {
    /** The secrets with their values; no other answer contains them. */
    listSecrets(id: string, call?: CallOptions): Promise<readonly ContainerAppSecret[]>;
  };
  /** The sign-in settings of an app; `authConfigId(containerAppId)` returns their id. */
  readonly authConfigs: ResourcesOfType<UnknownProperties>;
  readonly logWorkspaces: ListableResourcesOfType<LogWorkspaceProperties> & {
    sharedKeys(id: string, call?: CallOptions): Promise<SharedKeys>;
    /**
     * The deleted workspaces that can still be recovered.
     *
     * @param subscription its id, or `/subscriptions/{id}`.
     */
    listDeleted(subscription: string, call?: CallOptions): AsyncIterable<Resource>;
  };
  /** The user-assigned managed identities. */
  readonly identities: ListableResourcesOfType<IdentityProperties>;
}

/**
 * A client of the resource manager: the sandbox's, `castellan serve resource-manager`, or the
 * cloud's.
 *
 * @example
 * const manager = createResourceManagerClient({ credential: azureCliCredential() });
 * const app = await manager.containerApps.get(
 *   '/subscriptions/…/resourceGroups/rg-shop/providers/Microsoft.App/containerApps/web',
 * );
 */
export function createResourceManagerClient(
  options: ResourceManagerClientOptions = {},
): ResourceManagerClient {
  const connection = connect(options);
  const operations = resources(connection);
  const logWorkspaceType = 'Microsoft.OperationalInsights/workspaces';
  return {
    http: connection.http,
    resources: operations,
    resourceGroups: {
      ...resourcesOfType<UnknownProperties>(operations, 'Microsoft.Resources/resourceGroups'),
      list: (subscription, call) =>
        operations.list(
          `/subscriptions/${parseScope(subscription).subscriptionId}/resourcegroups`,
          apiVersions['Microsoft.Resources/resourceGroups'],
          call,
        ),
      contents: (id, call) =>
        operations.list(`${id}/resources`, apiVersions['Microsoft.Resources/resourceGroups'], call),
    },
    managedEnvironments: listableResourcesOfType(operations, 'Microsoft.App/managedEnvironments'),
    containerApps: {
      ...listableResourcesOfType<ContainerAppProperties>(operations, 'Microsoft.App/containerApps'),
      async listSecrets(id, call) {
        const version = apiVersions['Microsoft.App/containerApps'];
        return (
          await operations.action<{ value: ContainerAppSecret[] }>(
            id,
            'listSecrets',
            version,
            undefined,
            call,
          )
        ).value;
      },
    },
    authConfigs: resourcesOfType(operations, 'Microsoft.App/containerApps/authConfigs'),
    logWorkspaces: {
      ...listableResourcesOfType<LogWorkspaceProperties>(operations, logWorkspaceType),
      sharedKeys: (id, call) =>
        operations.action(
          id,
          'sharedKeys',
          apiVersions['Microsoft.OperationalInsights/workspaces/sharedKeys'],
          undefined,
          call,
        ),
      listDeleted: (subscription, call) =>
        operations.list(
          `/subscriptions/${parseScope(subscription).subscriptionId}/providers/Microsoft.OperationalInsights/deletedWorkspaces`,
          apiVersions[logWorkspaceType],
          call,
        ),
    },
    identities: listableResourcesOfType(
      operations,
      'Microsoft.ManagedIdentity/userAssignedIdentities',
    ),
  };
}
