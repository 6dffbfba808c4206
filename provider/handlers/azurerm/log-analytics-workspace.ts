import type { LogWorkspaceProperties, Resource } from '../../../clients/resource-manager/index.js';
import type { PlannedChange } from '../../planner/plan.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { isUnknown } from '../../values/value.js';
import {
  optionalBoolean,
  textOrEmpty,
  objectProperty,
  optionalText,
  textMap,
} from '../read-values.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import { expandIdentity, flattenIdentity, azurermResource } from './azurerm-resource.js';

const enabledByDefault = { sentDefault: 'Enabled', stateDefault: 'Enabled' } as const;
const isFalse = (value: unknown): boolean => value === false;

const fields: BodyFields = {
  sku: { bodyPath: 'sku.name', sentDefault: 'PerGB2018' },
  reservation_capacity_in_gb_per_day: 'sku.capacityReservationLevel',
  retention_in_days: 'retentionInDays',
  daily_quota_gb: { bodyPath: 'workspaceCapping.dailyQuotaGb', sentDefault: -1, stateDefault: -1 },
  internet_ingestion_access_type: {
    bodyPath: 'publicNetworkAccessForIngestion',
    ...enabledByDefault,
  },
  internet_query_access_type: { bodyPath: 'publicNetworkAccessForQuery', ...enabledByDefault },
  cmk_for_query_forced: 'forceCmkForQuery',
  data_collection_rule_id: 'defaultDataCollectionRuleResourceId',
  local_authentication_enabled: {
    bodyPath: 'features.disableLocalAuth',
    sentDefault: false,
    stateDefault: true,
    toBody: isFalse,
    toState: isFalse,
  },
  allow_resource_only_permissions: {
    bodyPath: 'features.enableLogAccessUsingOnlyResourcePermissions',
    sentDefault: true,
    stateDefault: true,
  },
  immediate_data_purge_on_30_days_enabled: {
    bodyPath: 'features.immediatePurgeDataOn30Days',
    sentDefault: false,
    stateDefault: false,
  },
  workspace_id: { bodyPath: 'customerId', readOnly: true },
};

/** The resource and the data source azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspace = azurermResource({
  type: 'Microsoft.OperationalInsights/workspaces',
  nameInIds: 'workspaceName',
  typeName: 'azurerm_log_analytics_workspace',
  updateMethod: 'put',
  expand(planned) {
    const identity = expandIdentity(planned);
    return {
      location: normalizeLocation(textOrEmpty(planned, 'location')),
      tags: textMap(planned, 'tags'),
      ...(identity.type !== 'None' && { identity }),
      properties: expandFields(fields, planned),
    };
  },
  async flatten({ id, identity, properties }: Resource<LogWorkspaceProperties>, { api, signal }) {
    const keys = await api.resourceManager.logWorkspaces.sharedKeys(id, { signal });
    return {
      ...flattenFields(fields, properties),
      identity: flattenIdentity(identity),
      internet_ingestion_enabled: properties?.['publicNetworkAccessForIngestion'] !== 'Disabled',
      internet_query_enabled: properties?.['publicNetworkAccessForQuery'] !== 'Disabled',
      local_authentication_disabled:
        objectProperty(properties, 'features')['disableLocalAuth'] === true,
      primary_shared_key: keys.primarySharedKey,
      secondary_shared_key: keys.secondarySharedKey,
    };
  },
  plan: ({ change }) => {
    planOlderArguments(change);
    planSku(change);
  },
});

/**
 * Arguments that only version 4 of the official provider has are other names of the same values:
 * the configured one sets the other.
 */
function planOlderArguments(change: PlannedChange): void {
  const { config } = change;
  const accessArguments = [
    ['internet_ingestion_enabled', 'internet_ingestion_access_type'],
    ['internet_query_enabled', 'internet_query_access_type'],
  ] as const;
  for (const [older, newer] of accessArguments) {
    const olderValue = optionalBoolean(config, older);
    if (olderValue !== undefined && (config[newer] ?? null) === null)
      change.set(newer, olderValue ? 'Enabled' : 'Disabled');
    else if (!isUnknown(change.planned[newer]))
      change.set(older, change.planned[newer] === 'Enabled');
  }
  const disabled = optionalBoolean(config, 'local_authentication_disabled');
  if (disabled !== undefined && (config['local_authentication_enabled'] ?? null) === null)
    change.set('local_authentication_enabled', !disabled);
  else if (!isUnknown(change.planned['local_authentication_enabled']))
    change.set(
      'local_authentication_disabled',
      change.planned['local_authentication_enabled'] === false,
    );
}

/** Requires a replacement for a change of the tier, except between the two that allow it. */
function planSku(change: PlannedChange): void {
  const [before, after] = [
    change.prior === undefined ? undefined : optionalText(change.prior, 'sku'),
    optionalText(change.planned, 'sku'),
  ];
  if (before === undefined || before === 'LACluster' || after === undefined || before === after)
    return;
  const tiersChangedInPlace = ['PerGB2018', 'CapacityReservation'];
  if (!tiersChangedInPlace.includes(before) || !tiersChangedInPlace.includes(after))
    change.requireReplacement('sku');
}
