import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTokenVerifier } from '../../../services/common/token-verifier.js';
import { clockStartingAt, systemClock } from '../../../services/common/clock.js';
import { openDatabaseWithTurns } from '../../support/database-with-turns.js';
import {
  type Answer,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
});
afterEach(() => manager.close());

const workspace = `${group}/providers/Microsoft.OperationalInsights/workspaces/logs`;

/**
 * @claim group-deletes-all: A deleted resource group takes everything in it along.
 * @source
 *   https://learn.microsoft.com/azure/azure-resource-manager/management/delete-resource-group
 * @seen azurerm
 */
test('a group is created, read, tagged, listed and deleted with everything in it', async () => {
  expect((await manager.send('GET', group)).body.error).toEqual({
    code: 'ResourceGroupNotFound',
    message: "Resource group 'rg1' could not be found.",
  });
  const created = await manager.send('PUT', group, { location: 'West Europe', tags: {} });
  expect([created.status, created.body]).toEqual([
    201,
    {
      id: group,
      name: 'rg1',
      type: 'Microsoft.Resources/resourceGroups',
      location: 'westeurope',
      tags: {},
      properties: { provisioningState: 'Succeeded' },
    },
  ]);
  expect((await manager.send('PATCH', group, { tags: { a: 'b' } })).body.tags).toEqual({ a: 'b' });
  const { body: managed } = await manager.send('PATCH', group, { managedBy: '/managers/m' });
  expect([managed.managedBy, managed.tags]).toEqual(['/managers/m', { a: 'b' }]);
  expect((await manager.send('PATCH', group, { tags: {} })).body.managedBy).toBe('/managers/m');
  expect((await manager.send('PATCH', group, { managedBy: '' })).body).not.toHaveProperty(
    'managedBy',
  );
  expect((await manager.send('HEAD', group)).status).toBe(204);
  expect(
    (await manager.send('GET', `/subscriptions/${subscription}/resourcegroups`)).body.value,
  ).toHaveLength(1);
  await withEnvironment(manager);
  expect(
    (await manager.send('GET', `${group}/resources?$expand=provisioningState&$top=10`)).body.value,
  ).toEqual([
    expect.objectContaining({
      id: environment,
      type: 'Microsoft.App/managedEnvironments',
      location: 'westeurope',
    }),
  ]);
  expect((await manager.send('DELETE', group)).status).toBe(200);
  expect((await manager.send('GET', environment)).body.error.code).toBe('ResourceGroupNotFound');
  expect((await manager.send('HEAD', group)).status).toBe(404);
});

test.each<[string, string, object, number, string]>([
  ['without a location', group, {}, 400, 'LocationRequired'],
  [
    'with a name that ends in a period',
    `${group}.`,
    { location: 'westeurope' },
    400,
    'InvalidResourceGroupName',
  ],
  [
    'with a tag name that is not allowed',
    group,
    { location: 'westeurope', tags: { 'a/b': 'c' } },
    400,
    'InvalidTagNameCharacters',
  ],
])('a group %s is refused', async (_, path, body, status, code) => {
  const answer = await manager.send('PUT', path, body);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

/**
 * @claim location-stays: The location of a group or resource does not change.
 * @source https://learn.microsoft.com/azure/azure-resource-manager/management/overview
 */
test('neither a group nor a resource can change its location', async () => {
  await withEnvironment(manager);
  expect((await manager.send('PUT', group, { location: 'northeurope' })).body.error.code).toBe(
    'InvalidResourceGroupLocation',
  );
  expect(
    (await manager.send('PUT', environment, { location: 'northeurope', properties: {} })).body.error
      .code,
  ).toBe('InvalidResourceLocation');
});

/**
 * @claim ids-letter-case: Ids are compared without letter case and keep their first spelling.
 * @source
 *   https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 * @seen azurerm
 */
test('ids match in any letter case and keep their first spelling', async () => {
  await withEnvironment(manager);
  const { body } = await manager.send('GET', environment.toUpperCase(), undefined, '2025-07-01');
  expect(body.id).toBe(environment);
});

/**
 * @claim environment-key: An environment returns its domain and never the key of its log
 *   workspace.
 * @source https://learn.microsoft.com/rest/api/containerapps/managed-environments/get
 * @seen azurerm
 */
test('an environment returns its domain, and never the key of its log workspace', async () => {
  await withEnvironment(manager);
  await manager.send('PATCH', environment, {
    properties: {
      appLogsConfiguration: {
        destination: 'log-analytics',
        logAnalyticsConfiguration: { customerId: 'c', sharedKey: 'k3y' },
      },
    },
  });
  const { body } = await manager.send('GET', environment);
  expect(body.properties).toMatchObject({
    provisioningState: 'Succeeded',
    staticIp: '127.0.0.1',
    appLogsConfiguration: {
      destination: 'log-analytics',
      logAnalyticsConfiguration: { customerId: 'c', sharedKey: null },
    },
    customDomainConfiguration: {
      customDomainVerificationId: expect.stringMatching(/^[0-9A-F]{64}$/),
    },
  });
  await manager.send('PATCH', environment, {
    properties: { appLogsConfiguration: { destination: '', logAnalyticsConfiguration: null } },
  });
  expect((await manager.send('GET', environment)).body.properties.appLogsConfiguration).toEqual({
    destination: '',
    logAnalyticsConfiguration: null,
  });
});

test('a log workspace supports both of its api-versions, keeps its keys, and can be recovered when deleted', async () => {
  await manager.send('PUT', group, { location: 'westeurope' });
  const body = {
    location: 'westeurope',
    properties: { retentionInDays: 0, sku: { name: 'PerGB2018' } },
    tags: {},
  };
  const created = await manager.send('PUT', workspace, body);
  expect(created.status).toBe(201);
  expect(created.body.properties).toMatchObject({
    retentionInDays: 30,
    sku: { name: 'PerGB2018' },
    provisioningState: 'Succeeded',
  });
  expect((await manager.send('PUT', workspace, body)).body.properties.customerId).toBe(
    created.body.properties.customerId,
  );
  const keys = await manager.send('POST', `${workspace}/sharedKeys`, undefined, '2020-08-01');
  expect(keys.body).toEqual({
    primarySharedKey: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
    secondarySharedKey: expect.any(String),
  });
  expect(
    (await manager.send('GET', workspace, undefined, '2020-08-01')).body.properties.customerId,
  ).toBe(created.body.properties.customerId);
  const list = `/subscriptions/${subscription}/providers/Microsoft.OperationalInsights`;
  expect((await manager.send('GET', `${list}/workspaces`)).body.value).toHaveLength(1);
  expect((await manager.send('GET', `${list}/deletedWorkspaces`)).body).toEqual({ value: [] });
  await manager.send('DELETE', `${workspace}?force=false`, undefined, '2020-08-01');
  expect((await manager.send('GET', workspace, undefined, '2020-08-01')).status).toBe(404);
  expect((await manager.send('GET', `${list}/deletedWorkspaces`)).body.value).toEqual([
    expect.objectContaining({ name: 'logs' }),
  ]);
  await manager.send('PUT', workspace, body);
  expect((await manager.send('GET', `${list}/deletedWorkspaces`)).body).toEqual({ value: [] });
});

/**
 * @claim workspace-14-days: A deleted log workspace can be recovered for fourteen days.
 * @source https://learn.microsoft.com/azure/azure-monitor/logs/delete-workspace
 */
test('a deleted log workspace is removed after fourteen days', async () => {
  let now = new Date('2026-01-01T00:00:00Z');
  const managerWithClock = await startManager({}, { clock: { now: () => now } });
  await managerWithClock.send('PUT', group, { location: 'westeurope' });
  await managerWithClock.send('PUT', workspace, { location: 'westeurope', properties: {} });
  await managerWithClock.send('DELETE', workspace);
  const list = `/subscriptions/${subscription}/providers/Microsoft.OperationalInsights/deletedWorkspaces`;
  expect((await managerWithClock.send('GET', list)).body.value).toHaveLength(1);
  now = new Date('2026-01-15T00:00:01Z');
  expect((await managerWithClock.send('GET', list)).body.value).toHaveLength(0);
  await managerWithClock.close();
});

test('a log workspace deleted with its resource group can be recovered, too', async () => {
  await manager.send('PUT', group, { location: 'westeurope' });
  await manager.send('PUT', workspace, { location: 'westeurope', properties: {} });
  await manager.send('DELETE', group);
  const list = `/subscriptions/${subscription}/providers/Microsoft.OperationalInsights/deletedWorkspaces`;
  expect((await manager.send('GET', list)).body.value).toEqual([
    expect.objectContaining({ id: workspace, name: 'logs' }),
  ]);
});

test.each([
  [undefined, 'MissingApiVersionParameter'],
  ['latest', 'InvalidApiVersionParameter'],
  ['2001-01-01', 'NoRegisteredProviderFound'],
])('api-version %s is refused', async (version, code) => {
  const url = version === undefined ? environment : `${environment}?api-version=${version}`;
  const answer = await manager.server.inject({ url });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, code]);
});

test.each(['2022-03-01', '2025-07-01', '2026-01-01', '2026-07-01'])(
  'api-version %s of the apps is served',
  async (version) => {
    await withEnvironment(manager);
    expect((await manager.send('GET', environment, undefined, version)).status).toBe(200);
  },
);

test('an unknown path and an unknown method are reported as unknown', async () => {
  expect(
    (await manager.send('GET', `${group}/providers/Microsoft.Web/sites/x`)).body.error.code,
  ).toBe('ResourceGroupNotFound');
  expect((await manager.send('GET', `/subscriptions/${subscription}/nothing/here`)).status).toBe(
    404,
  );
  expect((await manager.send('POST', group, {})).status).toBe(405);
});

test('every resource provider is registered', async () => {
  const path = `/subscriptions/${subscription}/providers/Microsoft.App`;
  expect(
    (await manager.send('POST', `${path}/register`, undefined, '2019-05-01')).body
      .registrationState,
  ).toBe('Registered');
  expect((await manager.send('GET', path, undefined, '2019-05-01')).body.namespace).toBe(
    'Microsoft.App',
  );
  const { body } = await manager.send(
    'GET',
    `/subscriptions/${subscription}/providers`,
    undefined,
    '2022-09-01',
  );
  expect(body.value.map(({ namespace }: { namespace: string }) => namespace)).toContain(
    'Microsoft.OperationalInsights',
  );
});

/**
 * @claim arm-401: A request without a token is 401 and says where to get one.
 * @source observed: clients read authorization_uri
 */
test('without a token nothing is returned, and the answer says where to get one', async () => {
  const managerWithoutIssuers = await startManager(
    {},
    { tokenVerifier: createTokenVerifier({ issuers: [], clock: systemClock }) },
  );
  const answer = await managerWithoutIssuers.send('GET', group);
  expect([answer.status, answer.body.error.code]).toEqual([401, 'AuthenticationFailed']);
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer authorization_uri=/);
  await managerWithoutIssuers.close();
});

test('concurrent writes to one group lose none', async () => {
  await manager.send('PUT', group, { location: 'westeurope' });
  const identityPath = (index: number): string =>
    `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-${index}`;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      manager.send(
        'PUT',
        identityPath(index % 10),
        { location: 'westeurope', properties: {} },
        '2024-11-30',
      ),
    ),
  );
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(10);
  expect(answers.every(({ status }) => status < 300)).toBe(true);
});

test.each([group, environment])(
  'an app of another group is not left without its environment by a deletion of %s',
  async (deleted) => {
    const managerWithTurns = await startManager({}, {}, await openDatabaseWithTurns());
    const otherGroup = group.replace('rg1', 'rg2');
    const app = `${otherGroup}/providers/Microsoft.App/containerApps/app1`;
    await managerWithTurns.send('PUT', otherGroup, { location: 'westeurope' });
    for (let turns = 0; turns < 16; turns++) {
      await withEnvironment(managerWithTurns);
      const creation = managerWithTurns.send('PUT', app, appBody());
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      const deletion = managerWithTurns.send('DELETE', deleted);
      const statuses = [(await creation).status, (await deletion).status];
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual(statuses);
      await managerWithTurns.send('DELETE', app);
      await managerWithTurns.send('DELETE', environment);
    }
    await managerWithTurns.close();
  },
);

test('times come from the clock', async () => {
  const managerWithClock = await startManager(
    {},
    { clock: clockStartingAt(new Date('2030-05-05T00:00:00Z')) },
  );
  await withEnvironment(managerWithClock);
  expect((await managerWithClock.send('GET', environment)).body.systemData.createdAt).toMatch(
    /^2030-05-05T00:00/,
  );
  await managerWithClock.close();
});

test('the ids of a request are returned as the clients sent them', async () => {
  const url = `${group}?api-version=2023-07-01`;
  const ids = {
    'x-ms-correlation-request-id': 'c1',
    'x-ms-client-request-id': 'mine',
    'x-ms-return-client-request-id': 'true',
  };
  const { headers } = await manager.server.inject({ url, headers: ids });
  expect(headers).toMatchObject({
    'x-ms-correlation-request-id': 'c1',
    'x-ms-client-request-id': 'mine',
    'cache-control': 'no-cache',
  });
  expect(headers['x-ms-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect((await manager.server.inject({ url })).headers['x-ms-correlation-request-id']).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

/**
 * @claim skip-token-code: An invalid page token is 400 with the code InvalidSkipToken.
 * @guess no page names the code
 */
test('a filtered list of resources is returned in pages', async () => {
  await manager.send('PUT', group, { location: 'westeurope' });
  const identityPath = (name: string): string =>
    `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  for (const name of ['id-b', 'id-a', 'id-c'])
    await manager.send(
      'PUT',
      identityPath(name),
      { location: 'westeurope', properties: {} },
      '2024-11-30',
    );
  const names: string[] = [];
  let link: string | undefined =
    `${group}/resources?$top=2&$filter=${encodeURIComponent("location eq 'westeurope'")}&api-version=2023-07-01`;
  for (; link !== undefined; link = link?.replace('http://localhost:80', '')) {
    const page: { value: { name: string }[]; nextLink?: string } = (
      await manager.server.inject({ url: link })
    ).json();
    names.push(page.value.map(({ name }) => name).join());
    link = page.nextLink;
  }
  expect(names).toEqual(['id-a,id-b', 'id-c']);
});

const listFiltered = async (filter: string): Promise<Answer> =>
  manager.send('GET', `${group}/resources?$filter=${encodeURIComponent(filter)}`);

test.each([
  ["tagName eq 'owner' and tagValue eq 'Research and Development'", ['id-a']],
  ["tagName eq 'Owner' and tagValue eq 'it''s and'", ['id-b']],
  ["tagName eq 'owner' and tagValue eq 'research AND Development'", []],
  ["name eq 'id-a' and name eq 'id-b'", []],
])('the filter %s lists %j', async (filter, expected) => {
  await manager.send('PUT', group, { location: 'westeurope' });
  for (const [name, owner] of [
    ['id-a', 'Research and Development'],
    ['id-b', "it's and"],
  ] as const)
    await manager.send(
      'PUT',
      `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
      { location: 'westeurope', tags: { owner } },
      '2024-11-30',
    );
  const { body } = await listFiltered(filter);
  expect(body.value.map(({ name }: { name: string }) => name)).toEqual(expected);
});

test.each(["constructor eq 'x'", "__proto__ eq 'x'", "name ne 'x'", 'name'])(
  'the filter %s is refused',
  async (filter) => {
    await manager.send('PUT', group, { location: 'westeurope' });
    await manager.send(
      'PUT',
      `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-a`,
      { location: 'westeurope' },
      '2024-11-30',
    );
    const answer = await listFiltered(filter);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'InvalidFilterInQueryString']);
  },
);

test.each([
  [
    { operation: 'Merge', properties: { tags: { ENV: 'prod' } } },
    { ENV: 'prod', team: 'a' },
  ],
  [{ operation: 'Delete', properties: { tags: { TEAM: 'a', Env: 'TEST' } } }, { env: 'test' }],
])('the name of a tag is the same in any letter case: %j leaves %j', async (body, tags) => {
  await manager.send('PUT', group, { location: 'westeurope', tags: { env: 'test', team: 'a' } });
  const path = `${group}/providers/Microsoft.Resources/tags/default`;
  expect((await manager.send('PATCH', path, body, '2023-07-01')).status).toBe(200);
  expect((await manager.send('GET', group)).body.tags).toEqual(tags);
});

test.each(['x', '!', Buffer.from('[1]').toString('base64url')])(
  'the skip token %s, which was never given out, is refused',
  async (token) => {
    await manager.send('PUT', group, { location: 'westeurope' });
    const answer = await manager.server.inject({
      url: `${group}/resources?$skiptoken=${token}&api-version=2023-07-01`,
    });
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'InvalidSkipToken']);
  },
);

test.each([
  ['text/plain', '{}', [415, 'UnsupportedMediaType']],
  ['application/json', '', [400, 'InvalidRequestContent']],
  ['application/json', '[]', [400, 'InvalidRequestContent']],
  ['application/json', Buffer.from([0x7b, 0xff, 0x7d]), [400, 'InvalidRequestContent']],
  ['application/json', '{"location":"west\\u0000europe"}', [400, 'InvalidRequestContent']],
])('a body of type %s and text %j is refused', async (type, payload, expected) => {
  const headers = { 'content-type': type };
  const answer = await manager.server.inject({
    method: 'PUT',
    url: `${group}?api-version=2023-07-01`,
    payload,
    headers,
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual(expected);
});
