import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configWith, subscriptionId } from '../support/control-plane.js';
import { useSeededServices } from '../support/seeded-services.js';

/**
 * What platform teams have beside their apps, by azapi_resource: none of these types has rules of
 * its own in the sandbox.
 */
describe('azapi_resource of any type', () => {
  const seeded = useSeededServices(['resource-manager'], '{}');
  const group = `/subscriptions/${subscriptionId}/resourceGroups/rg`;
  const inGroup = { parent_id: '${azurerm_resource_group.rg.id}', location: 'westeurope' };
  const stack = (
    changes: {
      readonly sku?: string;
      readonly tags?: Readonly<Record<string, string>>;
      readonly schedule?: string;
    } = {},
  ): object => ({
    azurerm_resource_group: { rg: { name: 'rg', location: 'westeurope' } },
    azurerm_user_assigned_identity: {
      runner: {
        name: 'runner',
        location: 'westeurope',
        resource_group_name: '${azurerm_resource_group.rg.name}',
      },
    },
    azurerm_container_app_environment: {
      env: {
        name: 'env',
        location: 'westeurope',
        resource_group_name: '${azurerm_resource_group.rg.name}',
      },
    },
    azapi_resource: {
      store: {
        ...inGroup,
        type: 'Microsoft.Storage/storageAccounts@2024-01-01',
        name: 'storefrontdata',
        tags: changes.tags ?? { team: 'shop', stage: 'dev' },
        body: {
          kind: 'StorageV2',
          sku: { name: changes.sku ?? 'Standard_LRS' },
          properties: { minimumTlsVersion: 'TLS1_2' },
        },
        response_export_values: ['properties.primaryEndpoints.blob'],
      },
      container: {
        type: 'Microsoft.Storage/storageAccounts/blobServices/containers@2024-01-01',
        name: 'images',
        parent_id: '${azapi_resource.store.id}/blobServices/default',
        body: { properties: { publicAccess: 'None' } },
      },
      registry: {
        ...inGroup,
        type: 'Microsoft.ContainerRegistry/registries@2023-07-01',
        name: 'storefrontimages',
        identity: [
          { type: 'UserAssigned', identity_ids: ['${azurerm_user_assigned_identity.runner.id}'] },
        ],
        body: { sku: { name: 'Basic' }, properties: { adminUserEnabled: false } },
      },
      vault: {
        ...inGroup,
        type: 'Microsoft.KeyVault/vaults@2023-07-01',
        name: 'storefront-vault',
        body: {
          properties: {
            tenantId: '11111111-0000-4000-8000-000000000001',
            sku: { family: 'A', name: 'standard' },
            accessPolicies: [],
          },
        },
      },
      network: {
        ...inGroup,
        type: 'Microsoft.Network/virtualNetworks@2024-01-01',
        name: 'net',
        body: { properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } },
      },
      subnet: {
        type: 'Microsoft.Network/virtualNetworks/subnets@2024-01-01',
        name: 'apps',
        parent_id: '${azapi_resource.network.id}',
        body: { properties: { addressPrefix: '10.0.1.0/24' } },
      },
      job: {
        ...inGroup,
        type: 'Microsoft.App/jobs@2025-07-01',
        name: 'nightly',
        body: {
          properties: {
            environmentId: '${azurerm_container_app_environment.env.id}',
            configuration: {
              triggerType: 'Schedule',
              replicaTimeout: 600,
              scheduleTriggerConfig: { cronExpression: changes.schedule ?? '0 3 * * *' },
              secrets: [{ name: 'api-key', value: 'very-secret' }],
            },
            template: {
              containers: [
                { name: 'c', image: 'img:1', resources: { cpu: 0.25, memory: '0.5Gi' } },
              ],
            },
          },
        },
      },
      lock: {
        type: 'Microsoft.Authorization/locks@2020-05-01',
        name: 'keep',
        parent_id: '${azapi_resource.store.id}',
        body: { properties: { level: 'CanNotDelete' } },
        // A lock forbids deleting what its scope holds: Terraform has to remove it before the
        // container.
        depends_on: ['azapi_resource.container'],
      },
      watch: {
        type: 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview',
        name: 'all',
        parent_id: '${azapi_resource.vault.id}',
        body: {
          properties: {
            storageAccountId: '${azapi_resource.store.id}',
            logs: [{ categoryGroup: 'audit', enabled: true }],
          },
        },
      },
    },
  });

  test('is created, planned without changes, updated in place and destroyed', async () => {
    const output = {
      output: {
        blob: { value: '${azapi_resource.store.output.properties.primaryEndpoints.blob}' },
      },
    };
    expect(await seeded.apply(stack(), output)).toContain('12 added');
    expect(await seeded.workspace.outputs()).toEqual({
      blob: 'https://storefrontdata.blob.core.windows.net/',
    });
    const { resources } = seeded.controlPlane.resourceManager;
    const job = `${group}/providers/Microsoft.App/jobs/nightly`;
    expect(JSON.stringify(await resources.get(job, '2025-07-01'))).not.toContain('very-secret');
    expect(await resources.action(job, 'listSecrets', '2025-07-01')).toEqual({
      value: [{ name: 'api-key', value: 'very-secret' }],
    });
    const updateOutput = await seeded.apply(
      stack({ sku: 'Standard_ZRS', tags: { team: 'web' }, schedule: '0 4 * * *' }),
      output,
    );
    expect(updateOutput).toContain('0 added, 2 changed, 0 destroyed');
    expect(
      await resources.get(
        `${group}/providers/Microsoft.Storage/storageAccounts/storefrontdata`,
        '2024-01-01',
      ),
    ).toMatchObject({
      sku: { name: 'Standard_ZRS' },
      tags: { team: 'web' },
    });
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('12 destroyed');
  });

  test('has an empty map of tags where one is declared', async () => {
    const withTags = (tags: Readonly<Record<string, string>>): object => ({
      azurerm_resource_group: { rg: { name: 'rg', location: 'westeurope' } },
      azapi_resource: {
        network: {
          ...inGroup,
          type: 'Microsoft.Network/virtualNetworks@2024-01-01',
          name: 'net',
          tags,
          body: { properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } },
        },
      },
    });
    for (const tags of [{}, { team: 'shop' }, {}] as Readonly<Record<string, string>>[]) {
      await seeded.apply(withTags(tags));
      expect((await seeded.workspace.state())['azapi_resource.network']).toMatchObject({ tags });
    }
  });

  const server = (changes: object): object => ({
    azurerm_resource_group: { rg: { name: 'rg', location: 'westeurope' } },
    azapi_resource: {
      server: {
        ...inGroup,
        type: 'Microsoft.Sql/servers@2023-08-01',
        name: 'storefront-sql',
        body: { properties: { administratorLogin: 'admin' } },
        ...changes,
      },
    },
  });
  const planOf = async (resource: object): Promise<string> => {
    await seeded.workspace.write(configWith(resource));
    return (await seeded.workspace.succeed('plan')).replaceAll(/\s+/g, ' ');
  };

  test('plans a property that the service lacks, and a secret that it does not return', async () => {
    const properties = { administratorLogin: 'admin', administratorLoginPassword: 'first-secret' };
    await seeded.apply(server({ body: { properties } }));
    const changed = { ...properties, administratorLoginPassword: 'second-secret' };
    expect(await planOf(server({ body: { properties: changed } }))).toContain('1 to change');
    const added = { ...properties, minimalTlsVersion: '1.2' };
    expect(await planOf(server({ body: { properties: added } }))).toContain('1 to change');
  });

  test('has no value of a sensitive_body in its output, also after a refresh', async () => {
    const sensitive_body = {
      properties: { keys: ['very-secret'], nested: { key: 'very-secret' } },
    };
    await seeded.apply(server({ sensitive_body }));
    const storedState = (): Promise<string> =>
      readFile(join(seeded.workspace.folder, 'terraform.tfstate'), 'utf8');
    expect(await storedState()).not.toContain('very-secret');
    await seeded.workspace.succeed('apply', '-auto-approve', '-refresh-only');
    expect(await storedState()).not.toContain('very-secret');
    await seeded.apply(server({}));
    expect(await storedState()).not.toContain('very-secret');
  });

  test('removes tags and the identity that are no longer declared', async () => {
    const identity = [{ type: 'SystemAssigned' }];
    await seeded.apply(server({ tags: { team: 'shop' }, identity }));
    await seeded.apply(server({}));
    expect((await seeded.workspace.state())['azapi_resource.server']).toMatchObject({
      tags: null,
      identity: [],
    });
    expect(await seeded.workspace.succeed('plan')).toContain('No changes');
  });

  test('takes tags from its body, and exports what arguments change', async () => {
    const exported = (team: string, type: string): object =>
      server({
        body: { properties: { administratorLogin: 'admin' }, tags: { team } },
        identity: [{ type, identity_ids: [] }],
        response_export_values: ['*'],
      });
    await seeded.apply(exported('shop', 'SystemAssigned'));
    expect(await seeded.apply(exported('web', 'None'))).toContain('1 changed');
    const state = (await seeded.workspace.state())['azapi_resource.server'];
    expect(state).toMatchObject({ tags: { team: 'web' }, output: { tags: { team: 'web' } } });
  });

  test('is a resource group of the subscription without a parent', async () => {
    const groupResource = {
      azapi_resource: {
        rg: { type: 'Microsoft.Resources/resourceGroups@2024-03-01', name: 'rg', location: 'x' },
        runner: {
          ...inGroup,
          parent_id: '${azapi_resource.rg.id}',
          type: 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31',
          name: 'runner',
        },
      },
    };
    const principal = '${azapi_resource.runner.output.properties.principalId}';
    await seeded.apply(groupResource, { output: { principal: { value: principal } } });
    expect((await seeded.workspace.state())['azapi_resource.rg']).toMatchObject({
      id: group,
      output: { id: group, type: 'Microsoft.Resources/resourceGroups' },
    });
    expect(await seeded.workspace.outputs()).toEqual({
      principal: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  test('has the name, location and tags of the provider block unless it declares its own', async () => {
    const provider = {
      azurerm: { features: [{}] },
      azapi: { default_name: 'shared', default_location: 'northeurope', default_tags: { a: 'b' } },
    };
    const network = {
      type: 'Microsoft.Network/virtualNetworks@2024-01-01',
      body: { properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } },
    };
    const resources = {
      azapi_resource: {
        rg: { type: 'Microsoft.Resources/resourceGroups@2024-03-01', name: 'rg', tags: {} },
        network: { ...network, parent_id: '${azapi_resource.rg.id}' },
        subnet: {
          type: 'Microsoft.Network/virtualNetworks/subnets@2024-01-01',
          name: 'apps',
          parent_id: '${azapi_resource.network.id}',
          body: { properties: { addressPrefix: '10.0.1.0/24' } },
        },
      },
    };
    await seeded.apply(resources, { provider });
    expect(await seeded.workspace.state()).toMatchObject({
      'azapi_resource.rg': { name: 'rg', location: 'northeurope', tags: {} },
      'azapi_resource.network': { name: 'shared', location: 'northeurope', tags: { a: 'b' } },
      'azapi_resource.subnet': { location: null, tags: null },
    });
  });

  test('is found by its data source and taken up by import', async () => {
    await seeded.apply(stack());
    await seeded.workspace.succeed('state', 'rm', 'azapi_resource.network');
    await seeded.workspace.succeed(
      'import',
      'azapi_resource.network',
      `${group}/providers/Microsoft.Network/virtualNetworks/net?api-version=2024-01-01`,
    );
    expect(await seeded.workspace.succeed('plan')).not.toContain('must be replaced');
  });
});
