import { resourceGroupId, resourceId } from '../../../clients/resource-manager/index.js';
import type { Finder } from '../finders.js';
import { mustText } from '../read-values.js';

/** Ids are made of names: what a killed creation made, if anything, has this one. A read says whether it is there. */
const byName =
  (type: string): Finder =>
  ({ api, planned }) =>
    Promise.resolve({
      id: resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name')),
    });

/** How what azurerm made is found again. */
export const finders: Readonly<Record<string, Finder>> = {
  azurerm_resource_group: ({ api, planned }) =>
    Promise.resolve({ id: resourceGroupId(api.identity.subscriptionId, mustText(planned, 'name')) }),
  azurerm_log_analytics_workspace: byName('Microsoft.OperationalInsights/workspaces'),
  azurerm_container_app_environment: byName('Microsoft.App/managedEnvironments'),
  azurerm_container_app: byName('Microsoft.App/containerApps'),
  azurerm_user_assigned_identity: byName('Microsoft.ManagedIdentity/userAssignedIdentities'),
};
