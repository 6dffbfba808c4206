import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import {
  clientConfigData,
  resourceData,
  resourceIdData,
  resourceListData,
} from './data-sources.js';
import { resourceAction, resourceActionData } from './resource-action.js';
import { resource } from './resource.js';
import { updateResource } from './update-resource.js';

/** The resource types of azapi that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = {
  azapi_resource: resource,
  azapi_update_resource: updateResource,
  azapi_resource_action: resourceAction,
};

/** The data sources of azapi that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azapi_resource: resourceData,
  azapi_resource_action: resourceActionData,
  azapi_resource_list: resourceListData,
  azapi_resource_id: resourceIdData,
  azapi_client_config: clientConfigData,
};
