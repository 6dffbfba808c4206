import { computed, optionalComputed, required, timeoutsBlock } from '../../build.js';
import { resourceType } from '../names.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azapi_resource_id. */
export const resourceIdData: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    name: optionalComputed('string'),
    parent_id: optionalComputed('string'),
    parts: computed(['map', 'string']),
    provider_namespace: computed('string'),
    resource_group_name: computed('string'),
    resource_id: optionalComputed('string'),
    subscription_id: computed('string'),
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};
