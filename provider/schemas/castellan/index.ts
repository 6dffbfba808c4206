import type { ProviderSchema } from '../schema.js';
import { eventhouse, eventstream } from './items.js';
import { groupLifecyclePolicySchema, groupProperties, groupSettings } from './groups.js';
import { providerConfig } from './provider.js';

/** castellan/castellan: what the official providers lack. */
export const schema: ProviderSchema = {
  address: 'registry.terraform.io/castellan/castellan',
  sdk: 'framework',
  config: providerConfig,
  resources: {
    castellan_group_settings: groupSettings,
    castellan_group_lifecycle_policy: groupLifecyclePolicySchema,
    castellan_group_properties: groupProperties,
    castellan_eventhouse: eventhouse,
    castellan_eventstream: eventstream,
  },
  dataSources: {},
};
