import { computed, optionalComputed, required, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_resource_group. */
export const resourceGroupData: ResourceSchema = {
  version: 0,
  attributes: {
    id: optionalComputed('string'),
    location: computed('string'),
    managed_by: computed('string'),
    name: required('string'),
    tags: computed(['map', 'string']),
  },
  blocks: { ...timeoutsBlock('read') },
};
