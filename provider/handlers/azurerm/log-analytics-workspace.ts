import { type LogWorkspaceProperties, type Resource, resourceId, type SharedKeys } from '../../../clients/resource-manager/index.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { Reported } from '../../planner/settle.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { isUnknown, type ValueMap } from '../../values/value.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../handler.js';
import { defined, flag, flagIfSet, given, mustText, number, object, text, textMap } from '../read-values.js';
import { idForms, importById, placeOf, refuseExisting } from './existing.js';
import { expandIdentity, flattenIdentity } from './managed-identity.js';

const type = 'Microsoft.OperationalInsights/workspaces';

/** The resource azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspace: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const id = resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name'));
    refuseExisting(await api.resourceManager.logWorkspaces.find(id, { signal }), id, 'azurerm_log_analytics_workspace');
    return toState(await api.resourceManager.logWorkspaces.createOrUpdate(id, expand(planned), { signal }), id, context);
  },
  async read({ state, ...context }) {
    const id = mustText(state, 'id');
    const found = await context.api.resourceManager.logWorkspaces.find(id, { signal: context.signal });
    return found === undefined ? undefined : toState(found, id, context);
  },
  async update({ planned, prior, ...context }) {
    const id = mustText(prior, 'id');
    return toState(
      await context.api.resourceManager.logWorkspaces.createOrUpdate(id, expand(planned), { signal: context.signal }),
      id,
      context,
    );
  },
  delete: ({ api, state, signal }) => api.resourceManager.logWorkspaces.delete(mustText(state, 'id'), { signal }),
  import: importById(idForms.logWorkspace),
  plan: ({ change }) => {
    planOlderArguments(change);
    planSku(change);
  },
};

/** The data source azurerm_log_analytics_workspace. */
export const logAnalyticsWorkspaceData: DataSourceHandler = async ({ config, ...context }) => {
  const { api, signal } = context;
  const id = resourceId(api.identity.subscriptionId, mustText(config, 'resource_group_name'), type, mustText(config, 'name'));
  return toState(await api.resourceManager.logWorkspaces.get(id, { signal }), id, context);
};

/** Arguments that only version 4 of the official provider has say the same with other words: whichever is written sets the other. */
function planOlderArguments(change: PlannedChange): void {
  const { config } = change;
  const access = [
    ['internet_ingestion_enabled', 'internet_ingestion_access_type'],
    ['internet_query_enabled', 'internet_query_access_type'],
  ] as const;
  for (const [older, newer] of access) {
    const written = flagIfSet(config, older);
    if (written !== undefined && (config[newer] ?? null) === null) change.set(newer, written ? 'Enabled' : 'Disabled');
    else if (!isUnknown(change.planned[newer])) change.set(older, change.planned[newer] === 'Enabled');
  }
  const disabled = flagIfSet(config, 'local_authentication_disabled');
  if (disabled !== undefined && (config['local_authentication_enabled'] ?? null) === null)
    change.set('local_authentication_enabled', !disabled);
  else if (!isUnknown(change.planned['local_authentication_enabled']))
    change.set('local_authentication_disabled', change.planned['local_authentication_enabled'] === false);
}

/** Only two tiers can be exchanged in place. */
function planSku(change: PlannedChange): void {
  const [before, after] = [change.prior === undefined ? undefined : text(change.prior, 'sku'), text(change.planned, 'sku')];
  if (before === undefined || before === 'LACluster' || after === undefined || before === after) return;
  const inPlace = ['PerGB2018', 'CapacityReservation'];
  if (!inPlace.includes(before) || !inPlace.includes(after)) change.replaceBecauseOf('sku');
}

function expand(planned: ValueMap): Readonly<Record<string, unknown>> {
  const identity = expandIdentity(planned);
  return defined({
    location: normalizeLocation(mustText(planned, 'location')),
    tags: textMap(planned, 'tags'),
    identity: identity.type === 'None' ? undefined : identity,
    properties: defined({
      sku: defined({
        name: text(planned, 'sku') ?? 'PerGB2018',
        capacityReservationLevel: number(planned, 'reservation_capacity_in_gb_per_day'),
      }),
      retentionInDays: number(planned, 'retention_in_days'),
      workspaceCapping: { dailyQuotaGb: number(planned, 'daily_quota_gb') ?? -1 },
      publicNetworkAccessForIngestion: text(planned, 'internet_ingestion_access_type') ?? 'Enabled',
      publicNetworkAccessForQuery: text(planned, 'internet_query_access_type') ?? 'Enabled',
      forceCmkForQuery: flagIfSet(planned, 'cmk_for_query_forced'),
      defaultDataCollectionRuleResourceId: text(planned, 'data_collection_rule_id'),
      features: {
        disableLocalAuth: planned['local_authentication_enabled'] === false,
        enableLogAccessUsingOnlyResourcePermissions: planned['allow_resource_only_permissions'] !== false,
        immediatePurgeDataOn30Days: flag(planned, 'immediate_data_purge_on_30_days_enabled'),
      },
    }),
  });
}

async function toState(
  { location, tags, identity, properties }: Resource<LogWorkspaceProperties>,
  id: string,
  { api, signal }: Context,
): Promise<Reported> {
  const keys: SharedKeys = await api.resourceManager.logWorkspaces.sharedKeys(id, { signal });
  const { name, resourceGroup } = placeOf(id);
  const features = object(properties, 'features');
  const sku = object(properties, 'sku');
  return {
    id,
    name,
    resource_group_name: resourceGroup,
    location: normalizeLocation(location ?? ''),
    tags: tags ?? {},
    identity: flattenIdentity(identity),
    sku: given(sku, 'name'),
    reservation_capacity_in_gb_per_day: given(sku, 'capacityReservationLevel'),
    retention_in_days: given(properties, 'retentionInDays'),
    daily_quota_gb: given(object(properties, 'workspaceCapping'), 'dailyQuotaGb') ?? -1,
    internet_ingestion_access_type: given(properties, 'publicNetworkAccessForIngestion') ?? 'Enabled',
    internet_query_access_type: given(properties, 'publicNetworkAccessForQuery') ?? 'Enabled',
    internet_ingestion_enabled: properties?.['publicNetworkAccessForIngestion'] !== 'Disabled',
    internet_query_enabled: properties?.['publicNetworkAccessForQuery'] !== 'Disabled',
    local_authentication_disabled: features['disableLocalAuth'] === true,
    cmk_for_query_forced: given(properties, 'forceCmkForQuery'),
    data_collection_rule_id: given(properties, 'defaultDataCollectionRuleResourceId'),
    allow_resource_only_permissions: features['enableLogAccessUsingOnlyResourcePermissions'] !== false,
    local_authentication_enabled: features['disableLocalAuth'] !== true,
    immediate_data_purge_on_30_days_enabled: features['immediatePurgeDataOn30Days'] === true,
    workspace_id: given(properties, 'customerId'),
    primary_shared_key: keys.primarySharedKey,
    secondary_shared_key: keys.secondarySharedKey,
  };
}
