import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../../../constructs/testing/index.js';
import {
  configWith,
  type ControlPlane,
  startControlPlane,
  subscriptionId,
} from '../support/control-plane.js';
import { RawStack } from './azurerm-raw-stack.js';
import { landscape, landscapeData } from './azurerm-landscape.js';
import { flat } from '../support/seeded-services.js';
import { createWorkspace, type Workspace } from '../support/terraform.js';

const group = { rg: { name: 'rg-one', location: 'West Europe' } };
const inGroup = {
  resource_group_name: '${azurerm_resource_group.rg.name}',
  location: '${azurerm_resource_group.rg.location}',
};
const groupId = `/subscriptions/${subscriptionId}/resourceGroups/rg-one`;
const account = {
  ...inGroup,
  name: 'storeone',
  account_tier: 'Standard',
  account_replication_type: 'LRS',
};

const storage = {
  azurerm_resource_group: group,
  azurerm_storage_account: {
    main: {
      ...account,
      https_traffic_only_enabled: true,
      tags: { team: 'shop' },
      identity: { type: 'SystemAssigned' },
      blob_properties: {
        versioning_enabled: true,
        delete_retention_policy: { days: 14 },
        cors_rule: [
          {
            allowed_headers: ['*'],
            allowed_methods: ['GET'],
            allowed_origins: ['https://shop.example'],
            exposed_headers: ['*'],
            max_age_in_seconds: 3600,
          },
        ],
      },
      network_rules: {
        default_action: 'Deny',
        bypass: ['AzureServices', 'Logging'],
        ip_rules: ['203.0.113.7'],
      },
      custom_domain: { name: 'files.shop.example' },
    },
  },
  azurerm_storage_container: {
    byid: {
      name: 'orders',
      storage_account_id: '${azurerm_storage_account.main.id}',
      container_access_type: 'blob',
      metadata: { a: 'b' },
    },
    byname: { name: 'bills', storage_account_name: '${azurerm_storage_account.main.name}' },
  },
  azurerm_storage_queue: {
    q: { name: 'work', storage_account_name: '${azurerm_storage_account.main.name}' },
  },
  azurerm_storage_table: {
    t: { name: 'rows', storage_account_name: '${azurerm_storage_account.main.name}' },
  },
  azurerm_storage_share: {
    s: { name: 'files', storage_account_id: '${azurerm_storage_account.main.id}', quota: 50 },
  },
};

describe('types of azurerm that tables of attributes describe', () => {
  let controlPlane: ControlPlane;
  let workspace: Workspace;

  beforeEach(async () => {
    controlPlane = await startControlPlane({ services: ['resource-manager'] });
    workspace = await createWorkspace(controlPlane.env);
  });
  afterEach(async () => {
    await workspace.remove();
    await controlPlane.close();
  });

  const expectNoChanges = async (): Promise<void> => {
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  };

  test('creates, changes, imports and destroys storage', async () => {
    await workspace.write(configWith(storage));
    await workspace.succeed('init');
    const applied = await workspace.succeed('apply', '-auto-approve');
    expect(applied).toContain('7 added');
    await expectNoChanges();
    const state = await workspace.state();
    expect(state['azurerm_storage_account.main']).toMatchObject({
      id: `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone`,
      primary_blob_endpoint: 'https://storeone.blob.core.windows.net/',
      primary_blob_host: 'storeone.blob.core.windows.net',
      primary_connection_string: expect.stringMatching(
        /^DefaultEndpointsProtocol=https;AccountName=storeone;AccountKey=.{80,};EndpointSuffix=core\.windows\.net$/,
      ) as string,
      min_tls_version: 'TLS1_2',
    });
    expect(state['azurerm_storage_container.byid']?.['id']).toBe(
      `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone/blobServices/default/containers/orders`,
    );
    expect(state['azurerm_storage_container.byname']).toMatchObject({
      id: 'https://storeone.blob.core.windows.net/bills',
      resource_manager_id: `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone/blobServices/default/containers/bills`,
    });
    const storedAccount = await controlPlane.resourceManager.resources.get(
      `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone`,
      '2023-05-01',
    );
    expect(storedAccount).toMatchObject({
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      properties: {
        networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices, Logging' },
        customDomain: { name: 'files.shop.example' },
      },
    });

    const { custom_domain: _domain, ...accountWithoutDomain } =
      storage.azurerm_storage_account.main;
    const changedAccount = {
      ...accountWithoutDomain,
      account_replication_type: 'ZRS',
      tags: {},
      blob_properties: { versioning_enabled: false },
    };
    await workspace.write(
      configWith({ ...storage, azurerm_storage_account: { main: changedAccount } }),
    );
    expect(await workspace.succeed('plan')).toContain('0 to add, 1 to change, 0 to destroy');
    await workspace.succeed('apply', '-auto-approve');
    await expectNoChanges();
    const premiumAccount = { ...changedAccount, account_tier: 'Premium' };
    await workspace.write(
      configWith({ ...storage, azurerm_storage_account: { main: premiumAccount } }),
    );
    expect(await workspace.succeed('plan')).toContain('forces replacement');

    await workspace.write(
      configWith({ ...storage, azurerm_storage_account: { main: changedAccount } }),
    );
    for (const [address, id] of [
      [
        'azurerm_storage_account.main',
        `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone`,
      ],
      [
        'azurerm_storage_container.byid',
        `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone/blobServices/default/containers/orders`,
      ],
    ] as const) {
      await workspace.succeed('state', 'rm', address);
      await workspace.succeed('import', address, id);
    }
    await expectNoChanges();
    await controlPlane.resourceManager.resources.delete(
      `${groupId}/providers/Microsoft.Storage/storageAccounts/storeone/fileServices/default/shares/files`,
      '2023-05-01',
    );
    expect(await workspace.succeed('plan')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('6 destroyed');
  });

  test('keeps a resource of every type, reads it by data sources and imports it', async () => {
    const count = Object.values(landscape).flatMap((each) => Object.keys(each)).length;
    await workspace.write(configWith(landscape));
    await workspace.succeed('init');
    const applied = await workspace.succeed('apply', '-auto-approve');
    expect(applied).toContain(`${count} added`);
    expect(applied).not.toMatch(/a-(secret|sql|pg)-(value|password)/);
    await expectNoChanges();
    await workspace.write(configWith(landscape, { data: landscapeData }));
    await workspace.succeed('apply', '-auto-approve');
    await expectNoChanges();
    const state = await workspace.state();
    expect(state['data.azurerm_virtual_network.n']).toMatchObject({
      address_space: ['10.0.0.0/16'],
      subnets: ['apps'],
    });
    expect(state['azurerm_private_endpoint.e']).toMatchObject({
      network_interface: [{ name: expect.stringMatching(/^pe\.nic\.\d+$/) as string }],
      private_service_connection: [
        { private_ip_address: expect.stringMatching(/^10\.0\.0\./) as string },
      ],
    });
    expect(state['azurerm_mssql_server.s']).toMatchObject({
      fully_qualified_domain_name: 'sqlall.database.windows.net',
    });
    expect(state['azurerm_servicebus_namespace.ns']?.['default_primary_connection_string']).toMatch(
      /^Endpoint=sb:\/\/busall\.servicebus\.windows\.net\/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=.+/,
    );
    expect(state['azurerm_key_vault_secret.s']?.['id']).toMatch(
      /^https:\/\/vault-all\.vault\.azure\.net\/secrets\/password\/[0-9a-f]{32}$/,
    );

    const importWorkspace = await createWorkspace(controlPlane.env);
    try {
      const imports = Object.entries(state)
        .filter(([address]) => !address.startsWith('data.'))
        .map(([to, { id }]) => ({ to, id }));
      await importWorkspace.write(configWith(landscape, { import: imports }));
      await importWorkspace.succeed('init');
      const imported = await importWorkspace.succeed('apply', '-auto-approve');
      // the service answers no secret, so three are written once more
      expect(imported).toContain(`${count} imported, 0 added, 3 changed, 0 destroyed`);
      expect(await importWorkspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
      expect(await importWorkspace.succeed('destroy', '-auto-approve')).toContain(
        `${count} destroyed`,
      );
    } finally {
      await importWorkspace.remove();
    }
  });

  test('deploys, changes and destroys a stack of the plain bindings, type by type', async () => {
    const rawStackJson = (isChanged: boolean): object => {
      const outdir = mkdtempSync(join(tmpdir(), 'castellan-raw-'));
      try {
        return synthesized(new RawStack(new App({ outdir }), isChanged));
      } finally {
        rmSync(outdir, { recursive: true, force: true });
      }
    };
    await workspace.write(rawStackJson(false));
    await workspace.succeed('init');
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('27 added');
    await expectNoChanges();
    await workspace.write(rawStackJson(true));
    expect(await workspace.succeed('apply', '-auto-approve')).toContain(
      '0 added, 24 changed, 0 destroyed',
    );
    await expectNoChanges();
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('27 destroyed');
  });

  test('refuses at plan what the sandbox cannot keep', async () => {
    const main = { ...account, static_website: { index_document: 'index.html' } };
    await workspace.write(
      configWith({ azurerm_resource_group: group, azurerm_storage_account: { main } }),
    );
    await workspace.succeed('init');
    expect(flat(await workspace.fail('plan'))).toContain(
      'does not serve static_website of azurerm_storage_account',
    );
  });
});
