import { withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { finders } from './finders.js';
import { clientConfigData } from './client-config.js';
import { containerAppEnvironment, containerAppEnvironmentData } from './container-app-environment.js';
import { containerApp, containerAppData } from './container-app/index.js';
import { logAnalyticsWorkspace, logAnalyticsWorkspaceData } from './log-analytics-workspace.js';
import { resourceGroup, resourceGroupData } from './resource-group.js';
import { userAssignedIdentity, userAssignedIdentityData } from './user-assigned-identity.js';

/** The resource types of azurerm that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azurerm_resource_group: resourceGroup,
    azurerm_log_analytics_workspace: logAnalyticsWorkspace,
    azurerm_container_app_environment: containerAppEnvironment,
    azurerm_container_app: containerApp,
    azurerm_user_assigned_identity: userAssignedIdentity,
  },
  finders,
);

/** The data sources of azurerm that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azurerm_client_config: clientConfigData,
  azurerm_resource_group: resourceGroupData,
  azurerm_log_analytics_workspace: logAnalyticsWorkspaceData,
  azurerm_container_app_environment: containerAppEnvironmentData,
  azurerm_container_app: containerAppData,
  azurerm_user_assigned_identity: userAssignedIdentityData,
};
