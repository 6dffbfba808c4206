import { castellan } from '../../support/cli.js';
import { people, startSandbox, type TestSandbox, withoutContainers } from '../e2e-support.js';

withoutContainers();

let sandbox: TestSandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(() => sandbox.stop());

const tokensOfAda = async (scope: string): Promise<Record<'access_token' | 'id_token', string>> => {
  const { clientId, clientSecret, tenantId } = sandbox.settings;
  const form = {
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username: 'ada@contoso.example',
    scope,
  };
  const answer = await sandbox.send('POST', `${sandbox.origin}/${tenantId}/oauth2/v2.0/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return answer.body;
};
const askUserInfo = (token: string) =>
  sandbox.send('GET', `${sandbox.origin}/${sandbox.settings.tenantId}/oidc/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });

test('UserInfo takes access tokens for the directory, and neither ID tokens nor those for an app', async () => {
  const { access_token: accessToken, id_token: idToken } = await tokensOfAda('openid profile');
  const { status, body } = await askUserInfo(accessToken);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ sub: people.ada, name: 'Ada Lovelace' }),
  ]);
  expect((await askUserInfo(idToken)).status).toBe(401);
  const { access_token: tokenForApp } = await tokensOfAda('openid api://orders/read');
  expect((await askUserInfo(tokenForApp)).status).toBe(401);
});

test('UserInfo follows the clock of the sandbox', async () => {
  const { access_token: tokenBefore } = await tokensOfAda('openid');
  await castellan(['sandbox', 'clock', '+7h'], { cwd: sandbox.folder });
  expect((await askUserInfo(tokenBefore)).status).toBe(401);
  expect((await askUserInfo((await tokensOfAda('openid')).access_token)).status).toBe(200);
});
