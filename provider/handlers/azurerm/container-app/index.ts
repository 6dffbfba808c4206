import type { ContainerAppProperties, Resource, ResourceBody } from '../../../../clients/resource-manager/index.js';
import { resourceId } from '../../../../clients/resource-manager/index.js';
import type { Reported } from '../../../planner/settle.js';
import { normalizeLocation } from '../../../schemas/spelling.js';
import type { ValueMap } from '../../../values/value.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../../handler.js';
import type { Raw } from '../../read-values.js';
import { defined, given, mustText, number, object, oneBlock, text, textMap } from '../../read-values.js';
import { idForms, importById, placeOf, refuseExisting } from '../existing.js';
import { expandIdentity, flattenIdentity } from '../managed-identity.js';
import { expandIngress, flattenIngress } from './ingress.js';
import { planContainerApp } from './plan.js';
import { expandRegistries, expandSecrets, flattenRegistries, flattenSecrets } from './secrets.js';
import { expandTemplate, flattenTemplate } from './template.js';

type App = Resource<ContainerAppProperties>;
const type = 'Microsoft.App/containerApps';

/** The resource azurerm_container_app. */
export const containerApp: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const id = resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name'));
    refuseExisting(await api.resourceManager.containerApps.find(id, { signal }), id, 'azurerm_container_app');
    const environment = await api.resourceManager.managedEnvironments.get(mustText(planned, 'container_app_environment_id'), { signal });
    const body = expand(planned, undefined, { location: environment.location ?? '' });
    return toState(await api.resourceManager.containerApps.createOrUpdate(id, body, { signal }), id, context);
  },
  async read({ state, ...context }) {
    const id = mustText(state, 'id');
    const found = await context.api.resourceManager.containerApps.find(id, { signal: context.signal });
    return found === undefined ? undefined : toState(found, id, context);
  },
  async update({ planned, prior, ...context }) {
    const { api, signal } = context;
    const id = mustText(prior, 'id');
    const existing = await api.resourceManager.containerApps.get(id, { signal });
    const body = expand(planned, prior, existing as unknown as Raw);
    return toState(await api.resourceManager.containerApps.createOrUpdate(id, body, { signal }), id, context);
  },
  delete: ({ api, state, signal }) => api.resourceManager.containerApps.delete(mustText(state, 'id'), { signal }),
  import: importById(idForms.containerApp),
  plan: ({ change }) => planContainerApp(change),
};

/** The data source azurerm_container_app. */
export const containerAppData: DataSourceHandler = async ({ config, ...context }) => {
  const { api, signal } = context;
  const id = resourceId(api.identity.subscriptionId, mustText(config, 'resource_group_name'), type, mustText(config, 'name'));
  const read = await toState(await api.resourceManager.containerApps.get(id, { signal }), id, context);
  return config['read_secrets'] === false ? { ...read, secret: [] } : read;
};

function expand(planned: ValueMap, prior: ValueMap | undefined, existing: Raw): ResourceBody {
  const name = mustText(planned, 'name');
  const dapr = oneBlock(planned, 'dapr');
  const existingIngress = object(object(object(existing, 'properties'), 'configuration'), 'ingress');
  return {
    location: String(existing['location'] ?? ''),
    tags: textMap(planned, 'tags'),
    identity: expandIdentity(planned),
    properties: {
      managedEnvironmentId: mustText(planned, 'container_app_environment_id'),
      workloadProfileName: text(planned, 'workload_profile_name') ?? '',
      configuration: defined({
        activeRevisionsMode: mustText(planned, 'revision_mode'),
        dapr:
          dapr === undefined
            ? undefined
            : defined({
                enabled: true,
                appId: mustText(dapr, 'app_id'),
                appPort: number(dapr, 'app_port'),
                appProtocol: text(dapr, 'app_protocol') ?? 'http',
              }),
        ingress: expandIngress(planned, name, existingIngress),
        maxInactiveRevisions: number(planned, 'max_inactive_revisions') ?? 0,
        registries: expandRegistries(planned),
        secrets: expandSecrets(planned),
      }),
      template: expandTemplate(planned, prior),
    },
  };
}

async function toState({ location, tags, identity, properties }: App, id: string, { api, signal }: Context): Promise<Reported> {
  const { name, resourceGroup } = placeOf(id);
  const configuration = object(properties, 'configuration');
  const dapr = object(configuration, 'dapr');
  return {
    id,
    name,
    resource_group_name: resourceGroup,
    location: normalizeLocation(location ?? ''),
    tags: tags ?? {},
    identity: flattenIdentity(identity),
    container_app_environment_id: given(properties, 'managedEnvironmentId') ?? given(properties, 'environmentId'),
    workload_profile_name: given(properties, 'workloadProfileName'),
    revision_mode: given(configuration, 'activeRevisionsMode'),
    max_inactive_revisions: given(configuration, 'maxInactiveRevisions'),
    dapr:
      dapr['enabled'] === true
        ? [{ app_id: given(dapr, 'appId'), app_port: given(dapr, 'appPort'), app_protocol: given(dapr, 'appProtocol') ?? 'http' }]
        : [],
    ingress: flattenIngress(configuration, name),
    registry: flattenRegistries(configuration),
    secret: flattenSecrets(await api.resourceManager.containerApps.listSecrets(id, { signal })),
    template: flattenTemplate(object(properties, 'template')),
    latest_revision_name: given(properties, 'latestRevisionName'),
    latest_revision_fqdn: given(properties, 'latestRevisionFqdn'),
    outbound_ip_addresses: given(properties, 'outboundIpAddresses') ?? [],
    custom_domain_verification_id: given(properties, 'customDomainVerificationId'),
  };
}
