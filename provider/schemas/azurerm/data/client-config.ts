import { computed, optionalComputed, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_client_config. */
export const clientConfigData: ResourceSchema = {
  version: 0,
  attributes: {
    client_id: computed('string'),
    id: optionalComputed('string'),
    object_id: computed('string'),
    subscription_id: computed('string'),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
