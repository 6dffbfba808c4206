import { decodeJwt } from 'jose';
import { backChannelUri } from '../../../sandbox/identity-provider/back-channel.js';
import { type BrowserFetch, openBrowser } from '../../../sandbox/testing/browser.js';
import {
  authSettings,
  declareApp,
  people,
  register,
  startSandbox,
  type TestSandbox,
  until,
} from '../e2e-support.js';

// a page replaces an image where no container engine is available
beforeAll(() => void vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock'));
afterAll(() => void vi.unstubAllEnvs());

let sandbox: TestSandbox;
let browser: BrowserFetch;
const home = (path = '/'): string => `https://shop.localhost:${sandbox.settings.port}${path}`;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { appId, secret } = await register(sandbox, 'shop');
  const app = await declareApp(sandbox, 'shop', [{ name: 'directory-secret', value: secret }]);
  await sandbox.api(
    'PUT',
    `${app}/authConfigs/current?api-version=2025-07-01`,
    authSettings(appId),
  );
  await until('the sign-in layer', async () =>
    (await sandbox.send('GET', home('/healthz'))).status === 200 ? true : undefined,
  );
  browser = await openBrowser(sandbox.ca);
});
afterAll(() => sandbox?.stop());

/**
 * @claim back-channel: Signing out at the identity provider ends the sessions of apps by
 *   back-channel logout.
 * @source https://openid.net/specs/openid-connect-backchannel-1_0.html
 */
test('signing out at the identity provider ends the sessions of apps by back-channel logout', async () => {
  const to = encodeURIComponent(home());
  const landed = await browser(`${sandbox.origin}/sign-in-as/${people.ada}?to=${to}`);
  expect([landed.status, new URL(landed.url || home()).host]).toEqual([200, new URL(home()).host]);
  const me = (await (await browser(home('/.auth/me'))).json()) as [{ id_token: string }];
  const [{ id_token: idToken }] = me;
  expect(decodeJwt(idToken)['sid']).toEqual(expect.any(String));
  const visit = async () => (await browser(home(), { redirect: 'manual' })).status;
  expect(await visit()).toBe(200);
  const { tenantId } = sandbox.settings;
  const out = `${sandbox.origin}/${tenantId}/oauth2/v2.0/logout?id_token_hint=${idToken}`;
  expect(await (await browser(out)).text()).toContain('signed out');
  await vi.waitFor(async () => expect(await visit()).toBe(401), { timeout: 2000 });
});

test.each([
  [
    ['https://shop.localhost/.auth/login/aad/callback'],
    'https://shop.localhost/.auth/logout/backchannel',
  ],
  [
    ['http://127.0.0.1/login/x/callback', 'https://a.example/in/login/x/callback'],
    'https://a.example/in/logout/backchannel',
  ],
  [['https://a.example/signin-oidc'], undefined],
])('an application with the redirect URIs %j is told at %s', (uris, address) => {
  expect(backChannelUri(uris)).toBe(address);
});
