import {
  type Answer,
  environment,
  group,
  type Harness,
  resourcePath,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

/** Types with additional requests, or secrets, that their clients expect. */
let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
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
    resourcePath(
      'Microsoft.ManagedIdentity/userAssignedIdentities',
      'id1/federatedIdentityCredentials/f1',
    ),
    { properties: { issuer: 'https://i', subject: 's', audiences: ['a'] } },
  ],
  [
    'a table of a workspace',
    resourcePath('Microsoft.OperationalInsights/workspaces', 'logs/tables/Mine_CL'),
    { properties: { retentionInDays: 30, schema: { name: 'Mine_CL', columns: [] } } },
  ],
])('%s is stored below its parent without its secrets', async (_, path, body) => {
  await manager.send(
    'PUT',
    resourcePath('Microsoft.ManagedIdentity/userAssignedIdentities', 'id1'),
    { location: 'westeurope' },
    '2024-11-30',
  );
  await put(resourcePath('Microsoft.OperationalInsights/workspaces', 'logs'), {
    location: 'westeurope',
    properties: {},
  });
  expect((await put(path, body)).status).toBeLessThan(202);
  const answerText = JSON.stringify((await manager.send('GET', path)).body);
  for (const secret of ['p4ss', 'k3y', 'cGZ4']) expect(answerText).not.toContain(secret);
  expect((await manager.send('DELETE', path)).status).toBe(200);
});

test('secrets of a job and of a Dapr component are returned by listSecrets only, and a change keeps those named without a value', async () => {
  const job = resourcePath('Microsoft.App/jobs', 'job1');
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
  const account = resourcePath('Microsoft.Storage/storageAccounts', 'store1');
  const checkNameAvailability = (): Promise<Answer> =>
    manager.send(
      'POST',
      `/subscriptions/${subscription}/providers/Microsoft.Storage/checkNameAvailability`,
      {
        name: 'store1',
        type: 'Microsoft.Storage/storageAccounts',
      },
    );
  expect((await checkNameAvailability()).body).toEqual({ nameAvailable: true });
  const { status, body } = await put(account, {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {},
  });
  expect([status, body.kind, body.sku.name]).toEqual([200, 'StorageV2', 'Standard_LRS']);
  expect(body.properties.primaryEndpoints.blob).toBe('https://store1.blob.core.windows.net/');
  expect((await checkNameAvailability()).body.nameAvailable).toBe(false);
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
  const renewedKeys = (await manager.send('POST', `${account}/regenerateKey`, { keyName: 'key1' }))
    .body.keys;
  expect([renewedKeys[0].value === keys[0].value, renewedKeys[1].value === keys[1].value]).toEqual([
    false,
    true,
  ]);
  expect((await manager.send('POST', `${account}/regenerateKey`, { keyName: 'key9' })).status).toBe(
    400,
  );
  for (const action of ['sitDown', 'constructor', '__proto__'])
    expect((await manager.send('POST', `${account}/${action}`)).body, action).toMatchObject({
      error: { code: 'InvalidResourceAction' },
    });
});

test('a registry, a key vault and application insights have their addresses', async () => {
  const registry = resourcePath('Microsoft.ContainerRegistry/registries', 'Images');
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
  const vault = resourcePath('Microsoft.KeyVault/vaults', 'safe');
  expect(
    (await put(vault, { location: 'westeurope', properties: { tenantId: 't' } })).body.properties
      .vaultUri,
  ).toBe('https://safe.vault.azure.net/');
  const insights = resourcePath('Microsoft.Insights/components', 'watch');
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
  const network = resourcePath('Microsoft.Network/virtualNetworks', 'v1');
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
  const subnetNames = async (): Promise<string[]> =>
    ((await manager.send('GET', network)).body.properties.subnets as { name: string }[]).map(
      ({ name }) => name,
    );
  expect(await subnetNames()).toEqual(['apps', 'one']);
  await put(network, { location: 'westeurope', properties: space });
  expect(await subnetNames()).toEqual(['apps', 'one']);
  await put(network, {
    location: 'westeurope',
    properties: {
      ...space,
      subnets: [{ name: 'apps', properties: { addressPrefix: '10.0.3.0/24' } }],
    },
  });
  expect(await subnetNames()).toEqual(['apps']);
  expect((await manager.send('GET', subnet)).body.properties.addressPrefix).toBe('10.0.3.0/24');
  await manager.send('DELETE', subnet);
  expect(await subnetNames()).toEqual([]);
});

test('a template deployment is validated, kept with its literal outputs, and deleted', async () => {
  const deployment = resourcePath('Microsoft.Resources/deployments', 'd1');
  const template = {
    resources: [],
    outputs: {
      said: { type: 'string', value: 'hello' },
      listed: { type: 'object', value: { ports: [80, 443] } },
      worked: { type: 'string', value: "[concat('a')]" },
      workedInside: { type: 'object', value: { names: ["[concat('a')]"] } },
    },
  };
  const body = { properties: { mode: 'Incremental', template, parameters: {} } };
  expect(
    (await manager.send('POST', `${deployment}/validate`, body)).body.properties.provisioningState,
  ).toBe('Succeeded');
  expect((await put(deployment, body)).body.properties.outputs).toEqual({
    said: { type: 'string', value: 'hello' },
    listed: { type: 'object', value: { ports: [80, 443] } },
  });
  expect((await manager.send('GET', `${group}/resources`)).body.value).toHaveLength(1);
  // What the official provider reads of a deployment, to delete its resources afterwards.
  expect((await manager.send('POST', `${deployment}/exportTemplate`)).body).toEqual({ template });
  expect((await manager.send('GET', deployment)).body.properties).toMatchObject({
    providers: [],
    outputResources: [],
  });
  expect((await manager.send('DELETE', deployment)).status).toBe(204);
  expect((await manager.send('GET', deployment)).status).toBe(404);
});

test.each([
  ['Microsoft.Storage/storageAccounts', 'StorageAccountAlreadyTaken'],
  ['Microsoft.ContainerRegistry/registries', 'AlreadyInUse'],
  ['Microsoft.KeyVault/vaults', 'VaultAlreadyExists'],
])(
  'the name of a new resource of type %s is not that of a resource in another group',
  async (type, code) => {
    const body = { location: 'westeurope', sku: { name: 'Basic' }, properties: {} };
    await put(resourcePath(type, 'taken1'), body);
    const otherGroup = `/subscriptions/${subscription}/resourceGroups/rg2`;
    await put(otherGroup, { location: 'westeurope' });
    const refused = await put(`${otherGroup}/providers/${type}/TAKEN1`, body);
    expect([refused.status, refused.body.error.code]).toEqual([409, code]);
    expect((await put(resourcePath(type, 'taken1'), body)).status).toBeLessThan(300);
  },
);
