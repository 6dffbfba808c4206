import {
  type Answer,
  group,
  type Harness,
  resourcePath,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const put = (path: string, body: object): Promise<Answer> => manager.send('PUT', path, body);

const vault = resourcePath('Microsoft.KeyVault/vaults', 'safe');
const vaultBody = {
  location: 'West Europe',
  properties: { tenantId: 't', sku: { family: 'A', name: 'standard' }, accessPolicies: [] },
};

/**
 * @claim vault-soft-delete: A deleted key vault is found at its location until it is purged.
 * @source https://learn.microsoft.com/azure/key-vault/general/soft-delete-overview
 * @seen azurerm
 */
test('a deleted key vault is found at its location until it is purged or created again', async () => {
  const deletedVault = `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/safe`;
  expect((await manager.send('GET', deletedVault)).status).toBe(404);
  const { body } = await put(vault, vaultBody);
  expect(body.properties).toMatchObject({
    enableSoftDelete: true,
    softDeleteRetentionInDays: 90,
    publicNetworkAccess: 'Enabled',
  });
  await manager.send('DELETE', vault);
  expect((await manager.send('GET', deletedVault)).body.properties).toMatchObject({
    vaultId: vault,
    location: 'West Europe',
  });
  await put(vault, {
    ...vaultBody,
    properties: { ...vaultBody.properties, createMode: 'recover' },
  });
  expect((await manager.send('GET', vault)).body.properties).not.toHaveProperty('createMode');
  expect((await manager.send('GET', deletedVault)).status).toBe(404);
  await manager.send('DELETE', vault);
  const purgeAnswer = await manager.send('POST', `${deletedVault}/purge`);
  expect(purgeAnswer.status).toBe(202);
  const result = new URL(String(purgeAnswer.headers['location']));
  expect((await manager.send('GET', result.pathname)).body.status).toBe('Succeeded');
  expect((await manager.send('GET', deletedVault)).status).toBe(404);
  expect((await manager.send('POST', `${deletedVault}/purge`)).status).toBe(404);
});

/**
 * @claim vault-recover: A deleted key vault keeps its name until it is recovered or purged.
 * @source https://learn.microsoft.com/azure/key-vault/general/soft-delete-overview
 */
test('the name of a deleted key vault is taken until it is recovered or purged', async () => {
  const provider = `/subscriptions/${subscription}/providers/Microsoft.KeyVault`;
  const deletedVault = `${provider}/locations/westeurope/deletedVaults/safe`;
  const isFree = async (): Promise<boolean> => {
    const question = { name: 'safe', type: 'Microsoft.KeyVault/vaults' };
    const { body } = await manager.send('POST', `${provider}/checkNameAvailability`, question);
    return body.nameAvailable;
  };
  expect(await isFree()).toBe(true);
  await put(vault, vaultBody);
  await manager.send('DELETE', vault);
  expect(await isFree()).toBe(false);
  const refusal = await put(vault, vaultBody);
  expect([refusal.status, refusal.body.error.code]).toEqual([409, 'ConflictError']);
  expect(refusal.body.error.message).toContain('already exists in deleted state');
  const recovery = (properties: object): object => ({
    ...vaultBody,
    properties: { ...vaultBody.properties, createMode: 'recover', ...properties },
  });
  // a refused recovery leaves the deleted vault
  expect((await put(vault, recovery({ softDeleteRetentionInDays: 3 }))).status).toBe(400);
  expect((await manager.send('GET', deletedVault)).status).toBe(200);
  expect((await put(vault, recovery({}))).status).toBe(201);
  await manager.send('DELETE', vault);
  await manager.send('POST', `${deletedVault}/purge`);
  expect((await put(vault, vaultBody)).status).toBe(201);
});

/**
 * @claim vault-recover-contents: A recovered key vault has the keys and secrets that it had.
 * @source https://learn.microsoft.com/azure/key-vault/general/soft-delete-overview
 */
test.each([
  ['by itself', vault],
  ['with its resource group', group],
])(
  'a key vault deleted %s is recovered with its secrets, and not after a purge',
  async (_how, deleted) => {
    const secret = `${vault}/secrets/password`;
    const status = async (): Promise<number> => (await manager.send('GET', secret)).status;
    const recover = async (): Promise<void> => {
      if (deleted === group) await put(group, { location: 'westeurope' });
      await put(vault, {
        ...vaultBody,
        properties: { ...vaultBody.properties, createMode: 'recover' },
      });
    };
    await put(vault, vaultBody);
    await put(secret, { properties: { value: 'hush', contentType: 'text/plain' } });
    const { body } = await manager.send('GET', secret);
    await manager.send('DELETE', deleted);
    expect(await status()).toBe(404);
    await recover();
    expect((await manager.send('GET', secret)).body).toEqual(body);
    await manager.send('DELETE', deleted);
    await manager.send(
      'POST',
      `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/safe/purge`,
    );
    await recover();
    expect(await status()).toBe(404);
  },
);

test.each(['ab', '1vault', 'vault-', 'two--hyphens', 'under_score', 'a'.repeat(25)])(
  'a key vault cannot have the name %s',
  async (name) => {
    const { status, body } = await put(resourcePath('Microsoft.KeyVault/vaults', name), vaultBody);
    expect([status, body.error.code]).toEqual([400, 'VaultNameNotValid']);
  },
);

test('a key vault deleted with its resource group is found at its location', async () => {
  await put(vault, vaultBody);
  await manager.send('DELETE', group);
  const deletedVault = `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/safe`;
  expect((await manager.send('GET', deletedVault)).body.properties).toMatchObject({
    vaultId: vault,
    location: 'West Europe',
  });
});

/**
 * @claim vault-purge-protection: A deleted key vault with purge protection cannot be purged.
 * @source https://learn.microsoft.com/azure/key-vault/general/soft-delete-overview
 */
test('a deleted key vault says when it is purged, and not before with purge protection', async () => {
  const properties = {
    ...vaultBody.properties,
    softDeleteRetentionInDays: 7,
    enablePurgeProtection: true,
  };
  await put(vault, { ...vaultBody, properties });
  await manager.send('DELETE', vault);
  const deletedVault = `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/safe`;
  const { body } = await manager.send('GET', deletedVault);
  const { deletionDate, scheduledPurgeDate, purgeProtectionEnabled } = body.properties;
  expect(Date.parse(scheduledPurgeDate) - Date.parse(deletionDate)).toBe(7 * 24 * 3600 * 1000);
  expect(purgeProtectionEnabled).toBe(true);
  const refusal = await manager.send('POST', `${deletedVault}/purge`);
  expect([refusal.status, refusal.body.error.code]).toEqual([405, 'MethodNotAllowed']);
  expect((await manager.send('GET', deletedVault)).status).toBe(200);
});

test('a deleted key vault is gone from the date on which it is purged', async () => {
  let now = new Date('2026-01-01T00:00:00Z');
  const managerWithClock = await startManager({}, { clock: { now: () => now } });
  await withEnvironment(managerWithClock);
  const properties = {
    ...vaultBody.properties,
    softDeleteRetentionInDays: 7,
    enablePurgeProtection: true,
  };
  await managerWithClock.send('PUT', vault, { ...vaultBody, properties });
  await managerWithClock.send('DELETE', vault);
  const provider = `/subscriptions/${subscription}/providers/Microsoft.KeyVault`;
  const deletedVault = `${provider}/locations/westeurope/deletedVaults/safe`;
  const list = `${provider}/deletedVaults`;
  now = new Date('2026-01-07T23:59:59Z');
  expect((await managerWithClock.send('GET', deletedVault)).status).toBe(200);
  expect((await managerWithClock.send('GET', list)).body.value).toHaveLength(1);
  now = new Date('2026-01-08T00:00:00Z');
  expect((await managerWithClock.send('GET', deletedVault)).status).toBe(404);
  expect((await managerWithClock.send('POST', `${deletedVault}/purge`)).status).toBe(404);
  expect((await managerWithClock.send('GET', list)).body).toEqual({ value: [] });
  await managerWithClock.close();
});

test.each([6, 91, 7.5, 1e15, '30'])(
  'a key vault cannot be kept for %s days after its deletion',
  async (softDeleteRetentionInDays) => {
    const properties = { ...vaultBody.properties, softDeleteRetentionInDays };
    const { status } = await put(vault, { ...vaultBody, properties });
    expect(status).toBe(400);
  },
);

test('access policies are added to a key vault, replaced and removed one by one', async () => {
  await put(vault, vaultBody);
  const policy = (objectId: string, ...secrets: string[]): object => ({
    tenantId: 't',
    objectId,
    permissions: { secrets },
  });
  const change = async (operation: string, ...accessPolicies: object[]): Promise<unknown[]> => {
    expect(
      (await put(`${vault}/accessPolicies/${operation}`, { properties: { accessPolicies } }))
        .status,
    ).toBeLessThan(202);
    return (await manager.send('GET', vault)).body.properties.accessPolicies;
  };
  expect(await change('add', policy('a', 'get'), policy('b', 'get'))).toEqual([
    policy('a', 'get'),
    policy('b', 'get'),
  ]);
  expect(await change('add', policy('A', 'list'))).toEqual([
    policy('b', 'get'),
    policy('A', 'get', 'list'),
  ]);
  expect(await change('replace', policy('b', 'set'))).toEqual([
    policy('A', 'get', 'list'),
    policy('b', 'set'),
  ]);
  expect(await change('remove', policy('a'))).toEqual([policy('b', 'set')]);
  for (const operation of ['keep', 'constructor', '__proto__'])
    expect(
      (await put(`${vault}/accessPolicies/${operation}`, { properties: { accessPolicies: [{}] } }))
        .status,
      operation,
    ).toBe(400);
});
