import { computed, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azapi_client_config. */
export const clientConfigData: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    object_id: computed('string'),
    subscription_id: computed('string'),
    subscription_resource_id: computed('string'),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
