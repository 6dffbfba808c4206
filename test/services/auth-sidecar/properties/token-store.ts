import type { Effect, Ground } from './ground.js';
import { status } from './settings.js';

const blobStore = (ground: Ground, azureBlobStorage: object): void =>
  ground.useBeside({ login: { tokenStore: { enabled: true, azureBlobStorage } } });

/** What the identity endpoint is asked for when tokens go to a container by managed identity. */
async function identityCall(ground: Ground, more: object): Promise<string> {
  process.env['IDENTITY_ENDPOINT'] = `${ground.blobUrl}/identity`;
  ground.blobCalls.length = 0;
  blobStore(ground, { blobContainerUri: `${ground.blobUrl}/container`, ...more });
  await ground.signIn();
  delete process.env['IDENTITY_ENDPOINT'];
  expect(
    ground.blobCalls.some((call) => /^PUT \/container\/\S+ Bearer of-identity$/.test(call)),
  ).toBe(true);
  return ground.blobCalls.find((call) => call.includes('/identity')) ?? '';
}

/** What each setting of the token store does. */
export const tokenStoreEffects: readonly Effect[] = [
  [
    'login.tokenStore.enabled',
    async (ground) => {
      for (const enabled of [true, false]) {
        ground.useBeside({ login: { tokenStore: { enabled } } });
        const { cookies } = await ground.signIn();
        ground.app.clear();
        await ground.get('/', { Cookie: cookies });
        expect(
          'x-svc-token-directory-access-token' in (ground.app.requests[0]?.headers ?? {}),
        ).toBe(enabled);
        expect(await status(ground, '/.auth/me', { Cookie: cookies })).toBe(enabled ? 200 : 404);
      }
    },
  ],
  [
    'login.tokenStore.tokenRefreshExtensionHours',
    async (ground) => {
      ground.useBeside({
        login: { tokenStore: { enabled: true, tokenRefreshExtensionHours: 1.5 } },
      });
      expect(await ground.cookieSeconds()).toBe(8 * 3600 + 5400);
      ground.useBeside({ login: { tokenStore: { enabled: true } } });
      expect(await ground.cookieSeconds()).toBe((8 + 72) * 3600);
    },
  ],
  [
    'login.tokenStore.azureBlobStorage.sasUrlSettingName',
    async (ground) => {
      ground.secret('sas', `${ground.blobUrl}/container?sv=1&sig=abc`);
      ground.blobCalls.length = 0;
      blobStore(ground, { sasUrlSettingName: 'sas' });
      await ground.signIn();
      expect(
        ground.blobCalls.some((call) => /^PUT \/container\/tokens-\S+\?sv=1&sig=abc $/.test(call)),
      ).toBe(true);
    },
  ],
  [
    'login.tokenStore.azureBlobStorage.blobContainerUri',
    async (ground) => expect(await identityCall(ground, {})).not.toMatch(/client_id|mi_res_id/),
  ],
  [
    'login.tokenStore.azureBlobStorage.clientId',
    async (ground) =>
      expect(await identityCall(ground, { clientId: 'identity-1' })).toContain(
        'client_id=identity-1',
      ),
  ],
  [
    'login.tokenStore.azureBlobStorage.managedIdentityResourceId',
    async (ground) =>
      expect(await identityCall(ground, { managedIdentityResourceId: '/sub/id' })).toContain(
        'mi_res_id=%2Fsub%2Fid',
      ),
  ],
];
