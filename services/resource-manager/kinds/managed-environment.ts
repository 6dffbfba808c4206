import { createHash } from 'node:crypto';
import { containerAppEnvironment } from '../../../kinds/container-app/environment.js';
import { bodyMappingsOf } from '../../../kinds/schema/mapping.js';
import { apiVersions } from '../api-versions.js';
import { checkProperties, checkResourceName } from '../property-checks.js';
import { badRequest, conflict } from '../errors.js';
import { readNumber, asObject, readObjects, omit, nonEmptyText, withoutNulls } from '../json.js';
import type { ResourceKind } from '../kind.js';
import type { Json, ResourceStore, StoredResource } from '../store.js';

const mappings = bodyMappingsOf(containerAppEnvironment.schema);

/** Properties that only the service sets; values in requests are ignored. */
const readOnlyProperties = [
  'provisioningState',
  'deploymentErrors',
  'defaultDomain',
  'staticIp',
  'eventStreamEndpoint',
  'customDomainConfiguration',
  'kedaConfiguration',
  'daprConfiguration',
];

/** Managed environments, in which apps run under one domain. */
export const managedEnvironment: ResourceKind = {
  type: 'Microsoft.App/managedEnvironments',
  apiVersions: apiVersions.containerApps,
  checkName: (name) =>
    checkResourceName(
      containerAppEnvironment.properties.name,
      name,
      'managed environment',
      'ManagedEnvironmentInvalidName',
    ),
  prepareWrite(body) {
    const properties = withoutNulls(omit(asObject(body['properties']) ?? {}, readOnlyProperties));
    checkProperties(mappings, properties, { '': 'ManagedEnvironmentInvalidProperties' });
    checkNetwork(properties);
    const logs = asObject(properties['appLogsConfiguration']);
    const analytics = asObject(logs?.['logAnalyticsConfiguration']);
    const destination = nonEmptyText(logs?.['destination']);
    if (
      destination !== undefined &&
      !['log-analytics', 'azure-monitor', 'none'].includes(destination)
    )
      throw badRequest(
        'InvalidLogDestination',
        `The log destination '${destination}' is not supported: allowed are log-analytics, azure-monitor and none.`,
      );
    if (destination === 'log-analytics' && nonEmptyText(analytics?.['customerId']) === undefined)
      throw badRequest(
        'InvalidLogAnalyticsConfiguration',
        "The log destination 'log-analytics' needs 'logAnalyticsConfiguration.customerId'.",
      );
    const sharedKey = nonEmptyText(analytics?.['sharedKey']);
    const withoutKey =
      analytics === undefined ? {} : { logAnalyticsConfiguration: omit(analytics, ['sharedKey']) };
    return {
      properties: {
        ...properties,
        ...(logs !== undefined && { appLogsConfiguration: { ...logs, ...withoutKey } }),
      },
      setByService: {},
      ...(sharedKey !== undefined && { secrets: [{ name: 'sharedKey', value: sharedKey }] }),
    };
  },
  presentProperties(resource, { platform }) {
    const { properties } = resource;
    const logs = asObject(properties['appLogsConfiguration']);
    const analytics = asObject(logs?.['logAnalyticsConfiguration']);
    return {
      publicNetworkAccess:
        asObject(properties['vnetConfiguration'])?.['internal'] === true ? 'Disabled' : 'Enabled',
      zoneRedundant: false,
      kedaConfiguration: { version: '2.17.2' },
      daprConfiguration: { version: '1.13.6' },
      ...properties,
      ...(logs !== undefined && {
        appLogsConfiguration: {
          ...logs,
          logAnalyticsConfiguration:
            analytics === undefined ? null : { ...analytics, sharedKey: null },
        },
      }),
      provisioningState: 'Succeeded',
      defaultDomain: platform.domainOf(resource),
      staticIp: '127.0.0.1',
      customDomainConfiguration: {
        customDomainVerificationId: verificationId(resource.subscription),
      },
    };
  },
  async beforeDelete(resource, { store }) {
    const appsAndJobs = await appsAndJobsIn(resource, store);
    if (appsAndJobs.length > 0)
      throw conflict(
        'ManagedEnvironmentInUse',
        `The managed environment '${resource.name}' can't be deleted: it still holds ${appsAndJobs.map(({ name }) => name).join(', ')}.`,
      );
  },
  listDependents: (resource, { store }) => appsAndJobsIn(resource, store),
};

/** The apps and jobs of an environment, which any resource group may have. */
async function appsAndJobsIn(
  { id }: StoredResource,
  store: ResourceStore,
): Promise<readonly StoredResource[]> {
  const [apps, jobs] = await Promise.all([
    store.list({ type: 'Microsoft.App/containerApps' }),
    store.list({ type: 'Microsoft.App/jobs' }),
  ]);
  return [...apps, ...jobs].filter(({ properties }) =>
    ['managedEnvironmentId', 'environmentId'].some(
      (name) => nonEmptyText(properties[name])?.toLowerCase() === id.toLowerCase(),
    ),
  );
}

/** Checks the rules that combine several properties. */
function checkNetwork(properties: Json): void {
  const network = asObject(properties['vnetConfiguration']);
  const isInternal = network?.['internal'] === true;
  const needsSubnet = isInternal || properties['zoneRedundant'] === true;
  if (needsSubnet && nonEmptyText(network?.['infrastructureSubnetId']) === undefined)
    throw badRequest(
      'ManagedEnvironmentSubnetRequired',
      `A managed environment that is ${isInternal ? 'internal' : 'zone redundant'} needs 'vnetConfiguration.infrastructureSubnetId'.`,
    );
  for (const profile of readObjects(
    properties['workloadProfiles'],
    'properties.workloadProfiles',
  )) {
    const [min, max] = ['minimumCount', 'maximumCount'].map(
      (name) => readNumber(profile[name], `properties.workloadProfiles.${name}`) ?? 0,
    ) as [number, number];
    if (min > max)
      throw badRequest(
        'ManagedEnvironmentInvalidWorkloadProfile',
        `The minimum count ${min} of the workload profile '${String(profile['name'])}' is more than its maximum count ${max}.`,
      );
  }
}

/** The TXT record that verifies a custom domain: the same for all apps of a subscription. */
export function verificationId(subscription: string): string {
  return createHash('sha256')
    .update(`domain verification of ${subscription.toLowerCase()}`)
    .digest('hex')
    .toUpperCase();
}
