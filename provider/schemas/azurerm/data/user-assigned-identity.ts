import { computed, optionalComputed, required, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_user_assigned_identity. */
export const userAssignedIdentityData: ResourceSchema = {
  version: 0,
  attributes: {
    client_id: computed('string'),
    id: optionalComputed('string'),
    isolation_scope: computed('string'),
    location: computed('string'),
    name: required('string'),
    principal_id: computed('string'),
    resource_group_name: required('string'),
    tags: computed(['map', 'string']),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
