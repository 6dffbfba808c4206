import { clientConfigData, providerConfig } from './provider.js';
import { resourceData, resourceIdData, resourceListData, resource, updateResource } from './resource.js';
import { resourceActionData, resourceAction } from './resource-action.js';
import type { ProviderSchema } from '../schema.js';

/** azure/azapi 2.12. */
export const azapiSchema: ProviderSchema = {
  address: 'registry.terraform.io/azure/azapi',
  style: 'framework',
  config: providerConfig,
  resources: { azapi_resource: resource, azapi_update_resource: updateResource, azapi_resource_action: resourceAction },
  dataSources: {
    azapi_resource: resourceData,
    azapi_resource_action: resourceActionData,
    azapi_resource_list: resourceListData,
    azapi_resource_id: resourceIdData,
    azapi_client_config: clientConfigData,
  },
};
