import {
  type Answer,
  group,
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

// The statuses that the cloud's published interface answers to a PUT that creates: its clients
// take no other.
test.each([
  ['Microsoft.Storage/storageAccounts/store1/blobServices/default', 200],
  ['Microsoft.ServiceBus/namespaces/bus/queues/q', 200],
  ['Microsoft.EventHub/namespaces/hub/eventhubs/h', 200],
  ['Microsoft.Insights/metricAlerts/m', 200],
  ['Microsoft.Web/serverfarms/plan', 200],
  ['Microsoft.DocumentDB/databaseAccounts/d', 200],
  ['Microsoft.Authorization/policyAssignments/p', 201],
  ['Microsoft.ContainerRegistry/registries/r', 201],
  ['Microsoft.App/jobs/j', 201],
  ['Microsoft.Compute/disks/d', 200],
  ['Microsoft.Insights/webtests/w', 200],
  ['Microsoft.EventGrid/topics/t', 201],
  ['Microsoft.Web/sites/s/functions/f', 201],
  ['Microsoft.Sql/servers/s/privateEndpointConnections/p', 200],
  ['Microsoft.Sql/servers/s/connectionPolicies/default', 200],
  ['Microsoft.DBforPostgreSQL/flexibleServers/s', 202],
])('the first PUT of %s answers %i', async (path, status) => {
  const [namespace = '', type = '', name = ''] = path.split('/');
  const parent = resourcePath(`${namespace}/${type}`, name);
  if (!path.endsWith(`/${name}`)) await put(parent, { location: 'westeurope', properties: {} });
  expect(
    (await put(`${group}/providers/${path}`, { location: 'westeurope', properties: {} })).status,
  ).toBe(status);
});

test.each([
  ['Microsoft.Storage/storageAccounts/store1/queueServices/default/queues/q', 204],
  ['Microsoft.Storage/storageAccounts/store1/tableServices/default/tables/t', 204],
  ['Microsoft.ContainerRegistry/registries/r/cacheRules/c', 204],
  ['Microsoft.ContainerRegistry/registries/r/webhooks/w', 200],
  ['Microsoft.Network/networkWatchers/w', 204],
  ['Microsoft.Network/virtualNetworks/v', 200],
])('a DELETE of %s answers %i', async (path, status) => {
  const [namespace = '', type = '', name = '', ...children] = path.split('/');
  const body = { location: 'westeurope', properties: {} };
  await put(resourcePath(`${namespace}/${type}`, name), body);
  for (let end = 2; end <= children.length; end += 2)
    await put(
      resourcePath(`${namespace}/${type}`, [name, ...children.slice(0, end)].join('/')),
      body,
    );
  expect((await manager.send('GET', `${group}/providers/${path}`)).status).toBe(200);
  expect((await manager.send('DELETE', `${group}/providers/${path}`)).status).toBe(status);
  expect((await manager.send('GET', `${group}/providers/${path}`)).status).toBe(404);
});
