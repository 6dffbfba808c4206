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
beforeEach(() => {
  idp.claims = {};
});

const startWithRequirements = (requirements: unknown, settings: Record<string, unknown> = {}) =>
  startUnderTest({
    config: directoryConfig(idp, { globalValidation: { requirements, ...settings } }),
    upstream: app.url,
  });
const visit = (sidecar: { url: string }, jar: CookieJar, path: string) =>
  request(sidecar.url, { path, headers: { ...browser, ...cookie(jar) } });

test('a path asks for a stronger sign-in, and lets in who comes back with it', async () => {
  const sidecar = await startWithRequirements([
    { path: '/admin', acrValues: ['mfa'], maxAge: '00:10:00' },
  ]);
  const { jar } = await signIn(sidecar, idp);
  expect((await visit(sidecar, jar, '/')).status).toBe(200);
  const stepUpAnswer = await visit(sidecar, jar, '/Admin/users');
  expect(stepUpAnswer.status).toBe(302);
  const login = stepUpAnswer.headers['location']?.[0] ?? '';
  const redirect = await visit(sidecar, jar, login);
  const { searchParams } = new URL(redirect.headers['location']?.[0] ?? '');
  expect([searchParams.get('acr_values'), searchParams.get('max_age')]).toEqual(['mfa', '600']);
  expect(JSON.parse(searchParams.get('claims') ?? '{}')).toEqual({
    id_token: { acrs: { essential: true, values: ['mfa'] } },
  });
  const now = Math.floor(Date.now() / 1000);
  idp.claims = { acr: 'mfa', auth_time: now - 3600 };
  expect((await signIn(sidecar, idp, login, jar)).callbackAnswer.status).toBe(403);
  idp.claims = { acr: 'pwd', auth_time: now };
  expect((await signIn(sidecar, idp, login, jar)).callbackAnswer.status).toBe(403);
  idp.claims = { acr: 'mfa', auth_time: now };
  expect((await signIn(sidecar, idp, login, jar)).callbackAnswer.status).toBe(302);
  expect((await visit(sidecar, jar, '/admin/users')).status).toBe(200);
  await sidecar.stop();
});

test('the first sign-in is strong enough for a landing with a fragment, or given as a whole URL', async () => {
  const sidecar = await startWithRequirements([{ path: '/admin', acrValues: ['mfa'] }]);
  const landings = ['/admin/users#top', `${sidecar.url}/admin/users`, '/users#/admin'];
  const acrValues = await Promise.all(
    landings.map(async (landing) => {
      const path = `/.auth/login/directory?post_login_redirect_uri=${encodeURIComponent(landing)}`;
      const { headers } = await request(sidecar.url, { path, headers: browser });
      return new URL(headers['location']?.[0] ?? '').searchParams.get('acr_values');
    }),
  );
  expect(acrValues).toEqual(['mfa', 'mfa', null]);
  await sidecar.stop();
});

test('a sign-in with a time in the future is not recent', async () => {
  const sidecar = await startWithRequirements([{ path: '/admin', maxAge: 60 }]);
  const now = Math.floor(Date.now() / 1000);
  idp.claims = { auth_time: now + 5 }; // within httpSettings.clockTolerance
  const { jar } = await signIn(sidecar, idp);
  expect((await visit(sidecar, jar, '/admin')).status).toBe(200);
  idp.claims = { auth_time: now + 3600 };
  const { jar: futureJar } = await signIn(sidecar, idp);
  expect((await visit(sidecar, futureJar, '/admin')).status).toBe(302);
  await sidecar.stop();
});

test('a sign-in is recent by a time with a fraction, too', async () => {
  const sidecar = await startWithRequirements([{ path: '/admin', maxAge: 60 }]);
  const now = Math.floor(Date.now() / 1000);
  const statusAfter = async (auth_time: number) => {
    idp.claims = { auth_time };
    const { jar } = await signIn(sidecar, idp);
    return (await visit(sidecar, jar, '/admin')).status;
  };
  expect([await statusAfter(now - 5.5), await statusAfter(now - 90.5)]).toEqual([200, 302]);
  await sidecar.stop();
});

test('a program is told what it needs (RFC 9470)', async () => {
  const sidecar = await startWithRequirements([{ path: '/admin', acrValues: ['mfa'], maxAge: 60 }]);
  const token = await idp.sign({ scp: 'user' });
  const answer = await request(sidecar.url, {
    path: '/admin',
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']?.[0]).toMatch(
    /error="insufficient_user_authentication".*acr_values="mfa", max_age="60"/,
  );
  await sidecar.stop();
});

test('the longest path wins, by whole segments, in every spelling that an app may read', async () => {
  const sidecar = await startWithRequirements([
    { path: '/admin', groups: ['admins'] },
    { path: '/admin/help', groups: ['readers', 'admins'] },
  ]);
  idp.claims = { groups: ['readers'] };
  const { jar } = await signIn(sidecar, idp);
  const status = async (path: string) => (await visit(sidecar, jar, path)).status;
  expect(await status('/administrators')).toBe(200);
  expect(await status('/admin/help/me')).toBe(200);
  for (const path of [
    '/admin',
    '/ADMIN/',
    '/%61dmin',
    '/x;y//admin',
    '/admin;x/y',
    '/admin%2Fhelp/..x',
  ])
    expect([path, await status(path)]).toEqual([
      path,
      // One is below /x, the other may be read as below /admin/help, where readers are let in.
      path.startsWith('/x') || path.includes('help') ? expect.any(Number) : 403,
    ]);
  // full-width letters and dots, and what servers of files leave out
  for (const path of [
    '/%EF%BD%81dmin',
    '/%E2%80%A5/admin',
    '/x/%EF%BC%8E./admin',
    '/admin.',
    '/admin%20/x',
    '/admin//help', // to some apps a page of /admin, to others one of /admin/help
    '/admin/help;x',
  ])
    expect([path, await status(path)]).toEqual([path, 403]);
  await sidecar.stop();
});

test('a requirement whose path needs an encoding applies to every spelling of it', async () => {
  const paths = ['/my%20files', '/caf%C3%A9', '/größe', '/plai%6e', '/wiki/Why%3F', '/100%'];
  const sidecar = await startWithRequirements(
    paths.map((path) => ({ path, groups: ['admins'] })),
    { unauthenticatedClientAction: 'AllowAnonymous' },
  );
  idp.claims = { groups: ['readers'] };
  const { jar } = await signIn(sidecar, idp);
  for (const path of [
    '/my%20files/secret',
    '/my%20file%73/secret',
    '/%6dy%20files',
    '/MY%2520files',
    '/c%61f%C3%A9',
    '/cafe%CC%81',
    '/gr%C3%B6%C3%9F%65',
    '/plain',
    '/wiki/wh%79%3f',
    '/wiki//why%3F/x',
    '/100%25/x',
  ]) {
    expect([path, (await visit(sidecar, jar, path)).status]).toEqual([path, 403]);
    const { status } = await request(sidecar.url, { path, headers: browser });
    expect([path, status]).toEqual([path, 302]);
  }
  for (const path of ['/my', '/my%20file', '/my%20filess', '/cafe', '/wiki/why', '/100'])
    expect([path, (await visit(sidecar, jar, path)).status]).toEqual([path, 200]);
  await sidecar.stop();
});

test('an excluded path is longer by its segments, not by its encoding', async () => {
  const sidecar = await startWithRequirements(
    [
      { path: '/café/x', groups: ['admins'] },
      { path: '/my%20files%20and%20more', groups: ['admins'] },
    ],
    { excludedPaths: ['/caf%C3%A9', '/my%20files%20and%20more/faq'] },
  );
  const status = async (path: string) =>
    (await request(sidecar.url, { path, headers: browser })).status;
  expect(await status('/caf%C3%A9/y')).toBe(200);
  expect(await status('/caf%C3%A9/x')).toBe(302);
  expect(await status('/caf%C3%A9/%78')).toBe(302);
  expect(await status('/my%20files%20and%20more/faq')).toBe(200);
  expect(await status('/my%20files%20and%20more/fa%71')).toBe(302);
  expect(await status('/my%20files%20and%20more/x')).toBe(302);
  await sidecar.stop();
});

test.each(['/v1;beta', '/v1%3Bbeta'])('the path %s is refused', async (path) => {
  const message = 'has a semicolon, at which the path ends for many apps; end it there, too';
  const start = async (...settings: Parameters<typeof startWithRequirements>) =>
    (await startWithRequirements(...settings)).stop();
  await expect(start([{ path, maxAge: 60 }])).rejects.toThrow(
    `requirements.0.path: "${path}" ${message}`,
  );
  await expect(start([], { excludedPaths: [path] })).rejects.toThrow(message);
});

test('one path in two encodings is listed twice', async () => {
  const requirements = [
    { path: '/my%20files', maxAge: 60 },
    { path: '/m%79%20files/*', maxAge: 60 },
  ];
  await expect(
    startWithRequirements(requirements).then((started) => started.stop()),
  ).rejects.toThrow('"/m%79%20files/*" is listed twice');
});

test('a path may require claims and e-mail domains', async () => {
  const sidecar = await startWithRequirements([
    { path: '/it', claims: { department: ['IT'] } },
    { path: '/corp', emailDomains: ['corp.example'] },
  ]);
  idp.claims = { department: 'IT', email: 'ada@corp.example' };
  const { jar } = await signIn(sidecar, idp);
  expect((await visit(sidecar, jar, '/it')).status).toBe(200);
  expect((await visit(sidecar, jar, '/corp')).status).toBe(200);
  idp.claims = { department: 'Sales', email: 'ada@evil.example' };
  const { jar: otherJar } = await signIn(sidecar, idp);
  expect((await visit(sidecar, otherJar, '/it')).status).toBe(403);
  expect((await visit(sidecar, otherJar, '/corp')).status).toBe(403);
  await sidecar.stop();
});

test('a requirement takes precedence over a shorter excluded path', async () => {
  const sidecar = await startWithRequirements([{ path: '/public/admin', groups: ['admins'] }], {
    excludedPaths: ['/public'],
  });
  const status = async (path: string) =>
    (await request(sidecar.url, { path, headers: browser })).status;
  expect(await status('/public/page')).toBe(200);
  expect(await status('/public/admin')).toBe(302);
  expect(await status('/public/%61dmin')).toBe(302);
  await sidecar.stop();
});

test('a sign-in that lands on an excluded path needs to be no stronger', async () => {
  const sidecar = await startWithRequirements([{ path: '/', acrValues: ['mfa'] }], {
    excludedPaths: ['/public/*'],
  });
  const loginTo = (landing: string) =>
    `/.auth/login/directory?post_login_redirect_uri=${encodeURIComponent(landing)}`;
  const { headers } = await request(sidecar.url, {
    path: loginTo('/public/page'),
    headers: browser,
  });
  const { searchParams } = new URL(headers['location']?.[0] ?? '');
  expect(searchParams.get('acr_values')).toBe(null);
  const { callbackAnswer, jar } = await signIn(sidecar, idp, loginTo('/public/page?x#y'));
  expect(callbackAnswer.status).toBe(302);
  expect(callbackAnswer.headers['location']).toEqual(['/public/page?x#y']);
  expect((await visit(sidecar, jar, '/private')).status).toBe(302);
  for (const landing of ['/private', '/publi%63/page;x'])
    expect((await signIn(sidecar, idp, loginTo(landing))).callbackAnswer.status).toBe(403);
  await sidecar.stop();
});

test('paths with full-width dots or slashes are not excluded', async () => {
  const sidecar = await startWithRequirements([], { excludedPaths: ['/public'] });
  for (const path of ['/public/%EF%BC%8E%EF%BC%8E/admin', '/public/%EF%BC%8F..%EF%BC%8Fadmin'])
    expect((await request(sidecar.url, { path, headers: browser })).status).toBe(302);
  await sidecar.stop();
});

test.each([
  [{ path: 'admin' }, 'globalValidation.requirements.0.path: must start with a slash'],
  [{ path: '/a', maxAge: 'soon' }, 'globalValidation.requirements.0.maxAge: "soon" is not a time'],
  [{ path: '/a', acrValue: ['x'] }, 'globalValidation.requirements.0.acrValue: is not a known'],
  [{ acrValues: ['x'] }, 'globalValidation.requirements.0.path: is required'],
  [{ path: '/a', groups: [] }, 'globalValidation.requirements.0.groups: must list at least one'],
  [{ path: '/a', acrValues: [] }, 'requirements.0.acrValues: must list at least one'],
  [{ path: '/a', emailDomains: [] }, 'requirements.0.emailDomains: must list at least one'],
  [{ path: '/a', acrValues: ['a b'] }, 'acrValues.0: "a b" has a space'],
])('%j is refused', async (entry, message) => {
  await expect(startWithRequirements([entry]).then((started) => started.stop())).rejects.toThrow(
    message,
  );
});
