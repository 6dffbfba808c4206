import { decodeJwt } from 'jose';
import { type BrowserFetch, openBrowser } from '../../../sandbox/testing/browser.js';
import { castellan } from '../../support/cli.js';
import {
  declareSignInApp,
  people,
  registerApplication,
  startSandbox,
  type TestSandbox,
  withoutContainers,
} from '../e2e-support.js';

withoutContainers();

let sandbox: TestSandbox;
let browser: BrowserFetch;
const shopAddress = (path = '/'): string =>
  `https://shop.localhost:${sandbox.settings.port}${path}`;
const daySeconds = 86_400;

beforeAll(async () => {
  sandbox = await startSandbox();
  await declareSignInApp(sandbox, 'shop');
  browser = await openBrowser(sandbox.ca);
});
afterAll(() => sandbox?.stop());

const moveClock = async (change: string): Promise<void> => {
  const { exitCode, stderr } = await castellan(['sandbox', 'clock', change], {
    cwd: sandbox.folder,
  });
  if (exitCode !== 0) throw new Error(stderr);
};
const signIn = async (): Promise<string> => {
  const link = `${sandbox.origin}/sign-in-as/${people.ada}?to=${encodeURIComponent(shopAddress())}`;
  const shopPage = await browser(link);
  expect([shopPage.status, new URL(shopPage.url).host]).toEqual([200, new URL(shopAddress()).host]);
  const authMe = (await (await browser(shopAddress('/.auth/me'))).json()) as [{ id_token: string }];
  return authMe[0].id_token;
};
const visit = async (): Promise<number> =>
  (await browser(shopAddress(), { redirect: 'manual' })).status;
const secondsFromClock = (seconds: unknown, aheadSeconds: number): number =>
  Math.abs(Number(seconds) - aheadSeconds - Date.now() / 1000);

/**
 * @claim back-channel: Signing out at the identity provider ends the sessions of apps by
 *   back-channel logout.
 * @source https://openid.net/specs/openid-connect-backchannel-1_0.html
 */
test('signing out at the identity provider ends the sessions of apps by back-channel logout', async () => {
  const idToken = await signIn();
  expect(decodeJwt(idToken)['sid']).toEqual(expect.any(String));
  expect(await visit()).toBe(200);
  const { tenantId } = sandbox.settings;
  const logoutAddress = `${sandbox.origin}/${tenantId}/oauth2/v2.0/logout?id_token_hint=${idToken}`;
  expect(await (await browser(logoutAddress)).text()).toContain('signed out');
  await expect.poll(visit).toBe(401);
});

test('revoking sign-in sessions ends refresh tokens and the sign-in, not sessions of apps', async () => {
  const { appId, secret } = await registerApplication(sandbox, 'script');
  const redeem = async (form: Record<string, string>) =>
    (
      await sandbox.send('POST', `${sandbox.origin}/common/oauth2/v2.0/token`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: appId, client_secret: secret, ...form }).toString(),
      })
    ).body;
  const { refresh_token } = await redeem({
    grant_type: 'password',
    username: 'ada@contoso.example',
    password: 'any',
    scope: 'openid offline_access',
  });
  const refresh = () => redeem({ grant_type: 'refresh_token', refresh_token });
  const askedForPerson = async (): Promise<boolean> =>
    new URL((await browser(shopAddress('/.auth/login/directory'))).url).pathname.includes(
      '/sign-in/',
    );
  await signIn();
  expect(await refresh()).toHaveProperty('access_token');
  expect(await askedForPerson()).toBe(false);

  const revoked = await sandbox.api('POST', `/v1.0/users/${people.ada}/revokeSignInSessions`);
  expect([revoked.status, revoked.body.value]).toEqual([200, true]);
  expect(await refresh()).toMatchObject({ error: 'invalid_grant' });
  expect(await askedForPerson()).toBe(true);
  // as in the cloud: an app keeps its own session until that ends, or asks the directory again
  expect(await visit()).toBe(200);
});

test('sessions, sign-ins and tokens of people follow the clock of the sandbox', async () => {
  const before = decodeJwt(await signIn());
  expect(secondsFromClock(before['iat'], 0)).toBeLessThan(60);
  expect(await visit()).toBe(200);

  await moveClock('+7h');
  expect(await visit()).toBe(200);

  await moveClock('+1h');
  expect(await visit()).toBe(401);

  await moveClock('+30d');
  const { pathname } = new URL((await browser(shopAddress('/.auth/login/directory'))).url);
  expect(pathname).toContain('/sign-in/'); // the identity provider's own session is over, too
  const after = decodeJwt(await signIn());
  const ahead = 30 * daySeconds + 8 * 3600;
  expect(secondsFromClock(after['iat'], ahead)).toBeLessThan(60);
  expect(secondsFromClock(after['exp'], ahead + 3600)).toBeLessThan(60);
  expect(await visit()).toBe(200);
});
