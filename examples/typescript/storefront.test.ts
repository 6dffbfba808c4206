import { Sandbox } from 'castellan/testing';

/**
 * A suite against a real sandbox: its own folder and port, so that suites run side by side. `npx
 * jest` runs it, and vitest with `globals: true` does, too.
 */
const seed = `
users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, accountEnabled: true, department: Retail }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, accountEnabled: true }
servicePrincipals:
  - { id: 6f1d2c3b-1111-4222-8333-444455556666, appId: 7a2e3d4c-2222-4333-8444-555566667777, displayName: Robot }
`;
const minutes = 60_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.start({ files: `${__dirname}/../storefront`, seed });
}, minutes);
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

test(
  'a deleted group can be restored for 30 days, and is gone for good after 31',
  async () => {
    const { groups, deletedItems } = sandbox.as().directory;
    const { id } = await groups.create({
      displayName: 'Campaign',
      mailNickname: 'campaign',
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified'],
    });
    await groups.delete(id);
    await sandbox.clock.advance('29d');
    expect(await deletedItems.get(id)).toMatchObject({ displayName: 'Campaign' });
    await sandbox.clock.advance('2d');
    await expect(deletedItems.get(id)).rejects.toThrow('does not exist');
  },
  minutes,
);

test(
  'deploys although new groups answer 404 at first, and lets Ada in',
  async () => {
    await sandbox.faults.set('consistency');
    const up = await sandbox.castellan('up');
    expect(up.stderr).not.toContain('CAS');
    expect(up.exitCode).toBe(0);
    expect((await sandbox.faults.reading()).met[0]).toBeGreaterThan(0);
    await sandbox.faults.off();

    const ada = await sandbox.signIn('ada@contoso.example', 'storefront');
    expect((await ada('/')).status).toBe(200);
    await expect(sandbox.signIn('grace@contoso.example', 'storefront')).rejects.toThrow('403');
  },
  3 * minutes,
);

test('every test begins with what the seed has', async () => {
  const names: string[] = [];
  for await (const group of sandbox.as().directory.groups.list())
    names.push(group.displayName ?? '');
  expect(names).toEqual([]);
});
