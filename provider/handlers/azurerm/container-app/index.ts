import {
  type ContainerAppProperties,
  type ContainerAppSecret,
  type Resource,
  type ResourceBody,
  resourceId,
} from '../../../../clients/resource-manager/index.js';
import type { Reported } from '../../../planner/settle.js';
import { normalizeLocation } from '../../../schemas/spelling.js';
import { isUnknown, type Value, type ValueMap } from '../../../values/value.js';
import { type Context, type DataSourceHandler, ProviderFailure, type ResourceHandler } from '../../handler.js';
import { blocks, defined, flag, given, mustText, number, object, objects, oneBlock, type Raw, text, textMap } from '../../read-values.js';
import { idForms, importById, placeOf, refuseExisting } from '../existing.js';
import { expandIdentity, flattenIdentity } from '../managed-identity.js';
import { expandIngress, flattenIngress } from './ingress.js';
import { expandTemplate, flattenTemplate } from './template.js';
import type { PlannedChange } from '../../../planner/plan.js';

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

/** What the official provider looks at when it plans an app: weights that point nowhere, secrets without a source. */
function planContainerApp(change: PlannedChange): void {
  const { config } = change;
  for (const [index, weight] of blocks(oneBlock(config, 'ingress'), 'traffic_weight').entries())
    if (
      !flag(weight, 'latest_revision') &&
      text(weight, 'revision_suffix') === undefined &&
      !isOpen(weight, 'latest_revision', 'revision_suffix')
    )
      change.error(
        'at least one of `latest_revision` or `revision_suffix` must be specified for `traffic_weight`',
        undefined,
        'ingress',
        0,
        'traffic_weight',
        index,
      );
  for (const secret of blocks(config, 'secret')) planSecret(secret, change);
}

function planSecret(secret: ValueMap, change: PlannedChange): void {
  if (isOpen(secret, 'value', 'key_vault_secret_id', 'identity')) return;
  const name = text(secret, 'name') ?? '';
  const [value, vault, identity] = ['value', 'key_vault_secret_id', 'identity'].map((each) => (secret[each] ?? null) !== null);
  if (vault !== identity) change.error(`secret "${name}": must supply both \`key_vault_secret_id\` and \`identity\``, undefined, 'secret');
  else if (value === vault)
    change.error(`secret "${name}": must supply either \`value\`, or \`key_vault_secret_id\` and \`identity\``, undefined, 'secret');
}

function isOpen(from: ValueMap, ...names: readonly string[]): boolean {
  return names.some((name) => isUnknown(from[name] as Value | undefined));
}

/** The secrets of an app as they are sent; undefined (the key is left out) where there are none. */
function expandSecrets(planned: ValueMap): Raw[] | undefined {
  const secrets = blocks(planned, 'secret').map((each) =>
    defined({
      name: mustText(each, 'name'),
      value: text(each, 'value'),
      identity: text(each, 'identity'),
      keyVaultUrl: text(each, 'key_vault_secret_id'),
    }),
  );
  return secrets.length === 0 ? undefined : secrets;
}

/** The `secret` blocks of what the service has; the value of one that lives in a key vault is not shown. */
function flattenSecrets(secrets: readonly ContainerAppSecret[]): Value {
  return secrets.map(({ name, value, identity, keyVaultUrl }) => {
    const isReference = (keyVaultUrl ?? '') !== '';
    return {
      name,
      value: isReference ? null : (value ?? ''),
      identity: identity ?? null,
      key_vault_secret_id: isReference ? (keyVaultUrl ?? null) : null,
    };
  });
}

/** The registries of an app as they are sent. How one signs in is looked at when the app is applied, as the official provider does. */
function expandRegistries(planned: ValueMap): Raw[] | undefined {
  const registries = blocks(planned, 'registry').map((each) => {
    const [identity, username, password] = [text(each, 'identity'), text(each, 'username'), text(each, 'password_secret_name')];
    if (
      (identity === undefined) === (username === undefined && password === undefined) ||
      (username === undefined) !== (password === undefined)
    )
      throw new ProviderFailure('must supply either `identity` or `username` and `password_secret_name` for a registry', undefined, [
        'registry',
      ]);
    return defined({ server: mustText(each, 'server'), username, passwordSecretRef: password, identity });
  });
  return registries.length === 0 ? undefined : registries;
}

/** The `registry` blocks of what the service has. */
function flattenRegistries(configuration: Raw): Value {
  return objects(configuration, 'registries').map((each) => ({
    server: given(each, 'server'),
    username: given(each, 'username'),
    password_secret_name: given(each, 'passwordSecretRef'),
    identity: given(each, 'identity'),
  }));
}
