import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, request } from './support/raw-client.js';
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

afterEach(() => {
  Object.assign(idp, { idTokenOnRefresh: false, refreshAllowed: true, claims: {} });
});

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));

describe('the life of a session', () => {
  test('goes on when another account that signs in is refused', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { globalValidation: { allowedEmailDomains: ['corp.example'] } }),
      upstream: app.url,
    });
    idp.claims = { email: 'a@corp.example', email_verified: true };
    const { jar } = await signIn(sidecar, idp);
    idp.claims = { email: 'a@other.example', email_verified: true };
    expect((await signIn(sidecar, idp, undefined, jar)).callbackAnswer.status).toBe(403);
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
    await sidecar.stop();
  });

  test('ends after its time, and refreshing renews it within the time of grace', async () => {
    const login = {
      cookieExpiration: { timeToExpiration: '00:00:02' },
      tokenStore: { enabled: true, tokenRefreshExtensionHours: 1 },
    };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    const { jar } = await signIn(sidecar, idp);
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
    await pause(2600);
    const lateAnswer = await request(sidecar.url, { headers: cookie(jar) });
    expect(lateAnswer.status).toBe(401);
    expect(lateAnswer.headers['set-cookie']).toBeUndefined();
    expect((await request(sidecar.url, { path: '/.auth/me', headers: cookie(jar) })).status).toBe(
      401,
    );
    const renewed = await request(sidecar.url, {
      path: '/.auth/refresh',
      headers: cookie(jar),
    });
    expect(renewed.status).toBe(200);
    jar.take(renewed);
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
    await sidecar.stop();
  });

  test('ends permanently without a token store, and its cookie is cleared', async () => {
    const login = { cookieExpiration: { timeToExpiration: '00:00:01' } };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    const { jar, callbackAnswer } = await signIn(sidecar, idp);
    expect(callbackAnswer.headers['set-cookie']?.join()).toContain('Max-Age=1;');
    await pause(2100);
    const lateAnswer = await request(sidecar.url, { headers: cookie(jar) });
    expect(lateAnswer.status).toBe(401);
    expect(lateAnswer.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    for (const path of ['/.auth/me', '/.auth/refresh'])
      expect((await request(sidecar.url, { path, headers: cookie(jar) })).status).toBe(
        path === '/.auth/me' ? 404 : 401,
      );
    await sidecar.stop();
  });

  test('stays ended until its newest copy would expire, also when an older copy signs out', async () => {
    const login = {
      cookieExpiration: { timeToExpiration: '08:00:00' },
      tokenStore: { enabled: true, tokenRefreshExtensionHours: 0 },
    };
    const folder = mkdtempSync(join(tmpdir(), 'sidecar-clock-'));
    const clock = join(folder, 'clock.json');
    const setHoursAhead = (hours: number) =>
      writeFileSync(clock, JSON.stringify({ aheadSeconds: hours * 3600 }));
    setHoursAhead(0);
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
      options: { clock },
    });
    const { jar } = await signIn(sidecar, idp);
    const older = { ...browser, ...cookie(jar) };
    setHoursAhead(7);
    const path = '/.auth/refresh';
    jar.take(await request(sidecar.url, { path, headers: cookie(jar) }));
    await request(sidecar.url, { path: '/.auth/logout', headers: older });
    const statuses: number[] = [];
    for (const hours of [7, 9, 14]) {
      setHoursAhead(hours);
      statuses.push((await request(sidecar.url, { headers: cookie(jar) })).status);
    }
    expect(statuses).toEqual([401, 401, 401]);
    await sidecar.stop();
    rmSync(folder, { recursive: true });
  });

  test('by token lasts as long as one by cookie, or as the posted token if that ends first', async () => {
    const login = { cookieExpiration: { timeToExpiration: '00:00:05' } };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    const now = Math.floor(Date.now() / 1000);
    const tokens = await Promise.all(
      [now + 4, now + 3600].map(async (exp) => {
        const posted = { access_token: await idp.sign({ exp }) };
        const headers = { 'Content-Type': 'application/json' };
        const answer = await request(sidecar.url, {
          method: 'POST',
          path: '/.auth/login/directory',
          headers,
          body: JSON.stringify(posted),
        });
        return (JSON.parse(answer.body) as { authenticationToken: string }).authenticationToken;
      }),
    );
    const statuses = (): Promise<number[]> =>
      Promise.all(
        tokens.map(
          async (token) =>
            (await request(sidecar.url, { headers: { 'X-SVC-AUTH': token } })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    await pause(6100);
    expect(await statuses()).toEqual([401, 401]);
    await sidecar.stop();
  });

  test.each([
    ['made up', { refreshAllowed: false }, 401],
    ['of another person', { claims: { sub: 'another' } }, 401],
    ['of its person', { claims: { sub: 'subject-1' } }, 200],
  ])('by token ends or is renewed by a posted refresh token %s', async (_, provider, status) => {
    Object.assign(idp, { idTokenOnRefresh: true, refreshAllowed: true }, provider);
    const login = { tokenStore: { enabled: true } };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login, httpSettings: { clockTolerance: '00:00:00' } }),
      upstream: app.url,
    });
    const exp = Math.floor(Date.now() / 1000) + 2;
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        access_token: await idp.sign({ sub: 'subject-1', exp }),
        refresh_token: 'posted',
      }),
    });
    const { authenticationToken } = JSON.parse(answer.body) as { authenticationToken: string };
    const headers = { 'X-SVC-AUTH': authenticationToken };
    expect((await request(sidecar.url, { headers })).status).toBe(200);
    await pause(2600);
    expect((await request(sidecar.url, { headers })).status).toBe(status);
    const refreshed = await request(sidecar.url, { path: '/.auth/refresh', headers });
    expect(refreshed.status).toBe(status);
    await sidecar.stop();
  });

  test("follows the provider's own time if configured", async () => {
    const login = {
      cookieExpiration: { convention: 'IdentityProviderDerived', timeToExpiration: '08:00:00' },
    };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    idp.claims = { exp: Math.floor(Date.now() / 1000) + 600 };
    const { callbackAnswer } = await signIn(sidecar, idp);
    idp.claims = {};
    const age = Number(
      /SvcAuthSession=[^,]*?Max-Age=(\d+)/.exec(
        callbackAnswer.headers['set-cookie']?.join() ?? '',
      )?.[1],
    );
    expect(age).toBeGreaterThan(590);
    expect(age).toBeLessThanOrEqual(600);
    await sidecar.stop();
  });
});

test.each([
  ['a token', { cookieExpiration: { convention: 'IdentityProviderDerived' } }, 600],
  ['the setting', { tokenStore: { enabled: true, tokenRefreshExtensionHours: 0.0001 } }, 8 * 3600],
])(
  'a session ends in a whole second where the time of %s has a fraction',
  async (_, login, age) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login }),
      upstream: app.url,
    });
    idp.claims = { exp: Math.floor(Date.now() / 1000) + 600.5 };
    const { callbackAnswer } = await signIn(sidecar, idp);
    const [, maxAge = ''] =
      /SvcAuthSession=[^,]*?Max-Age=([^;]+)/.exec(
        callbackAnswer.headers['set-cookie']?.join() ?? '',
      ) ?? [];
    expect(maxAge).toMatch(/^\d+$/);
    expect(Math.abs(Number(maxAge) - age)).toBeLessThan(10);
    await sidecar.stop();
  },
);

test('a refresh with empty tokens in its answer keeps those from before', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, { login: { tokenStore: { enabled: true } } }),
    upstream: app.url,
  });
  const { jar } = await signIn(sidecar, idp);
  const visit = (path: string) => request(sidecar.url, { path, headers: cookie(jar) });
  const storedTokens = async () => {
    const [entry] = JSON.parse((await visit('/.auth/me')).body) as [Record<string, string>];
    return entry;
  };
  const before = await storedTokens();
  idp.tokenFailure = [200, { access_token: 'newer', id_token: '', refresh_token: '' }];
  expect((await visit('/.auth/refresh')).status).toBe(200);
  idp.tokenFailure = undefined;
  expect(await storedTokens()).toMatchObject({
    access_token: 'newer',
    id_token: before['id_token'],
    refresh_token: before['refresh_token'],
  });
  await sidecar.stop();
});

test.each<[string, Record<string, unknown>, object]>([
  ['expires_in', {}, { expires_in: '9223372036854775807' }],
  ['exp', { exp: 1e17 }, {}],
])(
  'a token without end, by the largest %s, has a time in the headers',
  async (_, claims, posted) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login: { tokenStore: { enabled: true } } }),
      upstream: app.url,
    });
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: await idp.sign(claims), ...posted }),
    });
    const { authenticationToken } = JSON.parse(answer.body) as { authenticationToken: string };
    app.clear();
    expect(
      (await request(sidecar.url, { headers: { 'X-SVC-AUTH': authenticationToken } })).status,
    ).toBe(200);
    expect(app.requests[0]?.headers['x-svc-token-directory-expires-on']).toBe(
      '9999-12-31T23:59:59.000Z',
    );
    await sidecar.stop();
  },
);

test('a refresh that does not say when its access token expires does not keep the time of the one before', async () => {
  const login = {
    cookieExpiration: { convention: 'IdentityProviderDerived' },
    tokenStore: { enabled: true },
  };
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, { login }),
    upstream: app.url,
  });
  const { jar } = await signIn(sidecar, idp);
  const refreshWith = async (tokens: object): Promise<void> => {
    idp.tokenFailure = [200, { token_type: 'Bearer', refresh_token: 'newer', ...tokens }];
    const answer = await request(sidecar.url, { path: '/.auth/refresh', headers: cookie(jar) });
    idp.tokenFailure = undefined;
    expect(answer.status).toBe(200);
    jar.take(answer);
  };
  await refreshWith({ access_token: 'of-a-second', expires_in: 1 });
  await pause(1100);
  expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(401);
  await refreshWith({ access_token: 'of-unknown-time' });
  app.clear();
  expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
  const { headers } = app.requests[0] ?? {};
  expect(headers?.['x-svc-token-directory-access-token']).toBe('of-unknown-time');
  expect(headers?.['x-svc-token-directory-expires-on']).toBeUndefined();
  await sidecar.stop();
});

describe('requests without a session', () => {
  test.each<[string, object, Record<string, string>, number]>([
    ['a navigation', {}, browser, 302],
    [
      'a navigation with fetch metadata',
      {},
      { ...browser, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
      302,
    ],
    ['a script', {}, { ...browser, 'Sec-Fetch-Mode': 'cors' }, 401],
    ['an image', {}, { ...browser, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }, 401],
    ['an old script', {}, { ...browser, 'X-Requested-With': 'XMLHttpRequest' }, 401],
    ['a native app', {}, { 'User-Agent': 'okhttp/4.12', Accept: 'application/json' }, 401],
    ['a program', {}, {}, 401],
    ['anything with Return401', { unauthenticatedClientAction: 'Return401' }, browser, 401],
    ['anything with Return403', { unauthenticatedClientAction: 'Return403' }, browser, 403],
    [
      'anything with AllowAnonymous',
      { unauthenticatedClientAction: 'AllowAnonymous' },
      browser,
      200,
    ],
    [
      'anything with authentication not required',
      { requireAuthentication: false, unauthenticatedClientAction: 'Return401' },
      browser,
      200,
    ],
  ])('%s (%j)', async (_, globalValidation, headers, status) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { globalValidation }),
      upstream: app.url,
    });
    const answer = await request(sidecar.url, { path: '/x', headers });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers['www-authenticate']).toHaveLength(1);
    if (status === 401 || status === 403)
      expect(answer.headers['cache-control']).toEqual(['no-store']);
    const posted = await request(sidecar.url, {
      method: 'POST',
      path: '/x',
      headers,
      body: 'a=b',
    });
    expect(posted.status).toBe(status === 302 ? 401 : status);
    await sidecar.stop();
  });

  test('get no challenge if that is turned off', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {}, { login: { disableWWWAuthenticate: true } }),
      upstream: app.url,
    });
    expect((await request(sidecar.url)).headers['www-authenticate']).toBeUndefined();
    await sidecar.stop();
  });

  test('keep their fragment if configured', async () => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login: { preserveUrlFragmentsForLogins: true } }),
      upstream: app.url,
    });
    const answer = await request(sidecar.url, { path: '/spa', headers: browser });
    expect(answer.body).toContain('location.hash');
    expect(answer.headers['content-security-policy']?.[0]).toMatch(/script-src 'sha256-/);
    const { callbackAnswer } = await signIn(
      sidecar,
      idp,
      '/.auth/login/directory?post_login_redirect_uri=%2Fspa%23%2Froute%3Fa%3Db',
    );
    expect(callbackAnswer.headers['location']).toEqual(['/spa#/route?a=b']);
    await sidecar.stop();
  });
});

test('keys rotate by lines: the first encrypts, the others decrypt, removed ones do nothing', async () => {
  const encryptionSettings = { containerAppAuthEncryptionSecretName: 'keys' };
  const [old, fresh] = ['the key of last year', 'the key of this year'];
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, { encryptionSettings }),
    upstream: app.url,
    secrets: { keys: old },
  });
  const rotate = (...keys: string[]): void => {
    writeFileSync(join(sidecar.directory, 'keys'), keys.join('\n'));
    sidecar.reload();
  };
  const status = async (jar: CookieJar): Promise<number> =>
    (await request(sidecar.url, { headers: cookie(jar) })).status;
  const { jar: before } = await signIn(sidecar, idp);
  rotate(fresh, old);
  const { jar: after } = await signIn(sidecar, idp);
  expect([await status(before), await status(after)]).toEqual([200, 200]);
  rotate(fresh);
  expect([await status(before), await status(after)]).toEqual([401, 200]);
  await sidecar.stop();
});

test('a disabled layer forwards everything as anonymous, without identity headers', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, { platform: { enabled: false } }),
    upstream: app.url,
  });
  app.clear();
  expect(
    (await request(sidecar.url, { headers: { 'X-SVC-CLIENT-PRINCIPAL-NAME': 'admin' } })).status,
  ).toBe(200);
  expect(app.requests[0]?.headers['x-svc-client-principal-name']).toBeUndefined();
  expect((await request(sidecar.url, { path: '/.auth/me' })).status).toBe(404);
  await sidecar.stop();
});

test('a layer that is disabled by a reload identifies no one any more', async () => {
  const encryptionSettings = { containerAppAuthEncryptionSecretName: 'key' };
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, { encryptionSettings }),
    upstream: app.url,
    secrets: { key: 'k'.repeat(64) },
  });
  const { jar } = await signIn(sidecar, idp);
  sidecar.write(directoryConfig(idp, { encryptionSettings, platform: { enabled: false } }));
  sidecar.reload();
  app.clear();
  const foreignOrigin = { ...browser, Origin: 'https://other.example' };
  const statuses = await Promise.all(
    [
      { headers: cookie(jar) },
      { headers: { Authorization: `Bearer ${await idp.sign({})}` } },
      { headers: { 'X-SVC-AUTH': 'of another layer' } },
      { method: 'POST', headers: { ...foreignOrigin, ...cookie(jar) }, body: 'a=b' },
    ].map(async (shape) => (await request(sidecar.url, shape)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(app.bytes()).not.toMatch(/x-svc-client-principal/i);
  await sidecar.stop();
});

test('another prefix and another sign-out path work', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      httpSettings: { routes: { apiPrefix: '/sign-in/' } },
      login: { routes: { logoutEndpoint: '/bye' } },
    }),
    upstream: app.url,
  });
  expect(
    (await request(sidecar.url, { path: '/sign-in/login/directory' })).headers['location']?.[0],
  ).toContain(encodeURIComponent('/sign-in/login/directory/callback'));
  expect((await request(sidecar.url, { path: '/bye' })).headers['location']).toEqual([
    '/sign-in/logout/done',
  ]);
  expect((await request(sidecar.url, { path: '/SIGN-IN/me' })).status).toBe(404);
  await sidecar.stop();
});
