import { type Finder, withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { containerAppEnvironment, containerAppEnvironmentData } from './container-app-environment.js';
import { containerApp, containerAppData } from './container-app/index.js';
import { logAnalyticsWorkspace, logAnalyticsWorkspaceData } from './log-analytics-workspace.js';
import { resourceGroup, resourceGroupData } from './resource-group.js';
import { userAssignedIdentity, userAssignedIdentityData } from './user-assigned-identity.js';
import { resourceGroupId, resourceId } from '../../../clients/resource-manager/index.js';
import { mustText } from '../read-values.js';

/** Ids are made of names: what a killed creation made, if anything, has this one. A read says whether it is there. */
const byName =
  (type: string): Finder =>
  ({ api, planned }) =>
    Promise.resolve({
      id: resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name')),
    });

/** The resource types of azurerm that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azurerm_resource_group: resourceGroup,
    azurerm_log_analytics_workspace: logAnalyticsWorkspace,
    azurerm_container_app_environment: containerAppEnvironment,
    azurerm_container_app: containerApp,
    azurerm_user_assigned_identity: userAssignedIdentity,
  },
  // How what azurerm made is found again
  {
    azurerm_resource_group: ({ api, planned }) =>
      Promise.resolve({ id: resourceGroupId(api.identity.subscriptionId, mustText(planned, 'name')) }),
    azurerm_log_analytics_workspace: byName('Microsoft.OperationalInsights/workspaces'),
    azurerm_container_app_environment: byName('Microsoft.App/managedEnvironments'),
    azurerm_container_app: byName('Microsoft.App/containerApps'),
    azurerm_user_assigned_identity: byName('Microsoft.ManagedIdentity/userAssignedIdentities'),
  },
);

/** The data source azurerm_client_config: who applies, without a request. */
const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId, subscriptionId } = identity;
  const id = Buffer.from(
    `clientConfigs/clientId=${clientId};objectId=${objectId};subscriptionId=${subscriptionId};tenantId=${tenantId}`,
  ).toString('base64');
  return { id, client_id: clientId, object_id: objectId, tenant_id: tenantId, subscription_id: subscriptionId };
};

/** The data sources of azurerm that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azurerm_client_config: clientConfigData,
  azurerm_resource_group: resourceGroupData,
  azurerm_log_analytics_workspace: logAnalyticsWorkspaceData,
  azurerm_container_app_environment: containerAppEnvironmentData,
  azurerm_container_app: containerAppData,
  azurerm_user_assigned_identity: userAssignedIdentityData,
};
