import { KeyRing } from '../../../services/auth-sidecar/session/key-ring.js';
import { SessionStore } from '../../../services/auth-sidecar/session/session-store.js';
import { createSession } from '../../../services/auth-sidecar/session/session.js';
import { openMemoryStore } from '../../../services/auth-sidecar/token-store/memory-store.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
beforeEach(() => {
  idp.claims = {};
  idp.user = undefined;
  idp.idTokenOnRefresh = true;
  app.clear();
});

/** A configuration with one OpenID Connect provider that is not the directory. */
const customConfig = (
  validation: Record<string, unknown> = {},
  otherSettings: Record<string, unknown> = {},
): unknown => ({
  identityProviders: {
    customOpenIdConnectProviders: {
      staff: {
        registration: {
          clientId: idp.clientId,
          clientCredential: { clientSecretSettingName: 'directory-secret' },
          openIdConnectConfiguration: { issuer: idp.url },
        },
        validation,
      },
    },
  },
  login: { tokenStore: { enabled: true } },
  ...otherSettings,
});
const signInAsStaff = (sidecar: { url: string }) => signIn(sidecar, idp, '/.auth/login/staff');

describe('allowedEmailDomains', () => {
  const domains = { globalValidation: { allowedEmailDomains: ['corp.example'] } };

  test.each([
    [{ preferred_username: 'ceo@corp.example' }],
    [{ preferred_username: 'ceo@corp.example', email: '', email_verified: true }],
    [{ preferred_username: 'ceo@corp.example', email_verified: true }],
    [{ email: 'ceo@corp.example' }],
    [{ email: 'ceo@corp.example', email_verified: 1 }],
    [{ email: 'ceo@corp.example', xms_edov: true }],
  ])('are not passed by %j of a custom provider', async (claims) => {
    const sidecar = await startUnderTest({ config: customConfig({}, domains), upstream: app.url });
    idp.claims = claims;
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(403);
    await sidecar.stop();
  });

  test('are passed by the verified address of the user endpoint where the token has none', async () => {
    const sidecar = await startUnderTest({ config: customConfig({}, domains), upstream: app.url });
    idp.user = { sub: 'subject-1', email: 'ada@corp.example', email_verified: true };
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(302);
    idp.user = { sub: 'subject-1', email: 'ada@evil.example', email_verified: true };
    idp.claims = { preferred_username: 'ada@corp.example' };
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(403);
    await sidecar.stop();
  });

  test('are not passed by an address of one place that is verified in another', async () => {
    const config = customConfig(
      {},
      {
        ...domains,
        login: { tokenStore: { enabled: true }, sessions: { reevaluateAfter: '00:00:01' } },
      },
    );
    const sidecar = await startUnderTest({ config, upstream: app.url });
    idp.claims = { email_verified: true };
    idp.user = { sub: 'subject-1', email: 'ceo@corp.example' };
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(403);
    idp.claims = { email: 'ada@corp.example', email_verified: true };
    const { jar, callbackAnswer } = await signInAsStaff(sidecar);
    expect(callbackAnswer.status).toBe(302);
    idp.idTokenOnRefresh = false;
    idp.user = { sub: 'subject-1', email: 'ceo@corp.example' };
    await new Promise((done) => setTimeout(done, 1100));
    const later = await request(sidecar.url, { headers: { ...browser, ...cookie(jar) } });
    expect(later.status).toBe(302);
    await sidecar.stop();
  });

  test('are passed by an unverified address of a provider that is declared trusted', async () => {
    const config = customConfig({ trustsEmail: true }, domains);
    const sidecar = await startUnderTest({ config, upstream: app.url });
    idp.claims = { email: 'ada@corp.example' };
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(302);
    await sidecar.stop();
  });
});

test.each([
  [['kube-admins'], 302],
  [['Kube-Admins'], 403],
  [['\u212Aube-admins'], 403], // the Kelvin sign, of which k is the small letter
  [['1B3C2F7D-6E4D-4C8B-8F22-2E3D4C5B6071'], 302],
])(
  'with a rule about groups, people in %j get %i: ids are equal in any letter case, names are not',
  async (groups, status) => {
    const allowedGroups = ['kube-admins', '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071'];
    const sidecar = await startUnderTest({
      config: customConfig({ allowedGroups }),
      upstream: app.url,
    });
    idp.claims = { groups };
    expect((await signInAsStaff(sidecar)).callbackAnswer.status).toBe(status);
    await sidecar.stop();
  },
);

describe('access is decided again', () => {
  const configForShoppers = () => customConfig({ allowedGroups: ['shoppers'] });

  test('by a refresh, with the groups of its ID token: who left the group is signed out', async () => {
    const sidecar = await startUnderTest({ config: configForShoppers(), upstream: app.url });
    idp.claims = { groups: ['shoppers'] };
    const { jar, callbackAnswer } = await signInAsStaff(sidecar);
    expect(callbackAnswer.status).toBe(302);
    const refresh = () =>
      request(sidecar.url, {
        path: '/.auth/refresh',
        headers: { ...browser, ...cookie(jar) },
      });
    expect((await refresh()).status).toBe(200);
    idp.claims = { groups: ['others'] };
    expect((await refresh()).status).toBe(403);
    const later = await request(sidecar.url, { headers: { ...browser, ...cookie(jar) } });
    expect(later.status).toBe(302);
    expect(app.requests).toHaveLength(0);
    await sidecar.stop();
  });

  test('by a refresh, whose newest claims reach the app', async () => {
    const sidecar = await startUnderTest({
      config: configForShoppers(),
      upstream: app.url,
      options: { forwardUserHeaders: true },
    });
    idp.claims = { groups: ['shoppers'] };
    const { jar } = await signInAsStaff(sidecar);
    idp.claims = { groups: ['shoppers', 'writers'] };
    const headers = { ...browser, ...cookie(jar) };
    await request(sidecar.url, { path: '/.auth/refresh', headers });
    // also with the cookie from before the refresh
    await request(sidecar.url, { headers });
    expect(app.requests.at(-1)?.headers['x-forwarded-groups']).toBe('shoppers,writers');
    await sidecar.stop();
  });

  test('by a reload: sessions that the new rules do not admit get 403', async () => {
    const sidecar = await startUnderTest({ config: configForShoppers(), upstream: app.url });
    idp.claims = { groups: ['shoppers'] };
    const { jar } = await signInAsStaff(sidecar);
    const visit = () =>
      request(sidecar.url, { headers: { ...browser, ...cookie(jar) } }).then(
        ({ status }) => status,
      );
    expect(await visit()).toBe(200);
    sidecar.write(customConfig({ allowedGroups: ['staff'] }));
    sidecar.reload();
    await expect.poll(visit).toBe(403);
    sidecar.write(customConfig({ requiredClaims: { groups: ['shoppers'] } }));
    sidecar.reload();
    await expect.poll(visit).toBe(200);
    await sidecar.stop();
  });

  test('by a refresh: the newest claims let in whom a reload has refused, also with the cookie from before', async () => {
    const sidecar = await startUnderTest({ config: configForShoppers(), upstream: app.url });
    idp.claims = { groups: ['shoppers'] };
    const { jar } = await signInAsStaff(sidecar);
    const send = (path: string) =>
      request(sidecar.url, { path, headers: { ...browser, ...cookie(jar) } }).then(
        ({ status }) => status,
      );
    sidecar.write(customConfig({ allowedGroups: ['staff'] }));
    sidecar.reload();
    await expect.poll(() => send('/')).toBe(403);
    idp.claims = { groups: ['shoppers', 'staff'] };
    expect([await send('/.auth/refresh'), await send('/')]).toEqual([200, 200]);
    await sidecar.stop();
  });

  test('after login.sessions.reevaluateAfter, by asking the provider', async () => {
    const config = customConfig(
      { allowedGroups: ['shoppers'] },
      { login: { tokenStore: { enabled: true }, sessions: { reevaluateAfter: '00:00:01' } } },
    );
    const sidecar = await startUnderTest({ config, upstream: app.url });
    idp.claims = { groups: ['shoppers'] };
    const { jar } = await signInAsStaff(sidecar);
    const visit = () =>
      request(sidecar.url, { headers: { ...browser, ...cookie(jar) } }).then(
        ({ status }) => status,
      );
    expect(await visit()).toBe(200);
    idp.claims = { groups: [] };
    await new Promise((done) => setTimeout(done, 2100));
    expect(await visit()).toBe(302);
    await sidecar.stop();
  });

  test('login.sessions.reevaluateAfter needs the token store', async () => {
    const config = customConfig({}, { login: { sessions: { reevaluateAfter: '00:10:00' } } });
    await expect(startUnderTest({ config })).rejects.toThrow('needs login.tokenStore.enabled');
  });
});

describe('a token from before a sign-out', () => {
  test('starts no session and is no bearer, as ID token and as access token', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true } },
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
      upstream: app.url,
    });
    const { jar } = await signIn(sidecar, idp);
    const me = await request(sidecar.url, {
      path: '/.auth/me',
      headers: { ...browser, ...cookie(jar) },
    });
    const [{ id_token: idToken }] = JSON.parse(me.body) as [{ id_token: string }];
    const post = (token: string) =>
      request(sidecar.url, {
        method: 'POST',
        path: '/.auth/login/directory',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token: token }),
      }).then(({ status }) => status);
    const visitWithBearer = (token: string) =>
      request(sidecar.url, { headers: { Authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    await request(sidecar.url, {
      path: '/.auth/logout',
      headers: { ...browser, ...cookie(jar) },
    });
    expect([await post(idToken), await post(idToken), await visitWithBearer(idToken)]).toEqual([
      401, 401, 401,
    ]);
    const now = Math.floor(Date.now() / 1000);
    // A token without a time of issue may be from before as well.
    for (const iat of [now - 60, now - 60.5, undefined]) {
      const tokenBefore = await idp.sign({ iat });
      expect([await post(tokenBefore), await visitWithBearer(tokenBefore)]).toEqual([401, 401]);
    }
    const tokenAfter = await idp.sign({ iat: Math.floor(Date.now() / 1000) + 1 });
    expect([await post(tokenAfter), await visitWithBearer(tokenAfter)]).toEqual([200, 200]);
    await sidecar.stop();
  });

  test('is refused by its hash where no tokens are stored', async () => {
    const sidecar = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
    // Issued ahead of the sidecar's clock: its time does not tell that it is older than the sign-out.
    const token = await idp.sign({ iat: Math.floor(Date.now() / 1000) + 5 });
    const post = () =>
      request(sidecar.url, {
        method: 'POST',
        path: '/.auth/login/directory',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token: token }),
      });
    const { status, body } = await post();
    expect(status).toBe(200);
    const { authenticationToken } = JSON.parse(body) as { authenticationToken: string };
    const headers = { 'X-SVC-AUTH': authenticationToken };
    await request(sidecar.url, { path: '/.auth/logout', headers });
    expect((await post()).status).toBe(401);
    await sidecar.stop();
  });

  test('is refused under the other issuer of the same provider, too', async () => {
    const store = openMemoryStore(() => 1000);
    const sessions = new SessionStore(
      store,
      undefined,
      KeyRing.of([], [], Buffer.alloc(32)),
      () => undefined,
      'cookie',
    );
    const tenant = '5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b';
    const personOf = (iss: string) => ({ id: 'o', name: 'Ada', claims: { iss, sub: 's' } });
    const isRefused = (iss: string): Promise<boolean> =>
      sessions.wasSignedOut(
        'provider',
        { identity: personOf(iss), tokens: {}, issuedAt: 900 },
        'token',
      );
    for (const [iss, otherIss] of [
      [`https://login.microsoftonline.com/${tenant}/v2.0`, `https://sts.windows.net/${tenant}/`],
      ['https://accounts.google.com', 'accounts.google.com'],
    ] as const) {
      const times = { issuedAt: 900, expiresAt: 2000, renewableUntil: 2000 };
      expect(await isRefused(otherIss)).toBe(false);
      await sessions.markSignedOut(
        createSession('provider', personOf(iss), times),
        undefined,
        1000,
      );
      expect(await isRefused(otherIss)).toBe(true);
    }
    await store.close();
  });

  test.each([
    ['a logout token', { events: {} }, { typ: 'logout+jwt' }],
    ['a logout token without its type', { events: {} }, {}],
    ['an access token', {}, { typ: 'at+jwt' }],
    ['a security event', {}, { typ: 'secevent+jwt' }],
  ])('%s is never an ID token', async (_, claims, header) => {
    const sidecar = await startUnderTest({ config: customConfig(), upstream: app.url });
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/staff',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id_token: await idp.sign(claims, header) }),
    });
    expect(answer.status).toBe(401);
    await sidecar.stop();
  });

  test.each<[string, Record<string, unknown>]>([
    ['with its nonce', { nonce: 'n', at_hash: 'h' }],
    ['of the directory, with app roles', { ver: '2.0', roles: ['Shop.Read'] }],
  ])('an ID token %s is never an access token', async (_, claims) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
      upstream: app.url,
    });
    const idToken = await idp.sign(claims);
    const posted = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: idToken }),
    });
    const bearer = await request(sidecar.url, {
      headers: { Authorization: `Bearer ${idToken}` },
    });
    expect([posted.status, bearer.status]).toEqual([401, 401]);
    await sidecar.stop();
  });
});

test('the byte 0xA0 before a name makes no cookie of the sidecar', async () => {
  const sidecar = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
  const { jar } = await signIn(sidecar, idp);
  const [name, value] = cookie(jar).Cookie?.split('=') ?? [];
  const visit = (text: string) =>
    request(sidecar.url, { headers: { ...browser, Cookie: text } }).then(({ status }) => status);
  expect(await visit(`a=b; ${String(name)}=${String(value)}`)).toBe(200);
  expect(await visit(`a=b; \u00a0${String(name)}=${String(value)}`)).toBe(302);
  await sidecar.stop();
});

test('identity headers of other proxies never reach the app', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
      httpSettings: { removedRequestHeaders: ['X-Tenant'], keptRequestHeaders: ['Remote-User'] },
    }),
    upstream: app.url,
  });
  await request(sidecar.url, {
    headers: {
      'X-Auth-Request-User': 'root',
      X_WEBAUTH_USER: 'root',
      'CF-Connecting-IP': 'root',
      'X-Azure-ClientIP': 'root',
      'Tailscale-User-Login': 'root',
      'X-Token-User-Email': 'root',
      OIDC_CLAIM_email: 'root',
      'X-Consumer-Username': 'root',
      'X-Cluster-Client-IP': 'root',
      'Fastly-Client-IP': 'root',
      'Client-Cert': 'root',
      'X-Client-Cert-Subject': 'root',
      'SSL-Client-S-DN': 'root',
      'X-AppEngine-User-Email': 'root',
      'X-JWT-Assertion': 'root',
      'X-Envoy-Original-Path': '/root',
      Proxy: 'http://root.example',
      x_tenant: 'root',
      'Remote-User': 'kept',
    },
  });
  expect(app.bytes()).not.toContain('root');
  expect(app.bytes()).toContain('kept');
  await sidecar.stop();
});
