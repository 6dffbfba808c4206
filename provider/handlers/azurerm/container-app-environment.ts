import type {
  ManagedEnvironmentProperties,
  Resource,
} from '../../../clients/resource-manager/index.js';
import type { PlannedChange } from '../../planner/plan.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { isUnknown, type ValueMap } from '../../values/value.js';
import type { Context } from '../handler.js';
import {
  blocks,
  isTrue,
  textOrEmpty,
  objectProperty,
  optionalText,
  textMap,
} from '../read-values.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import {
  expandIdentity,
  flattenIdentity,
  azurermResource,
  nameAndResourceGroup,
} from './azurerm-resource.js';

const falseIfUnset = { sentDefault: false, stateDefault: false } as const;
const computedSetting = { readOnly: true, stateDefault: '' } as const;

const fields: BodyFields = {
  logs_destination: {
    bodyPath: 'appLogsConfiguration.destination',
    sentDefault: '',
    stateDefault: '',
  },
  dapr_application_insights_connection_string: 'daprAIConnectionString',
  infrastructure_resource_group_name: 'infrastructureResourceGroup',
  infrastructure_subnet_id: 'vnetConfiguration.infrastructureSubnetId',
  internal_load_balancer_enabled: {
    bodyPath: 'vnetConfiguration.internal',
    stateDefault: false,
    toBody: (internal) => internal || undefined,
  },
  zone_redundancy_enabled: { bodyPath: 'zoneRedundant', ...falseIfUnset },
  mutual_tls_enabled: { bodyPath: 'peerAuthentication.mtls.enabled', ...falseIfUnset },
  public_network_access: 'publicNetworkAccess',
  workload_profile: {
    bodyPath: 'workloadProfiles',
    fields: {
      name: 'name',
      workload_profile_type: 'workloadProfileType',
      minimum_count: { bodyPath: 'minimumCount', readOnly: true },
      maximum_count: { bodyPath: 'maximumCount', readOnly: true },
    },
    extraConversions: { expand: profileCounts },
  },
  custom_domain_verification_id: {
    bodyPath: 'customDomainConfiguration.customDomainVerificationId',
    readOnly: true,
  },
  default_domain: { bodyPath: 'defaultDomain', readOnly: true },
  static_ip_address: { bodyPath: 'staticIp', readOnly: true },
  docker_bridge_cidr: { bodyPath: 'vnetConfiguration.dockerBridgeCidr', ...computedSetting },
  platform_reserved_cidr: {
    bodyPath: 'vnetConfiguration.platformReservedCidr',
    ...computedSetting,
  },
  platform_reserved_dns_ip_address: {
    bodyPath: 'vnetConfiguration.platformReservedDnsIP',
    ...computedSetting,
  },
};

function profileCounts(profile: ValueMap): Readonly<Record<string, unknown>> {
  if (optionalText(profile, 'workload_profile_type') === 'Consumption') return {};
  return expandFields(
    {
      minimum_count: { bodyPath: 'minimumCount', sentDefault: 0 },
      maximum_count: { bodyPath: 'maximumCount', sentDefault: 0 },
    },
    profile,
  );
}

/** The resource and the data source azurerm_container_app_environment. */
export const containerAppEnvironment = azurermResource({
  type: 'Microsoft.App/managedEnvironments',
  nameInIds: 'managedEnvironmentName',
  typeName: 'azurerm_container_app_environment',
  updateMethod: 'patch',
  async expand(planned, context) {
    const { appLogsConfiguration, ...properties } = expandFields(fields, planned);
    const logs = await logConfiguration(
      optionalText(planned, 'log_analytics_workspace_id'),
      context,
    );
    return {
      location: normalizeLocation(textOrEmpty(planned, 'location')),
      tags: textMap(planned, 'tags'),
      identity: expandIdentity(planned),
      properties: {
        ...properties,
        appLogsConfiguration: {
          ...(appLogsConfiguration as object),
          logAnalyticsConfiguration: logs,
        },
        peerTrafficConfiguration: {
          encryption: { enabled: isTrue(planned, 'mutual_tls_enabled') },
        },
      },
    };
  },
  async flatten(
    { identity, properties }: Resource<ManagedEnvironmentProperties>,
    context,
    reference,
  ) {
    const state = flattenFields(fields, properties);
    // not in answers: the state keeps the planned value
    delete state['dapr_application_insights_connection_string'];
    const { customerId } = objectProperty(
      objectProperty(properties, 'appLogsConfiguration'),
      'logAnalyticsConfiguration',
    );
    const isInternal = state['internal_load_balancer_enabled'] === true;
    return {
      ...state,
      identity: flattenIdentity(identity),
      public_network_access:
        state['public_network_access'] ?? (isInternal ? 'Disabled' : 'Enabled'),
      log_analytics_workspace_id:
        typeof customerId === 'string'
          ? await findWorkspaceId(
              customerId,
              optionalText(reference, 'log_analytics_workspace_id'),
              context,
            )
          : null,
    };
  },
  plan: ({ change }) => {
    planLogs(change);
    planNetwork(change);
    planWorkloadProfiles(change);
  },
  data({ log_analytics_workspace_id: workspace, ...state }) {
    const omitted = [
      'identity',
      'workload_profile',
      'logs_destination',
      'mutual_tls_enabled',
      'zone_redundancy_enabled',
    ];
    const entries = Object.entries(state).filter(
      ([name]) => !omitted.includes(name) && name !== 'infrastructure_resource_group_name',
    );
    return {
      ...Object.fromEntries(entries),
      log_analytics_workspace_name:
        typeof workspace === 'string' ? nameAndResourceGroup(workspace).name : '',
    };
  },
});

/** Refuses `log-analytics` without a workspace, and a workspace with any other destination. */
function planLogs({ config, diagnostics }: PlannedChange): void {
  const [destination, workspace] = [
    config['logs_destination'] ?? null,
    config['log_analytics_workspace_id'] ?? null,
  ];
  if (isUnknown(destination)) return;
  const fail = (summary: string): void =>
    void diagnostics.push({ severity: 'error', summary, path: ['logs_destination'] });
  // a workspace that is known only after apply is not null: it counts as one
  if (destination === 'log-analytics' && workspace === null)
    fail(
      '`log_analytics_workspace_id` must be set when `logs_destination` is set to `log-analytics`',
    );
  if (destination !== 'log-analytics' && workspace !== null)
    fail(
      '`log_analytics_workspace_id` can only be set when `logs_destination` is set to `log-analytics`',
    );
}

function planNetwork(change: PlannedChange): void {
  if (
    isTrue(change.config, 'internal_load_balancer_enabled') &&
    change.config['public_network_access'] === 'Enabled'
  )
    change.error(
      '`public_network_access` can not be `Enabled` when `internal_load_balancer_enabled` is `true`',
      undefined,
      'public_network_access',
    );
}

/** Requires a replacement when an environment gets its first workload profile, or loses the last. */
function planWorkloadProfiles(change: PlannedChange): void {
  if (change.prior === undefined) return;
  const dedicatedProfileCount = (state: ValueMap): number =>
    blocks(state, 'workload_profile').filter((each) => each['name'] !== 'Consumption').length;
  const [priorCount, plannedCount] = [
    blocks(change.prior, 'workload_profile').length,
    blocks(change.planned, 'workload_profile').length,
  ];
  if ((priorCount === 0) === (plannedCount === 0)) return;
  if (plannedCount === 0 && dedicatedProfileCount(change.prior) === 0)
    // The service adds Consumption itself
    change.set('workload_profile', change.prior['workload_profile'] ?? []);
  else change.requireReplacement('workload_profile');
}

/** The settings for writing to a log workspace; null without one. */
async function logConfiguration(
  workspaceId: string | undefined,
  { api, signal }: Context,
): Promise<object | null> {
  if (workspaceId === undefined) return null;
  const { properties } = await api.resourceManager.logWorkspaces.get(workspaceId, { signal });
  const { primarySharedKey } = await api.resourceManager.logWorkspaces.sharedKeys(workspaceId, {
    signal,
  });
  return { customerId: properties?.customerId, sharedKey: primarySharedKey };
}

/**
 * The workspace with a customer id: the one in the state, if it still matches, otherwise from a
 * listing.
 */
async function findWorkspaceId(
  customerId: string,
  stateWorkspaceId: string | undefined,
  { api, signal }: Context,
): Promise<string | null> {
  const { logWorkspaces } = api.resourceManager;
  if (
    stateWorkspaceId !== undefined &&
    (await logWorkspaces.find(stateWorkspaceId, { signal }))?.properties?.customerId === customerId
  )
    return stateWorkspaceId;
  for await (const each of logWorkspaces.list(`/subscriptions/${api.identity.subscriptionId}`, {
    signal,
  }))
    if (each.properties?.customerId === customerId) return each.id;
  return null;
}
