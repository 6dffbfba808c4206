import {
  type Answer,
  environment,
  group,
  type Harness,
  provider,
  start,
  subscription,
  withEnvironment,
} from './support.js';

/** Types with additional requests, or secrets, that their clients expect. */
let manager: Harness;
beforeEach(async () => {
  manager = await start();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const put = (path: string, body: object): Promise<Answer> => manager.send('PUT', path, body);

test.each<[string, string, object]>([
  [
    'a certificate',
    `${environment}/certificates/cert1`,
    {
      location: 'westeurope',
      properties: { value: 'cGZ4', password: 'p4ss', certificateType: 'x' },
    },
  ],
  [
    'a storage of an environment',
    `${environment}/storages/files`,
    {
      properties: {
        azureFile: { accountName: 'a', accountKey: 'k3y', shareName: 's', accessMode: 'ReadOnly' },
      },
    },
  ],
  [
    'a federated credential',
    provider(
      'Microsoft.ManagedIdentity/userAssignedIdentities',
      'id1/federatedIdentityCredentials/f1',
    ),
    { properties: { issuer: 'https://i', subject: 's', audiences: ['a'] } },
  ],
  [
    'a table of a workspace',
    provider('Microsoft.OperationalInsights/workspaces', 'logs/tables/Mine_CL'),
    { properties: { retentionInDays: 30, schema: { name: 'Mine_CL', columns: [] } } },
  ],
])('%s is stored below its parent without its secrets', async (_, path, body) => {
  await manager.send(
    'PUT',
    provider('Microsoft.ManagedIdentity/userAssignedIdentities', 'id1'),
    { location: 'westeurope' },
    '2024-11-30',
  );
  await put(provider('Microsoft.OperationalInsights/workspaces', 'logs'), {
    location: 'westeurope',
    properties: {},
  });
  expect((await put(path, body)).status).toBeLessThan(202);
  const read = JSON.stringify((await manager.send('GET', path)).body);
  for (const secret of ['p4ss', 'k3y', 'cGZ4']) expect(read).not.toContain(secret);
  expect((await manager.send('DELETE', path)).status).toBe(200);
});

test('secrets of a job and of a Dapr component are returned by listSecrets only, and a change keeps those named without a value', async () => {
  const job = provider('Microsoft.App/jobs', 'job1');
  const secrets = [
    { name: 'api-key', value: 's3cret' },
    { name: 'other', value: 'an0ther' },
  ];
  const created = await put(job, {
    location: 'westeurope',
    properties: { environmentId: environment, configuration: { secrets, triggerType: 'Manual' } },
  });
  expect(created.body.properties.configuration).toEqual({
    secrets: [{ name: 'api-key' }, { name: 'other' }],
    triggerType: 'Manual',
  });
  expect((await manager.send('POST', `${job}/listSecrets`)).body).toEqual({ value: secrets });
  await manager.send('PATCH', job, { properties: { configuration: { replicaTimeout: 60 } } });
  expect((await manager.send('POST', `${job}/listSecrets`)).body).toEqual({ value: secrets });
  await manager.send('PATCH', job, {
    properties: {
      configuration: { secrets: [{ name: 'api-key' }, { name: 'new', value: 'n3w' }] },
    },
  });
  expect((await manager.send('POST', `${job}/listSecrets`)).body.value).toEqual([
    { name: 'api-key', value: 's3cret' },
    { name: 'new', value: 'n3w' },
  ]);
  await put(job, { location: 'westeurope', properties: {} });
  expect((await manager.send('POST', `${job}/listSecrets`)).body).toEqual({ value: [] });
  const component = `${environment}/daprComponents/state`;
  await put(component, {
    properties: { componentType: 'state.redis', secrets: [{ name: 'pw', value: 'dapr5ecret' }] },
  });
  expect(JSON.stringify((await manager.send('GET', component)).body)).not.toContain('dapr5ecret');
  expect((await manager.send('POST', `${component}/listSecrets`)).body).toEqual({
    value: [{ name: 'pw', value: 'dapr5ecret' }],
  });
});

/**
 * @claim storage-keys: Keys of a storage account come by listKeys only.
 * @source https://learn.microsoft.com/rest/api/storagerp/storage-accounts/list-keys
 * @seen azurerm
 */
test('a storage account has its endpoints, its services, and keys that only listKeys returns', async () => {
  const account = provider('Microsoft.Storage/storageAccounts', 'store1');
  const available = (): Promise<Answer> =>
    manager.send(
      'POST',
      `/subscriptions/${subscription}/providers/Microsoft.Storage/checkNameAvailability`,
      {
        name: 'store1',
        type: 'Microsoft.Storage/storageAccounts',
      },
    );
  expect((await available()).body).toEqual({ nameAvailable: true });
  const { status, body } = await put(account, {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {},
  });
  expect([status, body.kind, body.sku.name]).toEqual([200, 'StorageV2', 'Standard_LRS']);
  expect(body.properties.primaryEndpoints.blob).toBe('https://store1.blob.core.windows.net/');
  expect((await available()).body.nameAvailable).toBe(false);
  const service = `${account}/blobServices/default`;
  expect((await manager.send('GET', service)).body).toMatchObject({ id: service, name: 'default' });
  expect(
    (await put(`${service}/containers/c1`, { properties: { publicAccess: 'None' } })).status,
  ).toBe(201);
  expect((await manager.send('GET', `${service}/containers`)).body.value).toHaveLength(1);
  const { keys } = (await manager.send('POST', `${account}/listKeys`)).body;
  expect(keys).toEqual([
    { keyName: 'key1', permissions: 'FULL', value: expect.any(String) },
    { keyName: 'key2', permissions: 'FULL', value: expect.any(String) },
  ]);
  expect(JSON.stringify((await manager.send('GET', account)).body)).not.toContain(keys[0].value);
  await manager.send('PATCH', account, { properties: { allowBlobPublicAccess: false } });
  expect((await manager.send('POST', `${account}/listKeys`)).body.keys).toEqual(keys);
  const renewed = (await manager.send('POST', `${account}/regenerateKey`, { keyName: 'key1' })).body
    .keys;
  expect([renewed[0].value === keys[0].value, renewed[1].value === keys[1].value]).toEqual([
    false,
    true,
  ]);
  expect((await manager.send('POST', `${account}/regenerateKey`, { keyName: 'key9' })).status).toBe(
    400,
  );
  expect((await manager.send('POST', `${account}/sitDown`)).body.error.code).toBe(
    'InvalidResourceAction',
  );
});

test('a registry, a key vault and application insights have their addresses', async () => {
  const registry = provider('Microsoft.ContainerRegistry/registries', 'Images');
  expect(
    (await put(registry, { location: 'westeurope', sku: { name: 'Basic' }, properties: {} })).body
      .properties.loginServer,
  ).toBe('images.azurecr.io');
  expect((await manager.send('POST', `${registry}/listCredentials`)).status).toBe(400);
  await manager.send('PATCH', registry, { properties: { adminUserEnabled: true } });
  expect((await manager.send('POST', `${registry}/listCredentials`)).body).toMatchObject({
    username: 'Images',
    passwords: [{ name: 'password' }, { name: 'password2' }],
  });
  const vault = provider('Microsoft.KeyVault/vaults', 'safe');
  expect(
    (await put(vault, { location: 'westeurope', properties: { tenantId: 't' } })).body.properties
      .vaultUri,
  ).toBe('https://safe.vault.azure.net/');
  const insights = provider('Microsoft.Insights/components', 'watch');
  const { properties } = (
    await put(insights, {
      location: 'westeurope',
      kind: 'web',
      properties: { Application_Type: 'web' },
    })
  ).body;
  expect(properties.ConnectionString).toContain(properties.InstrumentationKey);
});

/**
 * @claim subnets: Subnets are part of their network and resources of their own.
 * @source https://learn.microsoft.com/azure/templates/microsoft.network/virtualnetworks
 * @seen azurerm
 */
test('subnets are parts of their network and resources of their own', async () => {
  const network = provider('Microsoft.Network/virtualNetworks', 'v1');
  const subnet = `${network}/subnets/apps`;
  const space = { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
  await put(network, {
    location: 'westeurope',
    properties: {
      ...space,
      subnets: [{ name: 'one', properties: { addressPrefix: '10.0.1.0/24' } }],
    },
  });
  expect((await put(subnet, { properties: { addressPrefix: '10.0.2.0/24' } })).status).toBe(201);
  const names = async (): Promise<string[]> =>
    ((await manager.send('GET', network)).body.properties.subnets as { name: string }[]).map(
      ({ name }) => name,
    );
  expect(await names()).toEqual(['apps', 'one']);
  await put(network, { location: 'westeurope', properties: space });
  expect(await names()).toEqual(['apps', 'one']);
  await put(network, {
    location: 'westeurope',
    properties: {
      ...space,
      subnets: [{ name: 'apps', properties: { addressPrefix: '10.0.3.0/24' } }],
    },
  });
  expect(await names()).toEqual(['apps']);
  expect((await manager.send('GET', subnet)).body.properties.addressPrefix).toBe('10.0.3.0/24');
  await manager.send('DELETE', subnet);
  expect(await names()).toEqual([]);
});

test('a template deployment is validated, kept with its literal outputs, and deleted', async () => {
  const deployment = provider('Microsoft.Resources/deployments', 'd1');
  const template = {
    resources: [],
    outputs: {
      said: { type: 'string', value: 'hello' },
      worked: { type: 'string', value: "[concat('a')]" },
    },
  };
  const body = { properties: { mode: 'Incremental', template, parameters: {} } };
  expect(
    (await manager.send('POST', `${deployment}/validate`, body)).body.properties.provisioningState,
  ).toBe('Succeeded');
  expect((await put(deployment, body)).body.properties.outputs).toEqual({
    said: { type: 'string', value: 'hello' },
  });
  expect((await manager.send('GET', `${group}/resources`)).body.value).toHaveLength(1);
  // What the official provider reads of one, and needs to clean up after it.
  expect((await manager.send('POST', `${deployment}/exportTemplate`)).body).toEqual({ template });
  expect((await manager.send('GET', deployment)).body.properties).toMatchObject({
    providers: [],
    outputResources: [],
  });
  expect((await manager.send('DELETE', deployment)).status).toBe(204);
  expect((await manager.send('GET', deployment)).status).toBe(404);
});

describe("the official provider's additional requests for common types", () => {
  test('application insights have a daily cap, read and changed at an address without a name', async () => {
    const insights = provider('Microsoft.Insights/components', 'watch');
    const billing = `${insights}/currentBillingFeatures`;
    expect((await manager.send('GET', billing)).status).toBe(404);
    expect(
      (
        await put(insights, {
          location: 'westeurope',
          kind: 'web',
          properties: { Application_Type: 'web' },
        })
      ).status,
    ).toBe(200);
    const { body } = await manager.send('GET', billing, undefined, '2015-05-01');
    expect(body).toMatchObject({
      currentBillingFeatures: ['Basic'],
      dataVolumeCap: { cap: 100, stopSendNotificationWhenHitCap: false },
    });
    const { currentBillingFeatures, dataVolumeCap } = body;
    const changed = { currentBillingFeatures, dataVolumeCap: { ...dataVolumeCap, cap: 5 } };
    const answer = await manager.send('PUT', billing.toLowerCase(), changed, '2015-05-01');
    expect([answer.status, answer.body.dataVolumeCap.cap]).toEqual([200, 5]);
    expect((await manager.send('GET', billing)).body).toMatchObject(changed);
    await manager.send('DELETE', insights);
    await put(insights, { location: 'westeurope', properties: {} });
    expect((await manager.send('GET', billing)).body.dataVolumeCap.cap).toBe(100);
  });

  test('a table says whether its retention is that of its workspace', async () => {
    await put(provider('Microsoft.OperationalInsights/workspaces', 'logs'), {
      location: 'westeurope',
      properties: {},
    });
    const { body } = await put(
      provider('Microsoft.OperationalInsights/workspaces', 'logs/tables/Mine_CL'),
      { properties: { retentionInDays: -1, totalRetentionInDays: 100 } },
    );
    expect(body.properties).toMatchObject({
      retentionInDaysAsDefault: true,
      totalRetentionInDays: 100,
      totalRetentionInDaysAsDefault: false,
    });
  });

  test.each([
    [
      'a storage account',
      'Microsoft.Storage/storageAccounts',
      'store1',
      ['blobServices/default', 'fileServices/default'],
    ],
    [
      'a private zone',
      'Microsoft.Network/privateDnsZones',
      'privatelink.blob.core.windows.net',
      ['SOA/@'],
    ],
    ['a zone', 'Microsoft.Network/dnsZones', 'example.com', ['SOA/@']],
    [
      'a Service Bus namespace',
      'Microsoft.ServiceBus/namespaces',
      'bus',
      ['networkRuleSets/default', 'authorizationRules/RootManageSharedAccessKey'],
    ],
  ])('%s has its own parts from the start', async (_, type, name, parts) => {
    const parent = provider(type, name);
    for (const part of parts)
      expect((await manager.send('GET', `${parent}/${part}`)).status).toBe(404);
    await put(parent, { location: 'global', properties: {} });
    for (const part of parts)
      expect([part, (await manager.send('GET', `${parent}/${part}`)).status]).toEqual([part, 200]);
  });

  test.each([
    ['Microsoft.Storage/storageAccounts', 'Premium_ZRS', 'Premium'],
    ['Microsoft.ContainerRegistry/registries', 'Basic', 'Basic'],
    ['Microsoft.ServiceBus/namespaces', 'Standard', 'Standard'],
  ])('%s return the tier of their SKU, after a change too', async (type, name, tier) => {
    const path = provider(type, 'one');
    await put(path, { location: 'westeurope', sku: { name: 'Standard_LRS' }, properties: {} });
    expect((await put(path, { location: 'westeurope', sku: { name } })).body.sku).toEqual({
      name,
      tier,
    });
  });

  test.each([
    ['dnsZones', 'A/www', 'www.contoso.example.'],
    ['privateDnsZones', 'TXT/@', 'contoso.example.'],
  ])('a record in %s has its full domain name', async (zones, record, fqdn) => {
    const zone = provider(`Microsoft.Network/${zones}`, 'contoso.example');
    await put(zone, { location: 'global', properties: {} });
    expect((await put(`${zone}/${record}`, { properties: {} })).body.properties.fqdn).toBe(fqdn);
  });

  test('the metadata of a record is replaced by a change, as tags are', async () => {
    const zone = provider('Microsoft.Network/dnsZones', 'contoso.example');
    await put(zone, { location: 'global', properties: {} });
    const record = `${zone}/NS/sub`;
    await put(record, { properties: { TTL: 300, metadata: { a: '1', b: '2' } } });
    const { body } = await manager.send('PATCH', record, { properties: { metadata: { a: '3' } } });
    expect(body.properties).toMatchObject({ TTL: 300, metadata: { a: '3' } });
    expect(body.properties.metadata).not.toHaveProperty('b');
  });

  test.each([
    ['Microsoft.EventHub/namespaces', ['eventhubs/h'], 'consumerGroups/$Default'],
    ['Microsoft.ServiceBus/namespaces', ['topics/t', 'subscriptions/s'], 'rules/$Default'],
  ])('what is made in %s has its $Default', async (type, made, part) => {
    let path = provider(type, 'bus');
    await put(path, { location: 'westeurope', properties: {} });
    for (const child of made) await put((path = `${path}/${child}`), { properties: {} });
    expect((await manager.send('GET', `${path}/${part}`)).status).toBe(200);
    expect((await manager.send('DELETE', `${path}/${part}`)).status).toBe(200);
  });

  test('a SQL database is online, and says what it was left to decide', async () => {
    const server = provider('Microsoft.Sql/servers', 'sql');
    await put(server, { location: 'westeurope', properties: {} });
    const made = { sku: { name: 'S0' }, properties: { readScale: 'Enabled' } };
    const { body } = await put(`${server}/databases/orders`, { location: 'westeurope', ...made });
    expect(body.properties).toMatchObject({
      status: 'Online',
      readScale: 'Enabled',
      collation: 'SQL_Latin1_General_CP1_CI_AS',
      currentServiceObjectiveName: 'S0',
    });
    const retention = `${server}/databases/orders/backupShortTermRetentionPolicies/default`;
    expect((await manager.send('GET', retention)).body.properties.retentionDays).toBe(7);
  });

  test('a subscription of all clients has no properties of one client', async () => {
    const topic = provider('Microsoft.ServiceBus/namespaces', 'bus/topics/t');
    await put(provider('Microsoft.ServiceBus/namespaces', 'bus'), { location: 'westeurope' });
    await put(topic, { properties: {} });
    const clientAffineProperties = { isDurable: true };
    const subscribe = async (name: string, isClientAffine: boolean): Promise<object> =>
      (
        await put(`${topic}/subscriptions/${name}`, {
          properties: { isClientAffine, clientAffineProperties },
        })
      ).body.properties;
    expect(await subscribe('all', false)).not.toHaveProperty('clientAffineProperties');
    expect(await subscribe('one', true)).toMatchObject({ clientAffineProperties });
  });

  test('a namespace of event hubs says its throughput units', async () => {
    const hubs = provider('Microsoft.EventHub/namespaces', 'hubs');
    const units = async (properties: object): Promise<unknown> =>
      (await put(hubs, { location: 'westeurope', properties })).body.properties
        .maximumThroughputUnits;
    expect(await units({})).toBe(0);
    expect(await units({ maximumThroughputUnits: 4 })).toBe(4);
  });

  test('the hidden link of a web test may have an id in its name', async () => {
    const tags = {
      [`hidden-link:${provider('Microsoft.Insights/components', 'watch')}`]: 'Resource',
    };
    const test = provider('Microsoft.Insights/webtests', 'ping');
    expect((await put(test, { location: 'westeurope', tags, properties: {} })).body.tags).toEqual(
      tags,
    );
  });
});
