import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import {
  anySecret,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '../../access/real-sign-in/identity-provider.js';
import { TestDirectory } from '../../services/directory/support/directory.js';

const redirectUri = 'https://shop.localhost/callback';
const [shop, orders] = [randomUUID(), randomUUID()];
let directory: TestDirectory;
let idp: RunningIdentityProvider;
beforeAll(async () => {
  const application = (appId: string, displayName: string) => ({
    id: randomUUID(),
    appId,
    displayName,
    identifierUris: [`https://contoso.example/${displayName}`],
    web: { redirectUris: [redirectUri] },
    passwordCredentials: [{ keyId: randomUUID(), displayName: 'secret' }],
  });
  directory = await TestDirectory.start({
    openToAll: true,
    seed: {
      users: [{ displayName: 'Ada', userPrincipalName: 'ada@contoso.example' }],
      applications: [application(shop, 'shop'), application(orders, 'orders')],
      servicePrincipals: [{ appId: shop, displayName: 'Shop' }],
    },
  });
  idp = await startIdentityProvider();
  idp.setDirectory(directory.app);
});
afterAll(async () => {
  await idp.close();
  await directory.stop();
});

async function requestToken(form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${idp.origin}/common/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, string | readonly number[]>,
  };
}
const passwordForm = (scope: string) => ({
  grant_type: 'password',
  client_id: shop,
  client_secret: anySecret,
  username: 'ada@contoso.example',
  password: 'any',
  scope,
});
const accessTokenOf = async (scope: string): Promise<string> =>
  String((await requestToken(passwordForm(scope))).body['access_token']);

async function implicitAccessToken(scope: string): Promise<string> {
  const { id } = (await directory.get('/users/ada@contoso.example')).body as { id: string };
  const query = new URLSearchParams({
    client_id: shop,
    response_type: 'token',
    redirect_uri: redirectUri,
    scope,
  });
  const answer = await fetch(`${idp.origin}/common/oauth2/v2.0/authorize?${query.toString()}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ person: id }),
  });
  const { hash } = new URL(answer.headers.get('location') ?? '');
  return String(new URLSearchParams(hash.slice(1)).get('access_token'));
}

describe('the password grant', () => {
  test('gives a refresh token for offline_access only, which gives tokens for any resource', async () => {
    expect((await requestToken(passwordForm('openid'))).body).not.toHaveProperty('refresh_token');
    const { body } = await requestToken(passwordForm('openid offline_access'));
    const refreshed = await requestToken({
      grant_type: 'refresh_token',
      client_id: shop,
      client_secret: anySecret,
      refresh_token: String(body['refresh_token']),
      scope: `openid api://${orders}/.default`,
    });
    expect(refreshed.status).toBe(200);
    const before = decodeJwt(String(body['access_token']));
    const claims = decodeJwt(String(refreshed.body['access_token']));
    expect(claims).toMatchObject({ aud: `api://${orders}`, azp: shop, oid: before['oid'] });
    expect(decodeJwt(String(refreshed.body['id_token'])).aud).toBe(shop);
  });

  test('a refresh token is taken with the credentials in the Authorization header, too', async () => {
    const { body } = await requestToken(passwordForm('openid offline_access'));
    const credentials = Buffer.from(`${shop}:${anySecret}`).toString('base64');
    const refreshed = await requestToken(
      { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) },
      { authorization: `Basic ${credentials}` },
    );
    expect([refreshed.status, refreshed.body['error_description']]).toEqual([200, undefined]);
  });
});

const management = 'https://management.azure.com';
describe.each([
  ['the password grant', accessTokenOf],
  ['the implicit flow', implicitAccessToken],
])('the access token of %s', (_, tokenOf) => {
  test.each([
    [`${management}/.default`, management, 'user_impersonation'],
    [`openid profile offline_access ${management}/.default`, management, 'user_impersonation'],
    [`openid ${management}/user_impersonation`, management, 'user_impersonation'],
    ['api://orders/read profile api://orders/write', 'api://orders', 'read write'],
    [`api://${shop}/read`, shop, 'read'],
  ])('for "%s" is for %s, with the scopes "%s"', async (scope, aud, scp) => {
    expect(decodeJwt(await tokenOf(scope))).toMatchObject({ aud, scp });
  });
});

describe('scopes of several resources', () => {
  const scope = `openid api://${orders}/read ${management}/.default`;

  test.each(['password', 'client_credentials', 'refresh_token'])(
    'are refused with the grant %s: a token is for one',
    async (grant_type) => {
      const form = { ...passwordForm(scope), grant_type, refresh_token: 'any' };
      const { status, body } = await requestToken(form);
      expect([status, body['error'], body['error_codes']]).toEqual([400, 'invalid_scope', [28000]]);
    },
  );

  test('are refused by the implicit flow', async () => {
    const query = { client_id: shop, response_type: 'token', redirect_uri: redirectUri, scope };
    const answer = await fetch(
      `${idp.origin}/common/oauth2/v2.0/authorize?${new URLSearchParams(query).toString()}`,
      { redirect: 'manual' },
    );
    expect(answer.headers.get('location')).toContain('#error=invalid_scope');
  });

  test('are accepted where several scopes are of one', async () => {
    const several = `api://${orders}/read api://${orders.toUpperCase()}/write`;
    expect((await requestToken(passwordForm(several))).status).toBe(200);
  });
});

test('a token for the directory keeps the scopes of signing in', async () => {
  for (const [scope, scp] of [
    ['openid profile', 'openid profile'],
    ['openid https://graph.microsoft.com/User.Read', 'openid User.Read'],
  ] as const)
    expect(decodeJwt(await accessTokenOf(scope))).toMatchObject({
      aud: 'https://graph.microsoft.com',
      scp,
    });
});

describe('a name that nothing can have', () => {
  const names = [
    ['has a NUL', 'a\0b'],
    ['is very long', 'a'.repeat(20_000)],
  ] as const;

  test.each(names)('is an unknown application when it %s', async (_what, name) => {
    for (const grant_type of ['client_credentials', 'password', 'refresh_token']) {
      const scope = grant_type === 'client_credentials' ? 'https://any/.default' : 'openid';
      const form = { ...passwordForm(scope), grant_type, client_id: name, refresh_token: 'x' };
      const { status, body } = await requestToken(form);
      expect([grant_type, status, body['error']]).toEqual([
        grant_type,
        expect.toBeOneOf([400, 401]),
        expect.toBeOneOf(['unauthorized_client', 'invalid_client']),
      ]);
    }
  });

  test.each(names)('is an unknown person when it %s', async (_what, username) => {
    const { status, body } = await requestToken({ ...passwordForm('openid'), username });
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });
});

describe('an application on behalf of a person', () => {
  const onBehalfOf = (assertion: string, more: Record<string, string> = {}) =>
    requestToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      client_id: shop,
      client_secret: anySecret,
      requested_token_use: 'on_behalf_of',
      scope: `api://${orders}/.default offline_access`,
      assertion,
      ...more,
    });

  test.each([`api://${shop}/.default`, 'https://contoso.example/shop/access'])(
    "gets the person's token for another resource by one for itself (%s)",
    async (scope) => {
      const assertion = await accessTokenOf(scope);
      const { status, body } = await onBehalfOf(assertion);
      expect(status).toBe(200);
      expect(decodeJwt(String(body['access_token']))).toMatchObject({
        aud: `api://${orders}`,
        azp: shop,
        oid: decodeJwt(assertion)['oid'],
      });
      expect(body['refresh_token']).toEqual(expect.any(String));
    },
  );

  test('is refused with a token for another audience, a broken one, and its own', async () => {
    const forOthers = await accessTokenOf(`api://${orders}/.default`);
    const own = await requestToken({
      grant_type: 'client_credentials',
      client_id: shop,
      client_secret: anySecret,
      scope: `api://${shop}/.default`,
    });
    const valid = await accessTokenOf(`api://${shop}/.default`);
    const codes = async (assertion: string, more?: Record<string, string>) => {
      const { status, body } = await onBehalfOf(assertion, more);
      return [status, body['error'], body['error_codes']];
    };
    expect(await codes(forOthers)).toEqual([400, 'invalid_grant', [500131]]);
    expect(await codes(`${valid.slice(0, -8)}AAAAAAAA`)).toEqual([400, 'invalid_grant', [50013]]);
    expect(await codes(String(own.body['access_token']))).toEqual([
      400,
      'invalid_grant',
      [7000114],
    ]);
    expect(await codes('')).toEqual([400, 'invalid_request', [900144]]);
    expect(await codes(valid, { requested_token_use: '' })).toEqual([
      400,
      'invalid_request',
      [900144],
    ]);
    expect(await codes(valid, { client_secret: 'wrong' })).toEqual([
      401,
      'invalid_client',
      [7000215],
    ]);
  });
});
