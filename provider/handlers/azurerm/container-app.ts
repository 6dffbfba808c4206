import type { ContainerAppProperties, Resource } from '../../../clients/resource-manager/index.js';
import { containerApp as containerAppKind } from '../../../kinds/container-app/container-app.js';
import { ingress } from '../../../kinds/container-app/ingress.js';
import type { PlannedChange } from '../../planner/plan.js';
import { isUnknown, type Value, type ValueMap } from '../../values/value.js';
import { ProviderFailure } from '../handler.js';
import {
  blocks,
  isTrue,
  propertyAsValue,
  textOrEmpty,
  objectProperty,
  oneBlock,
  optionalText,
  textMap,
} from '../read-values.js';
import { templateFields } from './container-app-template.js';
import { describedFields, expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import { expandIdentity, flattenIdentity, azurermResource } from './azurerm-resource.js';

const { properties } = containerAppKind.schema;

const ingressFields: BodyFields = {
  ...describedFields(ingress().properties, {
    exposed_port: { sentDefault: 0 },
    transport: { toState: (transport) => String(transport).toLowerCase() },
    custom_domain: {
      bodyPath: 'customDomains',
      readOnly: true,
      fields: {
        name: 'name',
        certificate_binding_type: 'bindingType',
        certificate_id: 'certificateId',
      },
    },
    fqdn: { bodyPath: 'fqdn', readOnly: true, stateDefault: '' },
  }),
  ...describedFields(properties, {}, { terraform: 'ingress.0.', body: 'configuration.ingress.' }),
};

const fields = describedFields(properties, {
  container_app_environment_id: 'managedEnvironmentId',
  workload_profile_name: { sentDefault: '' },
  max_inactive_revisions: { sentDefault: 0 },
  dapr: {
    bodyPath: 'configuration.dapr',
    isSingleObject: true,
    fields: {
      app_id: 'appId',
      app_port: 'appPort',
      app_protocol: { bodyPath: 'appProtocol', sentDefault: 'http', stateDefault: 'http' },
    },
    extraConversions: { expand: () => ({ enabled: true }) },
  },
  ingress: { fields: ingressFields },
  registry: { sentDefault: undefined, extraConversions: { expand: checkRegistrySignIn } },
  secret: {
    sentDefault: undefined,
    fields: {
      name: 'name',
      value: { bodyPath: 'value', stateDefault: '' },
      identity: 'identity',
      key_vault_secret_id: 'keyVaultUrl',
    },
    // the value of a secret in a key vault is not returned
    extraConversions: {
      expand: () => ({}),
      flatten: ({ keyVaultUrl }): ValueMap =>
        keyVaultUrl ? { value: null } : { key_vault_secret_id: null },
    },
  },
  template: templateFields,
  latest_revision_name: { bodyPath: 'latestRevisionName', readOnly: true },
  latest_revision_fqdn: { bodyPath: 'latestRevisionFqdn', readOnly: true },
  outbound_ip_addresses: { bodyPath: 'outboundIpAddresses', readOnly: true, stateDefault: [] },
  custom_domain_verification_id: { bodyPath: 'customDomainVerificationId', readOnly: true },
});

/** The resource and the data source azurerm_container_app. */
export const containerApp = azurermResource({
  type: 'Microsoft.App/containerApps',
  nameInIds: 'containerAppName',
  typeName: 'azurerm_container_app',
  updateMethod: 'put',
  readsFirst: true,
  async expand(planned, { api, signal, prior, existing }) {
    const environmentId = textOrEmpty(planned, 'container_app_environment_id');
    const { location } =
      existing ?? (await api.resourceManager.managedEnvironments.get(environmentId, { signal }));
    const body = expandFields(fields, planned) as unknown as AppProperties;
    // the revision suffix is sent only if it changes: the service keeps the last one
    const priorSuffix = optionalText(oneBlock(prior, 'template'), 'revision_suffix');
    if (body.template.revisionSuffix === priorSuffix) delete body.template.revisionSuffix;
    const ingressBody = body.configuration.ingress;
    if (ingressBody !== undefined) {
      for (const traffic of ingressBody.traffic)
        if (traffic.revisionName !== undefined)
          traffic.revisionName = `${textOrEmpty(planned, 'name')}--${traffic.revisionName}`;
      // custom domains are managed elsewhere: they are kept
      const { customDomains } = objectProperty(
        objectProperty(existing?.properties, 'configuration'),
        'ingress',
      );
      if (customDomains !== undefined) ingressBody.customDomains = customDomains;
    }
    return {
      location: location ?? '',
      tags: textMap(planned, 'tags'),
      identity: expandIdentity(planned),
      properties: body,
    };
  },
  async flatten(
    { id, identity, properties: answer }: Resource<ContainerAppProperties>,
    { api, signal },
    reference,
  ) {
    const configuration = objectProperty(answer, 'configuration');
    // an argument of the data source only
    const secrets =
      reference['read_secrets'] === false
        ? []
        : await api.resourceManager.containerApps.listSecrets(id, { signal });
    const state = flattenFields(fields, {
      ...answer,
      configuration: { ...configuration, secrets },
      template: objectProperty(answer, 'template'),
    });
    return {
      ...state,
      identity: flattenIdentity(identity),
      container_app_environment_id:
        state['container_app_environment_id'] ?? propertyAsValue(answer, 'environmentId'),
      dapr: objectProperty(configuration, 'dapr')['enabled'] === true ? state['dapr'] : [],
    };
  },
  plan: ({ change }) => planContainerApp(change),
});

/** The properties of an app's request that are changed before it is sent. */
interface AppProperties {
  readonly template: { revisionSuffix?: unknown };
  readonly configuration: {
    readonly ingress?: {
      readonly traffic: readonly { revisionName?: string }[];
      customDomains?: unknown;
    };
  };
}

/**
 * The official provider's checks when it plans an app: weights without a revision, secrets without
 * a source.
 */
function planContainerApp(change: PlannedChange): void {
  const { config } = change;
  for (const [index, weight] of blocks(oneBlock(config, 'ingress'), 'traffic_weight').entries())
    if (
      !isTrue(weight, 'latest_revision') &&
      optionalText(weight, 'revision_suffix') === undefined &&
      !isAnyUnknown(weight, 'latest_revision', 'revision_suffix')
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
  if (isAnyUnknown(secret, 'value', 'key_vault_secret_id', 'identity')) return;
  const name = optionalText(secret, 'name') ?? '';
  const [hasValue, hasVaultId, hasIdentity] = ['value', 'key_vault_secret_id', 'identity'].map(
    (each) => (secret[each] ?? null) !== null,
  );
  if (hasVaultId !== hasIdentity)
    change.error(
      `secret "${name}": must supply both \`key_vault_secret_id\` and \`identity\``,
      undefined,
      'secret',
    );
  else if (hasValue === hasVaultId)
    change.error(
      `secret "${name}": must supply either \`value\`, or \`key_vault_secret_id\` and \`identity\``,
      undefined,
      'secret',
    );
}

function isAnyUnknown(values: ValueMap, ...names: readonly string[]): boolean {
  return names.some((name) => isUnknown(values[name] as Value | undefined));
}

/** The sign-in to a registry is checked at apply, as the official provider does. */
function checkRegistrySignIn(registry: ValueMap): Readonly<Record<string, unknown>> {
  const [identity, username, password] = ['identity', 'username', 'password_secret_name'].map(
    (name) => optionalText(registry, name),
  );
  const usesPassword = username !== undefined || password !== undefined;
  if (
    (identity !== undefined) === usesPassword ||
    (username === undefined) !== (password === undefined)
  )
    throw new ProviderFailure(
      'must supply either `identity` or `username` and `password_secret_name` for a registry',
      undefined,
      ['registry'],
    );
  return {};
}
