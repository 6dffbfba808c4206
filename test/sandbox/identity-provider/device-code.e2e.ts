import { DeviceCodeCredential } from '@azure/identity';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { people, startSandbox, type TestSandbox } from '../e2e-support.js';

describeInBrowser('the device code flow', () => {
  let sandbox: TestSandbox;
  let browser: Browser;
  let clientId: string;
  beforeAll(async () => {
    sandbox = await startSandbox();
    clientId = (
      await sandbox.api('POST', '/v1.0/applications', {
        displayName: 'Terminal',
        isFallbackPublicClient: true,
      })
    ).body.appId;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });
  const form = (path: string, values: Record<string, string>) =>
    sandbox.send('POST', `${sandbox.origin}/${sandbox.settings.tenantId}/oauth2/v2.0/${path}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, ...values }).toString(),
    });
  const pollToken = (device_code: string) =>
    form('token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code });

  /**
   * @claim device-code: A person signs in by a code that is typed in a browser.
   * @source https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
   * @seen azure-identity, msal-node
   */
  test("the cloud's SDK signs a person in, who types the code in a browser", async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const credential = new DeviceCodeCredential({
      clientId,
      tenantId: sandbox.settings.tenantId,
      authorityHost: sandbox.origin,
      disableInstanceDiscovery: true,
      tlsOptions: { ca: sandbox.ca },
      userPromptCallback({ verificationUri, userCode, message }) {
        expect([message, message]).toEqual([
          expect.stringContaining(verificationUri),
          expect.stringContaining(userCode),
        ]);
        void (async () => {
          await page.goto(verificationUri);
          await page.getByRole('textbox', { name: 'Code' }).fill('WRONGCODE');
          await page.getByRole('button', { name: 'Next' }).click();
          await page.getByText('This code is not known').waitFor();
          await page.getByRole('textbox', { name: 'Code' }).fill(userCode.toLowerCase());
          await page.getByRole('button', { name: 'Next' }).click();
          await page.getByText('Are you signing in to Terminal?').waitFor();
          await page.getByRole('button', { name: 'Continue' }).click();
          await page.getByRole('button', { name: /Ada Lovelace/ }).click();
          await page.getByText('You are signed in').waitFor();
        })();
      },
    } as ConstructorParameters<typeof DeviceCodeCredential>[0]);
    const { token } = await credential.getToken('https://graph.microsoft.com/User.Read');
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] as string, 'base64url').toString('utf8'),
    );
    expect(claims).toMatchObject({
      oid: people.ada,
      appid: clientId,
      aud: 'https://graph.microsoft.com',
      scp: expect.stringContaining('User.Read'),
    });
    await context.close();
  }, 60_000);

  /**
   * @claim device-code-errors: A device that polls is told authorization_pending, slow_down or
   *   authorization_declined.
   * @source https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
   */
  test('a device waits, is slowed down when it polls too often, and is refused when the person cancels', async () => {
    const { body } = await form('devicecode', {
      scope: 'openid https://graph.microsoft.com/User.Read',
    });
    expect(body).toEqual({
      user_code: expect.stringMatching(/^[A-Z]{9}$/),
      device_code: expect.any(String),
      message: expect.any(String),
      verification_uri: `${sandbox.origin}/devicelogin`,
      expires_in: 900,
      interval: 5,
    });
    expect((await pollToken(body.device_code)).body.error).toBe('authorization_pending');
    expect((await pollToken(body.device_code)).body.error).toBe('slow_down');
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(body.verification_uri);
    await page.getByRole('textbox', { name: 'Code' }).fill(body.user_code);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    await page.close();
    await new Promise((done) => setTimeout(done, 5_000));
    expect((await pollToken(body.device_code)).body.error).toBe('access_denied');
    expect((await pollToken('unknown')).status).toBe(400);
    expect((await form('devicecode', { client_id: 'unknown', scope: 'openid' })).body.error).toBe(
      'invalid_client',
    );
  }, 30_000);
});
