import {
  type Answer,
  app1,
  appBody,
  group,
  type Harness,
  resourcePath,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

/** The service, here for types without rules of their own: it keeps them as they are sent. */
let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const put = (path: string, body: object): Promise<Answer> => manager.send('PUT', path, body);

test('a resource of any type is created, read, changed, listed and deleted', async () => {
  const path = resourcePath('Contoso.Chairs/chairs', 'one');
  expect((await manager.send('GET', path)).body.error.code).toBe('ResourceNotFound');
  expect((await manager.send('HEAD', path)).status).toBe(404);
  const body = {
    location: 'West Europe',
    tags: { a: 'b' },
    sku: { name: 'Basic', tier: 'Basic' },
    kind: 'office',
    zones: ['1'],
    properties: {
      legs: 4,
      back: { height: 90, soft: true },
      colours: ['red', 'blue'],
      nothing: null,
    },
  };
  const created = await put(path, body);
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    ...body,
    id: path,
    name: 'one',
    type: 'Contoso.Chairs/chairs',
    systemData: expect.any(Object),
    properties: { ...body.properties, provisioningState: 'Succeeded' },
  });
  expect((await manager.send('GET', path.toUpperCase())).body).toEqual(created.body);
  expect((await manager.send('HEAD', path)).status).toBe(204);
  const changed = await manager.send('PATCH', path, {
    sku: { tier: 'Fine' },
    properties: { back: { height: 80, soft: null }, colours: ['green'] },
  });
  expect(changed.body).toMatchObject({
    location: 'West Europe',
    tags: { a: 'b' },
    sku: { name: 'Basic', tier: 'Fine' },
    properties: { legs: 4, back: { height: 80 }, colours: ['green'] },
  });
  expect(changed.body.properties.back).not.toHaveProperty('soft');
  expect(
    (await put(path, { location: 'westeurope', properties: { legs: 3 } })).body.properties,
  ).toEqual({
    legs: 3,
    provisioningState: 'Succeeded',
  });
  expect((await put(path, { location: 'northeurope' })).body.error.code).toBe(
    'InvalidResourceLocation',
  );
  for (const list of [
    `${group}/providers/Contoso.Chairs/chairs`,
    `/subscriptions/${subscription}/providers/contoso.chairs/CHAIRS`,
  ])
    expect((await manager.send('GET', list)).body.value).toEqual([
      expect.objectContaining({ id: path, name: 'one' }),
    ]);
  expect((await manager.send('DELETE', path)).status).toBe(200);
  expect((await manager.send('DELETE', path)).status).toBe(204);
  expect((await manager.send('GET', path)).status).toBe(404);
});

test('nested types require their parent, and are deleted with it', async () => {
  const account = resourcePath('Contoso.Chairs/chairs', 'one');
  const leg = `${account}/legs/left`;
  const foot = `${leg}/feet/rubber`;
  expect((await put(leg, { properties: {} })).body.error.code).toBe('ParentResourceNotFound');
  await put(account, { location: 'westeurope' });
  for (const path of [leg, foot])
    expect((await put(path, { properties: { a: 1 } })).status).toBe(201);
  expect((await manager.send('GET', foot)).body).toMatchObject({
    type: 'Contoso.Chairs/chairs/legs/feet',
    name: 'rubber',
  });
  expect((await manager.send('GET', `${account}/legs`)).body.value).toHaveLength(1);
  expect(
    (await manager.send('GET', `${group}/resources`)).body.value.map(
      ({ name }: { name: string }) => name,
    ),
  ).toEqual(['one', 'env1']);
  await manager.send('DELETE', account);
  for (const path of [leg, foot]) expect((await manager.send('GET', path)).status).toBe(404);
});

test('children and extensions of a missing resource are not found, in lists and one by one', async () => {
  const missing = resourcePath('Contoso.Chairs/chairs', 'none');
  for (const path of [
    `${missing}/legs`,
    `${missing}/legs/left`,
    `${missing}/legs/left/feet`,
    `${missing}/providers/Microsoft.Insights/diagnosticSettings`,
    `${missing}/providers/Microsoft.Authorization/roleAssignments`,
    `${resourcePath('Microsoft.App/containerApps', 'none')}/authConfigs`,
    `${resourcePath('Microsoft.App/containerApps', 'none')}/authConfigs/current`,
  ]) {
    const { status, body } = await manager.send('GET', path);
    expect([path, status, body.error.code]).toEqual([path, 404, 'ParentResourceNotFound']);
  }
  // A location is no resource.
  const usages = `/subscriptions/${subscription}/providers/Contoso.Chairs/locations/westeurope/usages`;
  expect((await manager.send('GET', usages)).body).toEqual({ value: [] });
});

test('locks, settings and assignments extend a group, a resource or a subscription, and are deleted with it', async () => {
  await put(app1, appBody());
  const setting = `${app1}/providers/Microsoft.Insights/diagnosticSettings/all`;
  expect((await put(setting, { properties: { logs: [] } })).body).toMatchObject({
    id: setting,
    name: 'all',
    type: 'Microsoft.Insights/diagnosticSettings',
  });
  expect(
    (await manager.send('GET', `${app1}/providers/Microsoft.Insights/diagnosticSettings`)).body
      .value,
  ).toHaveLength(1);
  const lock = `${group}/providers/Microsoft.Authorization/locks/keep`;
  expect((await put(lock, { properties: { level: 'CanNotDelete' } })).body.properties.level).toBe(
    'CanNotDelete',
  );
  const reader = `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`;
  const role = `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleAssignments/11111111-0000-4000-8000-000000000001`;
  expect(
    (await put(role, { properties: { principalId: 'p', roleDefinitionId: reader } })).body,
  ).toMatchObject({
    id: role,
    type: 'Microsoft.Authorization/roleAssignments',
  });
  const missing = `${resourcePath('Contoso.Chairs/chairs', 'none')}/providers/Microsoft.Authorization/locks/x`;
  expect((await put(missing, { properties: {} })).status).toBe(404);
  expect(
    (await manager.send('GET', `${group}/resources`)).body.value.map(
      ({ name }: { name: string }) => name,
    ),
  ).toEqual(['app1', 'env1']);
  expect((await manager.send('DELETE', app1)).body.error.code).toBe('ScopeLocked');
  expect((await manager.send('DELETE', lock)).status).toBe(200);
  await manager.send('DELETE', app1);
  expect((await manager.send('GET', setting)).status).toBe(404);
  expect((await manager.send('DELETE', group)).status).toBe(200);
  expect((await manager.send('GET', role)).status).toBe(200);
  expect((await manager.send('GET', lock)).status).toBe(404);
});

test.each<[string, string, object, object]>([
  [
    'connections of a private endpoint that are no list',
    'Microsoft.Network/privateEndpoints',
    { privateLinkServiceConnections: [] },
    { privateLinkServiceConnections: 'one' },
  ],
  [
    'a subnet that is no object',
    'Microsoft.Network/virtualNetworks',
    { subnets: [{ name: 'a', properties: { addressPrefix: '10.0.0.0/24' } }] },
    { subnets: [{ name: 'b' }, { name: 'a', properties: 'x' }] },
  ],
  [
    'a subnet with a name that is not allowed',
    'Microsoft.Network/virtualNetworks',
    { subnets: [{ name: 'a', properties: { addressPrefix: '10.0.0.0/24' } }] },
    { subnets: [{ name: 'a', properties: {} }, { name: 'b?' }] },
  ],
  [
    'more partitions than an event hub can have',
    'Microsoft.EventHub/namespaces/one/eventhubs',
    { partitionCount: 2 },
    { partitionCount: 1e9 },
  ],
  [
    'fewer partitions than none',
    'Microsoft.EventHub/namespaces/one/eventhubs',
    { partitionCount: 2 },
    { partitionCount: -1 },
  ],
])('%s: refused, and the resource stays as it was', async (_, type, good, bad) => {
  await put(resourcePath('Microsoft.EventHub/namespaces', 'one'), { location: 'westeurope' });
  const path = resourcePath(type, 'two');
  const refused = await put(path, { location: 'westeurope', properties: bad });
  expect(refused.status).toBe(400);
  expect((await manager.send('GET', path)).status).toBe(404);
  const created = await put(path, { location: 'westeurope', properties: good });
  expect(created.status).toBeLessThan(300);
  expect((await manager.send('PATCH', path, { properties: bad })).status).toBe(400);
  expect((await manager.send('GET', path)).body).toEqual(created.body);
});

test('lists of resources are filtered', async () => {
  await put(resourcePath('Contoso.Chairs/chairs', 'one'), {
    location: 'westeurope',
    tags: { team: 'a' },
  });
  await put(resourcePath('Contoso.Chairs/chairs', 'two'), {
    location: 'westeurope',
    tags: { team: 'b' },
  });
  const names = async (filter: string): Promise<string[]> => {
    const { body } = await manager.send(
      'GET',
      `/subscriptions/${subscription}/resources?$filter=${encodeURIComponent(filter)}`,
    );
    return (body.value as { name: string }[]).map(({ name }) => name);
  };
  expect(await names("resourceType eq 'Contoso.Chairs/chairs'")).toEqual(['one', 'two']);
  expect(await names("tagName eq 'team' and tagValue eq 'b'")).toEqual(['two']);
  expect(await names("resourceType eq 'contoso.chairs/chairs' and name eq 'one'")).toEqual(['one']);
  expect((await manager.send('GET', `${group}/resources?$filter=chairs`)).body.error.code).toBe(
    'InvalidFilterInQueryString',
  );
  const locations = (await manager.send('GET', `/subscriptions/${subscription}/locations`)).body
    .value as { name: string }[];
  expect(locations.map(({ name }) => name)).toContain('westeurope');
});

test('the operation of a write is found by the header, and complete', async () => {
  const answer = await put(resourcePath('Contoso.Chairs/chairs', 'one'), {
    location: 'westeurope',
  });
  const operation = new URL(String(answer.headers['azure-asyncoperation']));
  const polled = await manager.server.inject({ url: operation.pathname + operation.search });
  expect([polled.statusCode, polled.json().status]).toEqual([200, 'Succeeded']);
});

test.each([
  [undefined, 'MissingApiVersionParameter'],
  ['latest', 'InvalidApiVersionParameter'],
])('api-version %s is refused for any type', async (version, code) => {
  const path = resourcePath('Contoso.Chairs/chairs', 'one');
  const answer = await manager.server.inject({
    url: version === undefined ? path : `${path}?api-version=${version}`,
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, code]);
});

test.each<[string, object, string]>([
  ['properties that are a list', { properties: [] }, 'InvalidRequestContent'],
  ['a tag that is a number', { tags: { a: 1 } }, 'InvalidRequestContent'],
  [
    'an identity that is not there',
    { identity: { type: 'UserAssigned', userAssignedIdentities: { '/x': {} } } },
    'FailedIdentityOperation',
  ],
])('%s are refused', async (_, body, code) => {
  const answer = await put(resourcePath('Contoso.Chairs/chairs', 'one'), body);
  expect([answer.status, answer.body.error.code]).toEqual([400, code]);
});
