import { computed, optional, optionalComputed, required, timeoutsBlock, dataOf } from '../build.js';
import { oneOf } from '../checks.js';
import { identityName } from './names.js';
import { location, resourceGroupName } from './shared.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azurerm_user_assigned_identity. */
export const userAssignedIdentity: ResourceSchema = {
  version: 1,
  attributes: {
    client_id: computed('string'),
    id: optionalComputed('string'),
    isolation_scope: optional('string', { checks: [oneOf('None', 'Regional')] }),
    location,
    name: required('string', { forceNew: true, checks: [identityName] }),
    principal_id: computed('string'),
    resource_group_name: resourceGroupName,
    tags: optional(['map', 'string']),
    tenant_id: computed('string'),
  },
  blocks: { ...timeoutsBlock() },
};

/** The data source azurerm_user_assigned_identity. */
export const userAssignedIdentityData = dataOf(userAssignedIdentity, { name: required('string'), resource_group_name: required('string') });
