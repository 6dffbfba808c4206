import { withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { clientConfigData, resourceData, resourceIdData, resourceListData } from './data.js';
import { resourceAction, resourceActionData } from './resource-action.js';
import { resource } from './resource.js';
import { updateResource } from './update-resource.js';
import { addressOf } from './resource-address.js';

/** The resource types of azapi that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azapi_resource: resource,
    azapi_update_resource: updateResource,
    azapi_resource_action: resourceAction,
  },
  // How what azapi made is found again: ids are made of parents and names
  {
    azapi_resource: ({ planned }) => Promise.resolve({ id: addressOf(planned).id }),
  },
);

/** The data sources of azapi that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azapi_resource: resourceData,
  azapi_resource_action: resourceActionData,
  azapi_resource_list: resourceListData,
  azapi_resource_id: resourceIdData,
  azapi_client_config: clientConfigData,
};
