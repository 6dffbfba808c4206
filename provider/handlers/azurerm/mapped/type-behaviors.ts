import { valueAtPath } from '../../../../kinds/schema/path-steps.js';
import type { ValueMap } from '../../../values/value.js';
import { type Context, ProviderFailure } from '../../handler.js';
import { objectListProperty, oneBlock, optionalText } from '../../read-values.js';
import { apiVersionOf } from './api-versions.js';
import type { Body } from './body.js';
import type { TypeBehavior } from './mapped-resource.js';

const roleDefinitionType = 'Microsoft.Authorization/roleDefinitions';

/** Role assignments name their role or its id; the service knows the id alone. */
const roleAssignment: TypeBehavior = {
  async changeBody(body, { values, ...context }) {
    const name = optionalText(values, 'role_definition_name');
    const properties = body['properties'] as Body;
    if (name === undefined || properties['roleDefinitionId'] !== undefined) return body;
    const id = await findRoleId(optionalText(values, 'scope') ?? '', name, context);
    return { ...body, properties: { ...properties, roleDefinitionId: id } };
  },
  async readExtraAttributes({ properties }, { api, signal }) {
    const id = String(properties?.['roleDefinitionId']);
    const version = apiVersionOf(roleDefinitionType);
    const role = await api.resourceManager.resources.find(id, version, { signal });
    return { role_definition_name: (role?.properties?.['roleName'] as string | undefined) ?? '' };
  },
};

async function findRoleId(scope: string, name: string, { api, signal }: Context): Promise<string> {
  const filter = `roleName eq '${name.replaceAll("'", "''")}'`;
  const roles = api.resourceManager.resources.list(
    `${scope}/providers/${roleDefinitionType}`,
    apiVersionOf(roleDefinitionType),
    { signal, query: { $filter: filter } },
  );
  for await (const role of roles) return role.id;
  throw new ProviderFailure(`loading Role Definition List: could not find role '${name}'`);
}

const connectionLists = [
  ['privateLinkServiceConnections', false],
  ['manualPrivateLinkServiceConnections', true],
] as const;

/** The one connection of an endpoint is in one of two lists: the other waits for an approval. */
const privateEndpoint: TypeBehavior = {
  changeBody(body) {
    const { connection, ...properties } = body['properties'] as Body;
    const { manual = false, ...connectionBody } = connection as Body;
    const lists = connectionLists.map(([list, isManual]) => [
      list,
      manual === isManual ? [connectionBody] : [],
    ]);
    return { ...body, properties: { ...properties, ...Object.fromEntries(lists) } };
  },
  changeAnswer({ properties, ...answer }) {
    const privateIPAddress =
      valueAtPath(properties, ['customDnsConfigs', 0, 'ipAddresses', 0]) ?? '';
    const [connection] = connectionLists.flatMap(([list, manual]) =>
      objectListProperty(properties, list).map((each) => ({ ...each, manual, privateIPAddress })),
    );
    return { ...answer, properties: { ...properties, connection } };
  },
};

/**
 * A new vault recovers the deleted one of its name, as the official provider does unless its
 * features forbid it: then the service refuses the name.
 */
const keyVault: TypeBehavior = {
  async changeBody(body, { values, api, providerConfig, signal }) {
    const features = oneBlock(oneBlock(providerConfig, 'features'), 'key_vault');
    const isNew = optionalText(values, 'id') === undefined;
    if (!isNew || features?.['recover_soft_deleted_key_vaults'] === false) return body;
    const deletedVaults = api.resourceManager.resources.list(
      `/subscriptions/${api.identity.subscriptionId}/providers/Microsoft.KeyVault/deletedVaults`,
      apiVersionOf('Microsoft.KeyVault/vaults'),
      { signal },
    );
    const name = optionalText(values, 'name')?.toLowerCase();
    for await (const vault of deletedVaults)
      if (vault.name.toLowerCase() === name)
        return { ...body, properties: { ...(body['properties'] as Body), createMode: 'recover' } };
    return body;
  },
};

/** The id of a secret is its address in the vault, which does not say where the vault is. */
const keyVaultSecret: TypeBehavior = {
  import(id) {
    const [, name, version] =
      /^https:\/\/[^/]+\/(?:.+\/)?secrets\/([^/]+)\/([^/]+)$/.exec(id) ?? [];
    if (name === undefined || version === undefined)
      throw new ProviderFailure(
        'parsing the ID of the resource to import',
        `Expected the form https://{vault}/secrets/{name}/{version}, got ${id}.`,
      );
    return { id, name, version };
  },
  async completeImport(state, { api, signal }): Promise<ValueMap> {
    if (optionalText(state, 'key_vault_id') !== undefined) return {};
    const vaults = api.resourceManager.resources.list(
      `/subscriptions/${api.identity.subscriptionId}/providers/Microsoft.KeyVault/vaults`,
      apiVersionOf('Microsoft.KeyVault/vaults'),
      { signal },
    );
    for await (const { id, properties } of vaults) {
      const uri = properties?.['vaultUri'];
      if (typeof uri === 'string' && optionalText(state, 'id')?.startsWith(uri) === true)
        return { key_vault_id: id };
    }
    throw new ProviderFailure(
      `no vault of the subscription has the secret ${optionalText(state, 'id')}`,
    );
  },
};

/** What types do that their data cannot say. */
export const typeBehaviors: Readonly<Record<string, TypeBehavior>> = {
  azurerm_role_assignment: roleAssignment,
  azurerm_private_endpoint: privateEndpoint,
  azurerm_key_vault: keyVault,
  azurerm_key_vault_secret: keyVaultSecret,
};
