import { type ManagedEnvironmentProperties, type Resource, resourceId } from '../../../clients/resource-manager/index.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { Reported } from '../../planner/settle.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { isUnknown, type ValueMap } from '../../values/value.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../handler.js';
import { blocks, defined, flag, given, mustText, number, object, objects, text, textMap } from '../read-values.js';
import { idForms, importById, placeOf, refuseExisting } from './existing.js';
import { expandIdentity, flattenIdentity } from './managed-identity.js';

const type = 'Microsoft.App/managedEnvironments';

/** The resource azurerm_container_app_environment. */
export const containerAppEnvironment: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const id = resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name'));
    refuseExisting(await api.resourceManager.managedEnvironments.find(id, { signal }), id, 'azurerm_container_app_environment');
    const made = await api.resourceManager.managedEnvironments.createOrUpdate(id, await expand(planned, context), { signal });
    return toState(made, id, context, text(planned, 'log_analytics_workspace_id'));
  },
  async read({ state, ...context }) {
    const id = mustText(state, 'id');
    const found = await context.api.resourceManager.managedEnvironments.find(id, { signal: context.signal });
    return found === undefined ? undefined : toState(found, id, context, text(state, 'log_analytics_workspace_id'));
  },
  async update({ planned, prior, ...context }) {
    const id = mustText(prior, 'id');
    const made = await context.api.resourceManager.managedEnvironments.update(id, await expand(planned, context), {
      signal: context.signal,
    });
    return toState(made, id, context, text(planned, 'log_analytics_workspace_id'));
  },
  delete: ({ api, state, signal }) => api.resourceManager.managedEnvironments.delete(mustText(state, 'id'), { signal }),
  import: importById(idForms.environment),
  plan: ({ change }) => {
    planLogs(change);
    planNetwork(change);
    planWorkloadProfiles(change);
  },
};

/** The data source azurerm_container_app_environment. */
export const containerAppEnvironmentData: DataSourceHandler = async ({ config, ...context }) => {
  const { api, signal } = context;
  const id = resourceId(api.identity.subscriptionId, mustText(config, 'resource_group_name'), type, mustText(config, 'name'));
  const {
    identity: _identity,
    workload_profile: _profiles,
    log_analytics_workspace_id: workspace,
    ...rest
  } = await toState(await api.resourceManager.managedEnvironments.get(id, { signal }), id, context, undefined);
  const names = [
    'custom_domain_verification_id',
    'default_domain',
    'docker_bridge_cidr',
    'id',
    'infrastructure_subnet_id',
    'internal_load_balancer_enabled',
    'location',
    'name',
    'platform_reserved_cidr',
    'platform_reserved_dns_ip_address',
    'public_network_access',
    'resource_group_name',
    'static_ip_address',
    'tags',
  ];
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
  return { ...kept, log_analytics_workspace_name: typeof workspace === 'string' ? placeOf(workspace).name : '' };
};

/** Logs go to a workspace exactly where one is named. */
function planLogs({ config, findings }: PlannedChange): void {
  const [destination, workspace] = [config['logs_destination'] ?? null, config['log_analytics_workspace_id'] ?? null];
  if (isUnknown(destination) || isUnknown(workspace)) return;
  const fail = (summary: string): void => void findings.push({ severity: 'error', summary, path: ['logs_destination'] });
  if (destination === 'log-analytics' && workspace === null)
    fail('`log_analytics_workspace_id` must be set when `logs_destination` is set to `log-analytics`');
  if (destination !== 'log-analytics' && workspace !== null)
    fail('`log_analytics_workspace_id` can only be set when `logs_destination` is set to `log-analytics`');
}

function planNetwork(change: PlannedChange): void {
  if (flag(change.config, 'internal_load_balancer_enabled') && change.config['public_network_access'] === 'Enabled')
    change.error(
      '`public_network_access` can not be `Enabled` when `internal_load_balancer_enabled` is `true`',
      undefined,
      'public_network_access',
    );
}

/** An environment with workload profiles is of another kind than one without. */
function planWorkloadProfiles(change: PlannedChange): void {
  if (change.prior === undefined) return;
  const count = (state: ValueMap): number => blocks(state, 'workload_profile').filter((each) => each['name'] !== 'Consumption').length;
  const [before, after] = [blocks(change.prior, 'workload_profile').length, blocks(change.planned, 'workload_profile').length];
  if ((before === 0) === (after === 0)) return;
  if (after === 0 && count(change.prior) === 0)
    change.set('workload_profile', change.prior['workload_profile'] ?? []); // the service adds Consumption by itself
  else change.replaceBecauseOf('workload_profile');
}

async function expand(planned: ValueMap, { api, signal }: Context): Promise<Readonly<Record<string, unknown>>> {
  const destination = text(planned, 'logs_destination') ?? '';
  const workspaceId = text(planned, 'log_analytics_workspace_id');
  let logAnalyticsConfiguration: Readonly<Record<string, unknown>> | null = null;
  if (workspaceId !== undefined) {
    const workspace = await api.resourceManager.logWorkspaces.get(workspaceId, { signal });
    const keys = await api.resourceManager.logWorkspaces.sharedKeys(workspaceId, { signal });
    logAnalyticsConfiguration = { customerId: workspace.properties?.customerId, sharedKey: keys.primarySharedKey };
  }
  const mutualTls = flag(planned, 'mutual_tls_enabled');
  const profiles = blocks(planned, 'workload_profile');
  return {
    location: normalizeLocation(mustText(planned, 'location')),
    tags: textMap(planned, 'tags'),
    identity: expandIdentity(planned),
    properties: defined({
      appLogsConfiguration: { destination, logAnalyticsConfiguration },
      daprAIConnectionString: text(planned, 'dapr_application_insights_connection_string'),
      infrastructureResourceGroup: text(planned, 'infrastructure_resource_group_name'),
      peerAuthentication: { mtls: { enabled: mutualTls } },
      peerTrafficConfiguration: { encryption: { enabled: mutualTls } },
      publicNetworkAccess: text(planned, 'public_network_access'),
      vnetConfiguration: defined({
        infrastructureSubnetId: text(planned, 'infrastructure_subnet_id'),
        internal: flag(planned, 'internal_load_balancer_enabled') || undefined,
      }),
      workloadProfiles: profiles.length === 0 ? undefined : profiles.map(expandProfile),
      zoneRedundant: flag(planned, 'zone_redundancy_enabled'),
    }),
  };
}

function expandProfile(profile: ValueMap): Readonly<Record<string, unknown>> {
  const isConsumption = text(profile, 'workload_profile_type') === 'Consumption';
  const counts = isConsumption
    ? {}
    : { minimumCount: number(profile, 'minimum_count') ?? 0, maximumCount: number(profile, 'maximum_count') ?? 0 };
  return { name: mustText(profile, 'name'), workloadProfileType: mustText(profile, 'workload_profile_type'), ...counts };
}

async function toState(
  { location, tags, identity, properties }: Resource<ManagedEnvironmentProperties>,
  id: string,
  context: Context,
  workspaceId: string | undefined,
): Promise<Reported> {
  const { name, resourceGroup } = placeOf(id);
  const network = object(properties, 'vnetConfiguration');
  const logs = object(properties, 'appLogsConfiguration');
  const customerId = object(logs, 'logAnalyticsConfiguration')['customerId'];
  return {
    id,
    name,
    resource_group_name: resourceGroup,
    location: normalizeLocation(location ?? ''),
    tags: tags ?? {},
    identity: flattenIdentity(identity),
    logs_destination: given(logs, 'destination') ?? '',
    log_analytics_workspace_id: typeof customerId === 'string' ? await workspaceOf(customerId, workspaceId, context) : null,
    infrastructure_resource_group_name: given(properties, 'infrastructureResourceGroup'),
    infrastructure_subnet_id: given(network, 'infrastructureSubnetId'),
    internal_load_balancer_enabled: network['internal'] === true,
    zone_redundancy_enabled: properties?.['zoneRedundant'] === true,
    mutual_tls_enabled: object(object(properties, 'peerAuthentication'), 'mtls')['enabled'] === true,
    public_network_access: given(properties, 'publicNetworkAccess') ?? (network['internal'] === true ? 'Disabled' : 'Enabled'),
    workload_profile: objects(properties, 'workloadProfiles').map((each) => ({
      name: given(each, 'name'),
      workload_profile_type: given(each, 'workloadProfileType'),
      minimum_count: given(each, 'minimumCount'),
      maximum_count: given(each, 'maximumCount'),
    })),
    custom_domain_verification_id: given(object(properties, 'customDomainConfiguration'), 'customDomainVerificationId'),
    default_domain: given(properties, 'defaultDomain'),
    static_ip_address: given(properties, 'staticIp'),
    docker_bridge_cidr: given(network, 'dockerBridgeCidr') ?? '',
    platform_reserved_cidr: given(network, 'platformReservedCidr') ?? '',
    platform_reserved_dns_ip_address: given(network, 'platformReservedDnsIP') ?? '',
  };
}

/** The workspace with a customer id: the one that the state knows, if it still is, else the one that a listing shows. */
async function workspaceOf(customerId: string, known: string | undefined, { api, signal }: Context): Promise<string | null> {
  const { logWorkspaces } = api.resourceManager;
  if (known !== undefined && (await logWorkspaces.find(known, { signal }))?.properties?.customerId === customerId) return known;
  for await (const each of logWorkspaces.list(`/subscriptions/${api.identity.subscriptionId}`, { signal }))
    if (each.properties?.customerId === customerId) return each.id;
  return null;
}
