import {
  type Answer,
  type Harness,
  resourcePath,
  startManager,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const put = (path: string, body: object): Promise<Answer> => manager.send('PUT', path, body);

describe("the official provider's additional requests for common types", () => {
  test('application insights have a daily cap, read and changed at an address without a name', async () => {
    const insights = resourcePath('Microsoft.Insights/components', 'watch');
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
    const changedFeatures = { currentBillingFeatures, dataVolumeCap: { ...dataVolumeCap, cap: 5 } };
    const answer = await manager.send('PUT', billing.toLowerCase(), changedFeatures, '2015-05-01');
    expect([answer.status, answer.body.dataVolumeCap.cap]).toEqual([200, 5]);
    expect((await manager.send('GET', billing)).body).toMatchObject(changedFeatures);
    await manager.send('DELETE', insights);
    await put(insights, { location: 'westeurope', properties: {} });
    expect((await manager.send('GET', billing)).body.dataVolumeCap.cap).toBe(100);
  });

  test('a table returns whether its retention is that of its workspace', async () => {
    await put(resourcePath('Microsoft.OperationalInsights/workspaces', 'logs'), {
      location: 'westeurope',
      properties: {},
    });
    const { body } = await put(
      resourcePath('Microsoft.OperationalInsights/workspaces', 'logs/tables/Mine_CL'),
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
  ])('%s has its default children from the start', async (_, type, name, children) => {
    const parent = resourcePath(type, name);
    for (const child of children)
      expect((await manager.send('GET', `${parent}/${child}`)).status).toBe(404);
    await put(parent, { location: 'global', properties: {} });
    for (const child of children)
      expect([child, (await manager.send('GET', `${parent}/${child}`)).status]).toEqual([
        child,
        200,
      ]);
  });

  test.each([
    ['Microsoft.Storage/storageAccounts', 'Premium_ZRS', 'Premium'],
    ['Microsoft.ContainerRegistry/registries', 'Basic', 'Basic'],
    ['Microsoft.ServiceBus/namespaces', 'Standard', 'Standard'],
  ])('%s return the tier of their SKU, after a change too', async (type, name, tier) => {
    const path = resourcePath(type, 'one');
    await put(path, { location: 'westeurope', sku: { name: 'Standard_LRS' }, properties: {} });
    expect((await put(path, { location: 'westeurope', sku: { name } })).body.sku).toEqual({
      name,
      tier,
    });
  });

  test.each([
    ['dnsZones', 'A/www', 'www.contoso.example.'],
    ['privateDnsZones', 'TXT/@', 'contoso.example.'],
  ])('a record in %s has its full domain name', async (zoneType, record, fqdn) => {
    const zone = resourcePath(`Microsoft.Network/${zoneType}`, 'contoso.example');
    await put(zone, { location: 'global', properties: {} });
    expect((await put(`${zone}/${record}`, { properties: {} })).body.properties.fqdn).toBe(fqdn);
  });

  test('the metadata of a record is replaced by a change, as tags are', async () => {
    const zone = resourcePath('Microsoft.Network/dnsZones', 'contoso.example');
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
  ])('an entity created in %s has its $Default child', async (type, children, defaultChild) => {
    let path = resourcePath(type, 'bus');
    await put(path, { location: 'westeurope', properties: {} });
    for (const child of children) await put((path = `${path}/${child}`), { properties: {} });
    expect((await manager.send('GET', `${path}/${defaultChild}`)).status).toBe(200);
    expect((await manager.send('DELETE', `${path}/${defaultChild}`)).status).toBe(200);
  });

  test('a SQL database is online, and returns the settings that the service chose', async () => {
    const server = resourcePath('Microsoft.Sql/servers', 'sql');
    await put(server, { location: 'westeurope', properties: {} });
    const settings = { sku: { name: 'S0' }, properties: { readScale: 'Enabled' } };
    const { body } = await put(`${server}/databases/orders`, {
      location: 'westeurope',
      ...settings,
    });
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
    const topic = resourcePath('Microsoft.ServiceBus/namespaces', 'bus/topics/t');
    await put(resourcePath('Microsoft.ServiceBus/namespaces', 'bus'), { location: 'westeurope' });
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

  test('a namespace of event hubs returns its throughput units', async () => {
    const hubs = resourcePath('Microsoft.EventHub/namespaces', 'hubs');
    const units = async (properties: object): Promise<unknown> =>
      (await put(hubs, { location: 'westeurope', properties })).body.properties
        .maximumThroughputUnits;
    expect(await units({})).toBe(0);
    expect(await units({ maximumThroughputUnits: 4 })).toBe(4);
  });

  test('the name of a tag of a web test may contain a resource id', async () => {
    const tags = {
      [`hidden-link:${resourcePath('Microsoft.Insights/components', 'watch')}`]: 'Resource',
    };
    const webTest = resourcePath('Microsoft.Insights/webtests', 'ping');
    expect(
      (await put(webTest, { location: 'westeurope', tags, properties: {} })).body.tags,
    ).toEqual(tags);
  });
});
