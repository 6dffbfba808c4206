import { randomUUID } from 'node:crypto';
import {
  anySecret,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '../../access/real-sign-in/identity-provider.js';
import { TestDirectory } from '../../services/directory/support/directory.js';

const [shop, closed, strict] = [randomUUID(), randomUUID(), randomUUID()];
const confidential = randomUUID();
const redirectUri = 'https://shop.localhost/callback';
let directory: TestDirectory;
let idp: RunningIdentityProvider;
beforeAll(async () => {
  const application = (appId: string, displayName: string) => ({
    id: randomUUID(),
    appId,
    displayName,
    web: { redirectUris: [redirectUri] },
  });
  const passwordCredentials = [{ keyId: randomUUID(), displayName: 'secret' }];
  directory = await TestDirectory.start({
    openToAll: true,
    seed: {
      users: [
        { displayName: 'Ada', userPrincipalName: 'ada@contoso.example' },
        { displayName: 'Bob', userPrincipalName: 'bob@contoso.example', accountEnabled: false },
        { displayName: 'Cy', userPrincipalName: 'cy@contoso.example' },
      ],
      applications: [
        application(shop, 'Shop'),
        application(closed, 'Closed'),
        application(strict, 'Strict'),
        {
          id: randomUUID(),
          appId: confidential,
          displayName: 'Confidential',
          passwordCredentials,
          web: { redirectUris: [redirectUri] },
        },
      ],
      servicePrincipals: [
        { appId: shop, displayName: 'Shop' },
        { appId: closed, displayName: 'Closed', accountEnabled: false },
        { appId: strict, displayName: 'Strict', appRoleAssignmentRequired: true },
      ],
    },
  });
  idp = await startIdentityProvider();
  idp.setDirectory(directory.app);
});
afterAll(async () => {
  await idp.close();
  await directory.stop();
});

interface TokenAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function requestToken(form: Record<string, string>, tenant = 'common'): Promise<TokenAnswer> {
  const response = await fetch(`${idp.origin}/${tenant}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
}
const passwordOf = (name: string, clientId: string, scope = 'openid') => ({
  grant_type: 'password',
  client_id: clientId,
  username: `${name}@contoso.example`,
  password: 'any',
  scope,
});
const clientCredentials = (clientId: string) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: anySecret,
  scope: 'https://graph.microsoft.com/.default',
});

test.each([
  ['a disabled application', () => clientCredentials(closed), 'unauthorized_client', 7000112],
  [
    'a person at a disabled application',
    () => passwordOf('ada', closed),
    'unauthorized_client',
    7000112,
  ],
  ['a disabled person', () => passwordOf('bob', shop), 'invalid_grant', 50057],
  ['an unknown person', () => passwordOf('eve', shop), 'invalid_grant', 50034],
  [
    'a person for a disabled resource',
    () => passwordOf('ada', shop, `openid api://${closed}/read`),
    'invalid_resource',
    500014,
  ],
  [
    'an application for a disabled resource',
    () => ({ ...clientCredentials(shop), scope: `api://${closed}/.default` }),
    'invalid_resource',
    500014,
  ],
])('%s gets no token', async (_, form, error, code) => {
  const { status, body } = await requestToken(form());
  expect([status, body['error'], body['error_codes']]).toEqual([400, error, [code]]);
});

test('client credentials need a secret', async () => {
  const form = { ...clientCredentials(shop), client_secret: '' };
  const { status, body } = await requestToken(form);
  expect([status, body['error'], body['error_codes']]).toEqual([401, 'invalid_client', [7000216]]);
});

test('a script gets the token of a person without the secret of the application', async () => {
  expect((await requestToken(passwordOf('ada', confidential))).status).toBe(200);
});

test('an enabled application and an enabled person get tokens', async () => {
  expect((await requestToken(clientCredentials(shop))).status).toBe(200);
  expect((await requestToken(passwordOf('ada', shop))).status).toBe(200);
});

test('a refresh token is refused when its person or application would get no token now', async () => {
  const { body } = await requestToken(passwordOf('cy', shop, 'openid offline_access'));
  const refresh = async () => {
    const refreshed = await requestToken({
      grant_type: 'refresh_token',
      client_id: shop,
      refresh_token: String(body['refresh_token']),
    });
    return [refreshed.status, refreshed.body['error'], refreshed.body['error_codes']];
  };
  const principalsOfShop = await directory.get(`/servicePrincipals?$filter=appId eq '${shop}'`);
  const [principal] = (principalsOfShop.body as { value: { id: string }[] }).value;
  const ofPrincipal = `/servicePrincipals/${String(principal?.id)}`;
  const change = async (path: string, properties: object) =>
    expect((await directory.patch(path, properties)).status).toBe(204);

  await change('/users/cy@contoso.example', { accountEnabled: false });
  expect(await refresh()).toEqual([400, 'invalid_grant', [50057]]);
  await change('/users/cy@contoso.example', { accountEnabled: true });
  await change(ofPrincipal, { appRoleAssignmentRequired: true });
  expect(await refresh()).toEqual([400, 'invalid_grant', [50105]]);
  await change(ofPrincipal, { appRoleAssignmentRequired: false, accountEnabled: false });
  expect(await refresh()).toEqual([400, 'unauthorized_client', [7000112]]);
  await change(ofPrincipal, { accountEnabled: true });
  expect((await refresh())[0]).toBe(200);
});

test('a client assertion is refused as one that is not served, not as a wrong secret', async () => {
  const { client_secret: _, ...form } = clientCredentials(shop);
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'eyJhbGciOiJSUzI1NiJ9.e30.AA',
  };
  for (const each of [
    { ...form },
    { ...passwordOf('ada', shop) },
    { grant_type: 'refresh_token', client_id: shop },
  ]) {
    const { status, body } = await requestToken({ ...each, ...assertion });
    expect([status, body['error'], body['error_codes']]).toEqual([401, 'invalid_client', [700027]]);
    expect(body['error_description']).toContain('use a client secret');
  }
});

const authorizeUrl = (clientId: string, responseType: string): string => {
  const query = { client_id: clientId, response_type: responseType, redirect_uri: redirectUri };
  return `${idp.origin}/common/oauth2/v2.0/authorize?${new URLSearchParams({ ...query, scope: 'openid' }).toString()}`;
};

test.each(['code', 'token'])(
  'a sign-in to a disabled application by response_type=%s ends with a page that says so',
  async (responseType) => {
    const response = await fetch(authorizeUrl(closed, responseType), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('AADSTS7000112');
    const toShop = await fetch(authorizeUrl(shop, responseType), { redirect: 'manual' });
    expect([200, 303]).toContain(toShop.status);
  },
);

test('the implicit flow gives a person without a required assignment no token', async () => {
  const { id } = (await directory.get('/users/ada@contoso.example')).body as { id: string };
  const choose = async (clientId: string): Promise<URLSearchParams> => {
    const response = await fetch(authorizeUrl(clientId, 'token'), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ person: id }),
    });
    return new URLSearchParams(new URL(response.headers.get('location') ?? '').hash.slice(1));
  };
  const refused = await choose(strict);
  expect(refused.get('access_token')).toBeNull();
  expect(refused.get('error')).toBe('access_denied');
  expect(refused.get('error_description')).toContain('AADSTS50105');
  expect((await choose(shop)).get('access_token')).toMatch(/^ey/);
});

test.each(['v2.0/.well-known/openid-configuration', '.well-known/openid-configuration'])(
  'the discovery of another tenant (%s) says that it is not found',
  async (path) => {
    const discover = async (tenant: string) => {
      const response = await fetch(`${idp.origin}/${tenant}/${path}`);
      return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
    };
    const unknown = await discover(randomUUID());
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: 'invalid_tenant', error_codes: [90002] },
    });
    for (const tenant of ['common', 'organizations', 'contoso.example', idp.issuer.split('/')[3]])
      expect(await discover(String(tenant))).toMatchObject({
        status: 200,
        body: { issuer: idp.issuer },
      });
  },
);

test('the token endpoint of another tenant says that it is not found', async () => {
  expect(await requestToken(clientCredentials(shop), randomUUID())).toMatchObject({
    status: 400,
    body: { error: 'invalid_tenant', error_codes: [90002] },
  });
});

describe('a parameter given twice, or as no text', () => {
  test.each([
    ['v2.0/authorize', 'invalid_request'],
    ['authorize', 'unauthorized_client'],
  ])('is refused at %s', async (path, error) => {
    const query = `client_id=${shop}&client_id=${strict}&response_type=code`;
    const response = await fetch(`${idp.origin}/common/oauth2/${path}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(error);
  });

  test('is missing in JSON at the token endpoint', async () => {
    const response = await fetch(`${idp.origin}/common/oauth2/v2.0/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: 1, grant_type: 'password' }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'unauthorized_client' },
    ]);
  });
});
