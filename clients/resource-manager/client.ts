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
  listFamily,
  type ListedFamily,
  type LogWorkspaceProperties,
  type ManagedEnvironmentProperties,
  type Properties,
  type Resource,
  resourceFamily,
  type ResourceFamily,
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
  readonly resourceGroups: ResourceFamily<Properties> & {
    list(subscriptionId: string, call?: CallOptions): AsyncIterable<Resource>;
    /** The resources in a group. */
    contents(id: string, call?: CallOptions): AsyncIterable<Resource>;
  };
  readonly managedEnvironments: ListedFamily<ManagedEnvironmentProperties>;
  readonly containerApps: ListedFamily<ContainerAppProperties> & {
    /** The secrets with their values; no other answer contains them. */
    listSecrets(id: string, call?: CallOptions): Promise<readonly ContainerAppSecret[]>;
  };
  /** The sign-in settings of an app; `authConfigId(containerAppId)` returns their id. */
  readonly authConfigs: ResourceFamily<Properties>;
  readonly logWorkspaces: ListedFamily<LogWorkspaceProperties> & {
    sharedKeys(id: string, call?: CallOptions): Promise<SharedKeys>;
    listDeleted(subscriptionId: string, call?: CallOptions): AsyncIterable<Resource>;
  };
  readonly identities: ListedFamily<IdentityProperties>;
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
  const every = resources(connection);
  const logWorkspaces = 'Microsoft.OperationalInsights/workspaces';
  return {
    http: connection.http,
    resources: every,
    resourceGroups: {
      ...resourceFamily<Properties>(every, 'Microsoft.Resources/resourceGroups'),
      list: (subscriptionId, call) =>
        every.list(
          `/subscriptions/${subscriptionId}/resourcegroups`,
          apiVersions['Microsoft.Resources/resourceGroups'],
          call,
        ),
      contents: (id, call) =>
        every.list(`${id}/resources`, apiVersions['Microsoft.Resources/resourceGroups'], call),
    },
    managedEnvironments: listFamily(every, 'Microsoft.App/managedEnvironments'),
    containerApps: {
      ...listFamily<ContainerAppProperties>(every, 'Microsoft.App/containerApps'),
      async listSecrets(id, call) {
        const version = apiVersions['Microsoft.App/containerApps'];
        return (
          await every.action<{ value: ContainerAppSecret[] }>(
            id,
            'listSecrets',
            version,
            undefined,
            call,
          )
        ).value;
      },
    },
    authConfigs: resourceFamily(every, 'Microsoft.App/containerApps/authConfigs'),
    logWorkspaces: {
      ...listFamily<LogWorkspaceProperties>(every, logWorkspaces),
      sharedKeys: (id, call) =>
        every.action(
          id,
          'sharedKeys',
          apiVersions['Microsoft.OperationalInsights/workspaces/sharedKeys'],
          undefined,
          call,
        ),
      listDeleted: (subscriptionId, call) =>
        every.list(
          `/subscriptions/${subscriptionId}/providers/Microsoft.OperationalInsights/deletedWorkspaces`,
          apiVersions[logWorkspaces],
          call,
        ),
    },
    identities: listFamily(every, 'Microsoft.ManagedIdentity/userAssignedIdentities'),
  };
}
