import { containerApp, containerAppData } from './container-app.js';
import { containerAppEnvironment, containerAppEnvironmentData } from './container-app-environment.js';
import { clientConfigData, providerConfig } from './provider.js';
import { logAnalyticsWorkspaceData, logAnalyticsWorkspace } from './log-analytics-workspace.js';
import { resourceGroupData, resourceGroup } from './resource-group.js';
import { userAssignedIdentityData, userAssignedIdentity } from './user-assigned-identity.js';
import type { ProviderSchema } from '../schema.js';

/** hashicorp/azurerm: version 5.2, with the arguments that only 4.55 has (the version that the npm bindings pin). */
export const azurermSchema: ProviderSchema = {
  address: 'registry.terraform.io/hashicorp/azurerm',
  style: 'classic',
  config: providerConfig,
  resources: {
    azurerm_resource_group: resourceGroup,
    azurerm_log_analytics_workspace: logAnalyticsWorkspace,
    azurerm_container_app_environment: containerAppEnvironment,
    azurerm_container_app: containerApp,
    azurerm_user_assigned_identity: userAssignedIdentity,
  },
  dataSources: {
    azurerm_resource_group: resourceGroupData,
    azurerm_log_analytics_workspace: logAnalyticsWorkspaceData,
    azurerm_container_app_environment: containerAppEnvironmentData,
    azurerm_container_app: containerAppData,
    azurerm_user_assigned_identity: userAssignedIdentityData,
    azurerm_client_config: clientConfigData,
  },
};
