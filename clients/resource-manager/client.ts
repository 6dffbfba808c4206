import type { HttpClient } from '../common/http-client.js';
import {
  apiVersions,
  type CallOptions,
  connect,
  type ResourceManagerClientOptions,
} from './options.js';
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
  readonly http: HttpClient;
  /** Resources of any type, by id and api-version. */
  readonly resources: Resources;
  readonly resourceGroups: ResourcesOfType<UnknownProperties> & {
    list(subscriptionId: string, call?: CallOptions): AsyncIterable<Resource>;
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
    /** The deleted workspaces that can still be recovered. */
    listDeleted(subscriptionId: string, call?: CallOptions): AsyncIterable<Resource>;
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
  const allResources = resources(connection);
  const logWorkspaces = 'Microsoft.OperationalInsights/workspaces';
  return {
    http: connection.http,
    resources: allResources,
    resourceGroups: {
      ...resourcesOfType<UnknownProperties>(allResources, 'Microsoft.Resources/resourceGroups'),
      list: (subscriptionId, call) =>
        allResources.list(
          `/subscriptions/${subscriptionId}/resourcegroups`,
          apiVersions['Microsoft.Resources/resourceGroups'],
          call,
        ),
      contents: (id, call) =>
        allResources.list(
          `${id}/resources`,
          apiVersions['Microsoft.Resources/resourceGroups'],
          call,
        ),
    },
    managedEnvironments: listableResourcesOfType(allResources, 'Microsoft.App/managedEnvironments'),
    containerApps: {
      ...listableResourcesOfType<ContainerAppProperties>(
        allResources,
        'Microsoft.App/containerApps',
      ),
      async listSecrets(id, call) {
        const version = apiVersions['Microsoft.App/containerApps'];
        return (
          await allResources.action<{ value: ContainerAppSecret[] }>(
            id,
            'listSecrets',
            version,
            undefined,
            call,
          )
        ).value;
      },
    },
    authConfigs: resourcesOfType(allResources, 'Microsoft.App/containerApps/authConfigs'),
    logWorkspaces: {
      ...listableResourcesOfType<LogWorkspaceProperties>(allResources, logWorkspaces),
      sharedKeys: (id, call) =>
        allResources.action(
          id,
          'sharedKeys',
          apiVersions['Microsoft.OperationalInsights/workspaces/sharedKeys'],
          undefined,
          call,
        ),
      listDeleted: (subscriptionId, call) =>
        allResources.list(
          `/subscriptions/${subscriptionId}/providers/Microsoft.OperationalInsights/deletedWorkspaces`,
          apiVersions[logWorkspaces],
          call,
        ),
    },
    identities: listableResourcesOfType(
      allResources,
      'Microsoft.ManagedIdentity/userAssignedIdentities',
    ),
  };
}
