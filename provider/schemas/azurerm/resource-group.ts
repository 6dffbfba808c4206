import { optional, optionalComputed, required, timeoutsBlock, dataOf } from '../build.js';
import { resourceGroupName } from './names.js';
import { location } from './shared.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azurerm_resource_group. */
export const resourceGroup: ResourceSchema = {
  version: 0,
  attributes: {
    id: optionalComputed('string'),
    location,
    managed_by: optional('string'),
    name: required('string', { forceNew: true, checks: [resourceGroupName] }),
    tags: optional(['map', 'string']),
  },
  blocks: { ...timeoutsBlock() },
};

/** The data source azurerm_resource_group. */
export const resourceGroupData = dataOf(resourceGroup, { name: required('string') });
