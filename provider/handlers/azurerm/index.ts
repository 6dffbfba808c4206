import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import {
  mappedDataSources,
  type MappedType,
  mappedTypes,
} from '../../schemas/azurerm/mapped-types.js';
import { containerAppEnvironment } from './container-app-environment.js';
import { containerAppCustomDomain } from './container-app-custom-domain.js';
import { containerApp } from './container-app.js';
import { logAnalyticsWorkspace } from './log-analytics-workspace.js';
import { typeBehaviors } from './mapped/type-behaviors.js';
import { mappedResource } from './mapped/mapped-resource.js';
import { resourceGroup, resourceGroupData } from './resource-group.js';
import { userAssignedIdentity } from './user-assigned-identity.js';

/** The handlers of the resource types that tables of attributes describe. */
const mappedResources = Object.entries(mappedTypes).map(
  ([name, type]) => [name, mappedResource(name, type, typeBehaviors[name]).resource] as const,
);

/** The handlers of data sources of those types, which may have additional attributes. */
const mappedDataHandlers = Object.entries(mappedDataSources).map(
  ([name, { dataOf, attributes }]) => {
    const type = mappedTypes[dataOf] as MappedType;
    const dataType = { ...type, attributes: { ...type.attributes, ...attributes } };
    return [name, mappedResource(name, dataType, typeBehaviors[dataOf]).data] as const;
  },
);

/** The resource types of azurerm that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = {
  azurerm_resource_group: resourceGroup,
  azurerm_log_analytics_workspace: logAnalyticsWorkspace.resource,
  azurerm_container_app_environment: containerAppEnvironment.resource,
  azurerm_container_app: containerApp.resource,
  azurerm_container_app_custom_domain: containerAppCustomDomain,
  azurerm_user_assigned_identity: userAssignedIdentity.resource,
  ...Object.fromEntries(mappedResources),
};

/** The data source azurerm_client_config: the caller, without a request. */
const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId, subscriptionId } = identity;
  const id = Buffer.from(
    `clientConfigs/clientId=${clientId};objectId=${objectId};subscriptionId=${subscriptionId};tenantId=${tenantId}`,
  ).toString('base64');
  return {
    id,
    client_id: clientId,
    object_id: objectId,
    tenant_id: tenantId,
    subscription_id: subscriptionId,
  };
};

/** The data sources of azurerm that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azurerm_client_config: clientConfigData,
  azurerm_resource_group: resourceGroupData,
  azurerm_log_analytics_workspace: logAnalyticsWorkspace.data,
  azurerm_container_app_environment: containerAppEnvironment.data,
  azurerm_container_app: containerApp.data,
  azurerm_user_assigned_identity: userAssignedIdentity.data,
  ...Object.fromEntries(mappedDataHandlers),
};
