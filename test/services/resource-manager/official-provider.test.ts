import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

/** What the official providers send, where the resource manager once differed from the cloud. */
let manager: Harness;
const tenantId = '5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b';
beforeEach(async () => {
  manager = await startManager({ tenantId });
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const workspace = `${group}/providers/Microsoft.OperationalInsights/workspaces/logs`;
const userIdentity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id1`;
const logs = {
  location: 'westeurope',
  properties: { retentionInDays: 30, sku: { name: 'PerGB2018' } },
  tags: {},
};

/**
 * @claim identities-kept: Environments, log workspaces and jobs keep identities through PUT and
 *   PATCH.
 * @source terraform-provider-azurerm, conversation of azurerm_container_app_environment
 * @seen azurerm
 */
test.each([
  ['an environment', environment, { location: 'westeurope', properties: {} }],
  ['a log workspace', workspace, logs],
  [
    'a job',
    `${group}/providers/Microsoft.App/jobs/job1`,
    { location: 'westeurope', properties: {} },
  ],
])('%s keeps its identities, through PUT and PATCH', async (_, path, body) => {
  const system = {
    type: 'SystemAssigned',
    principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tenantId,
  };
  const put = await manager.send('PUT', path, {
    ...body,
    identity: { type: 'SystemAssigned', userAssignedIdentities: null },
  });
  expect(put.body.identity).toEqual(system);
  const { principalId } = put.body.identity;
  expect((await manager.send('GET', path)).body.identity).toEqual({ ...system, principalId });
  expect((await manager.send('PATCH', path, { tags: { a: 'b' } })).body.identity).toEqual({
    ...system,
    principalId,
  });
  const identity = (
    await manager.send(
      'PUT',
      userIdentity,
      { location: 'westeurope', properties: {} },
      '2024-11-30',
    )
  ).body;
  const bothIdentities = {
    type: 'SystemAssigned, UserAssigned',
    userAssignedIdentities: { [userIdentity]: {} },
  };
  expect((await manager.send('PATCH', path, { identity: bothIdentities })).body.identity).toEqual({
    ...system,
    type: 'SystemAssigned, UserAssigned',
    principalId,
    userAssignedIdentities: {
      [userIdentity]: {
        principalId: identity.properties.principalId,
        clientId: identity.properties.clientId,
      },
    },
  });
  const user = await manager.send('PATCH', path, { identity: { type: 'UserAssigned' } });
  expect(user.body.identity).toEqual({
    type: 'UserAssigned',
    userAssignedIdentities: expect.objectContaining({ [userIdentity]: expect.anything() }),
  });
  expect((await manager.send('PATCH', path, { identity: { type: 'None' } })).body.identity).toEqual(
    { type: 'None' },
  );
});

/**
 * @claim workspace-capacity: A log workspace returns sku.capacityReservationLevel.
 * @source terraform-provider-azurerm, conversation of azurerm_log_analytics_workspace
 * @seen azurerm
 */
test('a log workspace returns its reserved capacity', async () => {
  const sku = { name: 'CapacityReservation', capacityReservationLevel: 100 };
  await manager.send('PUT', workspace, { ...logs, properties: { ...logs.properties, sku } });
  expect((await manager.send('GET', workspace)).body.properties.sku).toMatchObject(sku);
  await manager.send('PUT', workspace, logs);
  expect((await manager.send('GET', workspace)).body.properties.sku).not.toHaveProperty(
    'capacityReservationLevel',
  );
});

test.each([
  ['a group', group, { location: 'westeurope' }],
  ['an environment', environment, { location: 'westeurope', properties: {} }],
  ['a log workspace', workspace, logs],
  ['an identity', userIdentity, { location: 'westeurope', properties: {} }],
  ['an app', app1, appBody()],
  [
    'a storage account',
    `${group}/providers/Microsoft.Storage/storageAccounts/store1`,
    { location: 'westeurope', properties: {} },
  ],
])('PATCH replaces the tags of %s as a whole', async (_, path, body) => {
  const version = path.includes('ManagedIdentity') ? '2024-11-30' : undefined;
  await manager.send('PUT', path, { ...body, tags: { team: 'a', stage: 'dev' } }, version);
  expect((await manager.send('PATCH', path, { tags: { team: 'b' } }, version)).body.tags).toEqual({
    team: 'b',
  });
  expect((await manager.send('GET', path, undefined, version)).body.tags).toEqual({ team: 'b' });
  expect((await manager.send('PATCH', path, { properties: {} }, version)).body.tags).toEqual({
    team: 'b',
  });
  expect((await manager.send('PATCH', path, { tags: {} }, version)).body.tags).toEqual({});
});

/**
 * @claim environment-internal: An internal environment has publicNetworkAccess Disabled.
 * @source observed: the provider refuses anything else at every plan
 * @seen azurerm
 */
test('an internal environment has no public network access', async () => {
  const path = `${group}/providers/Microsoft.App/managedEnvironments/inside`;
  const vnetConfiguration = {
    internal: true,
    infrastructureSubnetId: `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
  };
  await manager.send('PUT', path, { location: 'westeurope', properties: { vnetConfiguration } });
  expect((await manager.send('GET', path)).body.properties.publicNetworkAccess).toBe('Disabled');
  expect((await manager.send('GET', environment)).body.properties.publicNetworkAccess).toBe(
    'Enabled',
  );
});

/**
 * @claim provider-unregister: A resource provider is Unregistering, then Unregistered.
 * @source https://learn.microsoft.com/rest/api/resources/providers/unregister
 * @seen azurerm
 */
test('unregistering a resource provider is in progress at first, then complete', async () => {
  const path = `/subscriptions/${subscription}/providers/Microsoft.Storage`;
  const state = async (method: string, targetPath: string): Promise<string> =>
    (await manager.send(method, targetPath, undefined, '2022-09-01')).body.registrationState;
  expect(await state('GET', path)).toBe('Registered');
  expect(await state('POST', `${path}/unregister`)).toBe('Unregistering');
  expect(await state('GET', path)).toBe('Unregistered');
  expect(await state('GET', path.toLowerCase())).toBe('Unregistered');
  expect(
    await state('GET', path.replace(subscription, '22222222-2222-4333-8444-555555555555')),
  ).toBe('Registered');
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/store1`;
  const refusal = await manager.send('PUT', account, { location: 'westeurope', properties: {} });
  expect([refusal.status, refusal.body.error.code]).toEqual([
    409,
    'MissingSubscriptionRegistration',
  ]);
  expect(await state('POST', `${path}/register`)).toBe('Registering');
  expect(await state('GET', path)).toBe('Registered');
  expect(
    (await manager.send('PUT', account, { location: 'westeurope', properties: {} })).status,
  ).toBe(200);
});
