import { computed, optional, optionalComputed, required, timeoutsBlock, dataOf } from '../build.js';
import { atLeast, oneOf } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { retentionDays, workspaceName, workspaceSkus } from './names.js';
import { identity, location, resourceGroupName } from './shared.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspace: ResourceSchema = {
  version: 3,
  attributes: {
    allow_resource_only_permissions: optional('bool', { default: true }),
    cmk_for_query_forced: optional('bool'),
    daily_quota_gb: optional('number', { default: -1, checks: [atLeast(-1)] }),
    data_collection_rule_id: optional('string'),
    id: optionalComputed('string'),
    immediate_data_purge_on_30_days_enabled: optional('bool'),
    internet_ingestion_access_type: optional('string', {
      default: 'Enabled',
      checks: [oneOf('Enabled', 'Disabled', 'SecuredByPerimeter')],
    }),
    internet_query_access_type: optional('string', { default: 'Enabled', checks: [oneOf('Enabled', 'Disabled', 'SecuredByPerimeter')] }),
    local_authentication_enabled: optional('bool', { default: true }),
    location,
    name: required('string', { forceNew: true, checks: [workspaceName] }),
    primary_shared_key: computed('string', { sensitive: true }),
    reservation_capacity_in_gb_per_day: optional('number'),
    resource_group_name: resourceGroupName,
    retention_in_days: optionalComputed('number', { checks: [retentionDays] }),
    secondary_shared_key: computed('string', { sensitive: true }),
    sku: optionalComputed('string', { checks: [oneOf(...workspaceSkus)], same: sameIgnoringCase }),
    tags: optional(['map', 'string']),
    workspace_id: computed('string'),
    internet_ingestion_enabled: optionalComputed('bool'),
    internet_query_enabled: optionalComputed('bool'),
    local_authentication_disabled: optionalComputed('bool'),
  },
  blocks: {
    identity,
    ...timeoutsBlock(),
  },
};

/** The data source azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspaceData = dataOf(
  logAnalyticsWorkspace,
  { name: required('string'), resource_group_name: required('string') },
  [
    ...['allow_resource_only_permissions', 'cmk_for_query_forced', 'data_collection_rule_id', 'immediate_data_purge_on_30_days_enabled'],
    ...['local_authentication_enabled', 'local_authentication_disabled', 'reservation_capacity_in_gb_per_day', 'identity'],
    ...['internet_ingestion_enabled', 'internet_query_enabled'],
  ],
);
