import { computed, optionalComputed, required, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspaceData: ResourceSchema = {
  version: 0,
  attributes: {
    daily_quota_gb: computed('number'),
    id: optionalComputed('string'),
    internet_ingestion_access_type: computed('string'),
    internet_query_access_type: computed('string'),
    location: computed('string'),
    name: required('string'),
    primary_shared_key: computed('string', { sensitive: true }),
    resource_group_name: required('string'),
    retention_in_days: computed('number'),
    secondary_shared_key: computed('string', { sensitive: true }),
    sku: computed('string'),
    tags: computed(['map', 'string']),
    workspace_id: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
