import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  authSettings,
  declareSignInApp,
  people,
  startSandbox,
  type TestSandbox,
  withoutContainers,
} from '../e2e-support.js';

withoutContainers();

describeInBrowser('signing in with a real browser', () => {
  let sandbox: TestSandbox;
  let browser: Browser;
  let page: Page;
  let appId: string;
  let appResourceId: string;
  const appUrl = (path = '/'): string => `https://shop.localhost:${sandbox.settings.port}${path}`;

  beforeAll(async () => {
    sandbox = await startSandbox();
    ({ app: appResourceId, appId } = await declareSignInApp(sandbox, 'shop', { minReplicas: 2 }));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });
  beforeEach(async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
  });
  afterEach(() => page.context().close());

  test('a browser is sent to the list of people, then to the requested page, and signs in again after signing out', async () => {
    await page.goto(appUrl('/orders/7?tab=open'));
    expect(await page.title()).toBe('Sign in');
    expect(new URL(page.url()).hostname).toBe('localhost');
    expect(await page.locator('.name').allTextContents()).toEqual(['Ada Lovelace', 'Grace Hopper']);
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.waitForURL(appUrl('/orders/7?tab=open'));
    expect(await page.locator('#name').textContent()).toMatch(/ada/i);
    expect(await page.getByRole('row', { name: /^oid/ }).textContent()).toContain(people.ada);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.waitForURL(/\/\.auth\/logout\/done/);
    await page.goto(appUrl('/orders/7'));
    expect(await page.title()).toBe('Sign in');
  });

  test('a person signed in at the identity provider is not asked again', async () => {
    await page.goto(appUrl('/a'));
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    await page.waitForURL(appUrl('/a'));
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.context().addCookies(cookies.filter(({ domain }) => domain === 'localhost'));
    await page.goto(appUrl('/b'));
    expect(page.url()).toBe(appUrl('/b'));
  });

  /**
   * @claim easy-auth-token: A token posted to /.auth/login/{provider} makes a session, named by
   *   a header.
   * @source
   *   https://learn.microsoft.com/azure/app-service/configure-authentication-customize-sign-in-out
   */
  test('a script posts a token, continues with the session header, and is refused after signing out', async () => {
    const access_token = await sandbox.token(`api://${appId}/.default`);
    const headers = { 'content-type': 'application/json' };
    const posted = await sandbox.send('POST', appUrl('/.auth/login/directory'), {
      headers,
      body: { access_token },
    });
    expect([posted.status, posted.headers['set-cookie']]).toEqual([200, undefined]);
    const { authenticationToken, user } = posted.body as {
      authenticationToken: string;
      user: { userId: string };
    };
    const session = { headers: { 'x-svc-auth': authenticationToken } };
    const answer = await sandbox.send('GET', appUrl('/orders/7?tab=open'), session);
    expect([answer.status, answer.body.path]).toEqual([200, '/orders/7?tab=open']);
    expect(answer.body.headers).toContainEqual(['X-SVC-CLIENT-PRINCIPAL-ID', user.userId]);
    expect(answer.text).not.toContain(authenticationToken);
    await sandbox.send('GET', appUrl('/.auth/logout'), session);
    expect((await sandbox.send('GET', appUrl('/orders/7'), session)).status).toBe(401);
  });

  test('a person outside the allowed groups is refused, and admitted once a member', async () => {
    const group = await sandbox.api('POST', '/v1.0/groups', {
      displayName: 'Shoppers',
      mailNickname: 'shoppers',
      securityEnabled: true,
      mailEnabled: false,
    });
    await sandbox.api(
      'PUT',
      `${appResourceId}/authConfigs/current?api-version=2025-07-01`,
      authSettings(appId, { allowedGroups: [group.body.id] }),
    );
    const trySignIn = async (path: string): Promise<number | undefined> => {
      await page.context().clearCookies();
      await page.goto(appUrl(path));
      const [answer] = await Promise.all([
        page.waitForResponse(
          (response) => response.url().startsWith(appUrl('/')) && response.status() !== 302,
        ),
        page.getByRole('button', { name: /Ada Lovelace/ }).click(),
      ]);
      return answer.status();
    };
    await waitUntil(
      'the new settings',
      async () => ([401, 403].includes((await trySignIn('/members')) ?? 0) ? true : undefined),
      30_000,
    );
    await sandbox.api('POST', `/v1.0/groups/${group.body.id}/members/$ref`, {
      '@odata.id': `${sandbox.origin}/v1.0/directoryObjects/${people.ada}`,
    });
    expect(await trySignIn('/members')).toBe(200);
  });

  test('a sign-out link without proof of the session asks first', async () => {
    await page.goto(appUrl('/'));
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.waitForURL(appUrl('/'));
    await page.goto(
      `${sandbox.origin}/common/oauth2/v2.0/logout?post_logout_redirect_uri=${encodeURIComponent(appUrl('/healthz'))}`,
    );
    expect(await page.title()).toBe('Sign out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(appUrl('/healthz'));
  });

  /**
   * @claim implicit-flow: The implicit flow issues a token to a registered address only.
   * @source https://learn.microsoft.com/entra/identity-platform/v2-oauth2-implicit-grant-flow
   */
  test('the implicit flow issues a token for the resource manager, and refuses an unregistered address', async () => {
    const redirectUri = `https://shop.localhost:${sandbox.settings.port}/.auth/login/directory/callback`;
    const authorize = (uri: string): string =>
      `${sandbox.origin}/common/oauth2/authorize?response_type=token&client_id=${appId}&state=s1&scope=user_impersonation&redirect_uri=${encodeURIComponent(uri)}`;
    await page.goto(authorize('https://evil.example/'));
    expect(await page.title()).toBe('Sign-in failed');
    await page.goto(authorize(redirectUri));
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.status() === 303),
      page.getByRole('button', { name: /Ada Lovelace/ }).click(),
    ]);
    const fragment = new URLSearchParams(new URL(answer.headers()['location'] ?? '').hash.slice(1));
    expect(fragment.get('state')).toBe('s1');
    const groups = await sandbox.send(
      'GET',
      `${sandbox.origin}/subscriptions/${sandbox.settings.subscriptionId}/resourcegroups?api-version=2023-07-01`,
      {
        headers: { authorization: `Bearer ${fragment.get('access_token') ?? ''}` },
      },
    );
    expect([groups.status, groups.body.value]).toEqual([
      200,
      [expect.objectContaining({ name: 'rg' })],
    ]);
  });
});
