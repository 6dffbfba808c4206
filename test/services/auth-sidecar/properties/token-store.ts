import type { Effect, SidecarFixture } from './sidecar-fixture.js';
import { status } from './settings.js';

const configureBlobStore = (fixture: SidecarFixture, azureBlobStorage: object): void =>
  fixture.configureWithDirectory({ login: { tokenStore: { enabled: true, azureBlobStorage } } });

/** What the identity endpoint is asked for when tokens go to a container by managed identity. */
async function identityCall(fixture: SidecarFixture, settings: object): Promise<string> {
  process.env['IDENTITY_ENDPOINT'] = `${fixture.blobUrl}/identity`;
  fixture.blobCalls.length = 0;
  configureBlobStore(fixture, { blobContainerUri: `${fixture.blobUrl}/container`, ...settings });
  await fixture.signIn();
  delete process.env['IDENTITY_ENDPOINT'];
  expect(
    fixture.blobCalls.some((call) => /^PUT \/container\/\S+ Bearer of-identity$/.test(call)),
  ).toBe(true);
  return fixture.blobCalls.find((call) => call.includes('/identity')) ?? '';
}

/** What each setting of the token store does. */
export const tokenStoreEffects: readonly Effect[] = [
  [
    'login.tokenStore.enabled',
    async (fixture) => {
      for (const enabled of [true, false]) {
        fixture.configureWithDirectory({ login: { tokenStore: { enabled } } });
        const { cookies } = await fixture.signIn();
        fixture.app.clear();
        await fixture.get('/', { Cookie: cookies });
        expect(
          'x-svc-token-directory-access-token' in (fixture.app.requests[0]?.headers ?? {}),
        ).toBe(enabled);
        expect(await status(fixture, '/.auth/me', { Cookie: cookies })).toBe(enabled ? 200 : 404);
      }
    },
  ],
  [
    'login.tokenStore.tokenRefreshExtensionHours',
    async (fixture) => {
      fixture.configureWithDirectory({
        login: { tokenStore: { enabled: true, tokenRefreshExtensionHours: 1.5 } },
      });
      expect(await fixture.cookieSeconds()).toBe(8 * 3600 + 5400);
      fixture.configureWithDirectory({ login: { tokenStore: { enabled: true } } });
      expect(await fixture.cookieSeconds()).toBe((8 + 72) * 3600);
    },
  ],
  [
    'login.tokenStore.azureBlobStorage.sasUrlSettingName',
    async (fixture) => {
      fixture.writeSecret('sas', `${fixture.blobUrl}/container?sv=1&sig=abc`);
      fixture.blobCalls.length = 0;
      configureBlobStore(fixture, { sasUrlSettingName: 'sas' });
      await fixture.signIn();
      expect(
        fixture.blobCalls.some((call) => /^PUT \/container\/tokens-\S+\?sv=1&sig=abc $/.test(call)),
      ).toBe(true);
    },
  ],
  [
    'login.tokenStore.azureBlobStorage.blobContainerUri',
    async (fixture) => expect(await identityCall(fixture, {})).not.toMatch(/client_id|mi_res_id/),
  ],
  [
    'login.tokenStore.azureBlobStorage.clientId',
    async (fixture) =>
      expect(await identityCall(fixture, { clientId: 'identity-1' })).toContain(
        'client_id=identity-1',
      ),
  ],
  [
    'login.tokenStore.azureBlobStorage.managedIdentityResourceId',
    async (fixture) =>
      expect(await identityCall(fixture, { managedIdentityResourceId: '/sub/id' })).toContain(
        'mi_res_id=%2Fsub%2Fid',
      ),
  ],
];
