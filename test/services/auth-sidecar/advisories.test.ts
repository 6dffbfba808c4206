import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import {
  browser,
  CookieJar,
  parseAnswer,
  type RawAnswer,
  request,
  sendRaw,
} from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

/** The advisories that docs/security/advisories.md lists, each with an attack on this sidecar. */
const idp = new TestIdentityProvider();
const secretOfTheApp = 'content of the app';
const excludedPaths = ['/public'];
const validation = { unauthenticatedClientAction: 'Return401', excludedPaths };
let app: RecordingApp;
/** In front of the app: a session is needed but for /public. */
let closed: SidecarUnderTest;
/** In forward-auth mode: the first trusts the proxy that asks, the second does not. */
let forwardAuthSidecar: SidecarUnderTest;
let distrustingSidecar: SidecarUnderTest;
let jar: CookieJar;

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (!incoming.url?.startsWith('/private')) return false;
    response.end(secretOfTheApp);
    return true;
  });
  closed = await startUnderTest({
    config: directoryConfig(idp, { globalValidation: validation }),
    upstream: app.url,
    options: { forwardUserHeaders: true },
  });
  const forwardAuth = (trustedProxies: string[]): Promise<SidecarUnderTest> =>
    startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: validation,
        httpSettings: { forwardProxy: { convention: 'Standard' } },
      }),
      options: { trustedProxies, publicOrigins: ['http://app.example'] },
    });
  [forwardAuthSidecar, distrustingSidecar] = [
    await forwardAuth(['127.0.0.0/8']),
    await forwardAuth([]),
  ];
  ({ jar } = await signIn(closed, idp));
});
afterAll(async () => {
  for (const each of [closed, forwardAuthSidecar, distrustingSidecar]) await each.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => {
  app.clear();
  idp.claims = {};
});

type Headers = Readonly<Record<string, string | readonly string[]>>;

const get = (path: string, headers: Headers = {}, method = 'GET'): Promise<RawAnswer> =>
  request(closed.url, { path, headers, method });

/** Asks in forward-auth mode about a request. */
const check = (
  uri: string,
  headers: Headers = {},
  sidecar = forwardAuthSidecar,
): Promise<RawAnswer> =>
  request(sidecar.url, {
    path: '/.auth/check',
    headers: {
      Host: 'app.example',
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-Uri': uri,
      ...headers,
    },
  });

/** Neither way lets the request pass; each answers with a refusal, and the app sees nothing. */
async function expectRefused(path: string, headers: Headers = {}): Promise<void> {
  const [directAnswer, checkAnswer] = [await get(path, headers), await check(path, headers)];
  for (const { status } of [directAnswer, checkAnswer]) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect(app.requests).toEqual([]);
}

/** Names of headers as they reached the app, without what servers take for the same. */
const headerNames = (): string[] =>
  app.requests.flatMap(({ rawHeaders }) =>
    rawHeaders
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase().replace(/[^a-z]/g, '')),
  );

describe('oauth2-proxy', () => {
  test.each(['/private?x=/public', '/private?/public', '/private?a=b/public/', '/?/public'])(
    'GHSA-7rh7-c77v-6434: %s is not excluded by its query',
    (path) => expectRefused(path),
  );

  test('CVE-2025-64484: identity headers in other spellings do not reach the app', async () => {
    const forged = [
      'X_Forwarded_User',
      'X-Forwarded_User',
      'x_forwarded_email',
      'X.Forwarded.Groups',
    ];
    const identityHeaders = [
      'X_Svc_Client_Principal',
      'X-MS-CLIENT_PRINCIPAL_NAME',
      'X_Auth_Request_User',
    ];
    await get(
      '/public',
      Object.fromEntries([...forged, ...identityHeaders].map((name) => [name, 'admin'])),
    );
    await get('/x', {
      ...cookie(jar),
      ...Object.fromEntries(forged.map((name) => [name, 'admin'])),
    });
    expect(app.requests).toHaveLength(2);
    expect(app.bytes()).not.toContain('admin');
    // With a session the sidecar's own are there, once.
    expect(headerNames().filter((name) => name === 'xforwardeduser')).toHaveLength(1);
  });

  test('CVE-2026-40575: the path of a check is believed from trusted proxies only, and once', async () => {
    expect((await check('/public')).status).toBe(200);
    expect((await check('/public', {}, distrustingSidecar)).status).toBe(401);
    expect((await check('/private', { 'X-Original-Url': '/public' })).status).toBe(401);
    const repeatedUri = await check('/private', { 'X-Forwarded-Uri': ['/private', '/public'] });
    expect(repeatedUri.status).toBe(403);
  });

  test.each(['GoogleHC/1.0', 'kube-probe/1.30', 'ELB-HealthChecker/2.0', 'Envoy/HC'])(
    'CVE-2026-34457: the User-Agent %s opens nothing',
    (agent) => expectRefused('/private', { 'User-Agent': agent }),
  );

  test.each([
    '/private#/public',
    '/private#?/public',
    '/private%23/public',
    '/#/public',
    '/private?#/public',
  ])('CVE-2026-41059: a fragment does not exclude %s', (path) => expectRefused(path));

  test.each(['/public#/../private', '/public#'])('CVE-2026-41059: %s is no path', async (path) => {
    expect((await get(path)).status).toBe(400);
    expect((await check(path)).status).toBe(403);
  });

  test.each([
    'a@evil.example@corp.example',
    '"a@corp.example"@evil.example',
    'a@evil.example,b@corp.example',
  ])('CVE-2026-40574: %s has no address of corp.example', async (email) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { globalValidation: { allowedEmailDomains: ['corp.example'] } }),
      upstream: app.url,
    });
    idp.claims = { email, email_verified: true };
    expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(403);
    idp.claims = { email: 'a@corp.example', email_verified: true };
    expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(302);
    await sidecar.stop();
  });

  test('CVE-2026-34454: signing in again ends the session before', async () => {
    const first = await signIn(closed, idp);
    const before = cookie(first.jar);
    expect((await get('/x', before)).status).toBe(200);
    const secondSignIn = await signIn(closed, idp, undefined, first.jar);
    expect((await get('/x', cookie(secondSignIn.jar))).status).toBe(200);
    expect((await get('/x', before)).status).toBe(401);
  });
});

describe('Traefik', () => {
  const aliases = [
    'X_Forwarded_For',
    'X-Forwarded_Proto',
    'X_Forwarded-Host',
    'X_Real_Ip',
    'X_Forwarded_Uri',
  ];

  test.each(aliases)('CVE-2026-39858: %s is neither believed nor passed on', async (name) => {
    await get('/public', { [name]: '203.0.113.9' });
    expect(app.requests).toHaveLength(1);
    expect(app.bytes()).not.toContain('203.0.113.9');
    expect((await check('/private', { [name]: '/public' })).status).toBe(401);
  });

  test("GHSA-6384-m2mw-rf54: a client's X-Forwarded-Prefix changes no address and reaches no app", async () => {
    const prefix = { 'X-Forwarded-Prefix': '//evil.example' };
    await get('/public', prefix);
    expect(headerNames()).not.toContain('xforwardedprefix');
    for (const path of ['/.auth/login/directory', '/.auth/logout'])
      expect((await get(path, { ...browser, ...prefix })).text).not.toMatch(
        /(?:location|href)[^\r\n]*evil/i,
      );
  });

  test.each([
    '/public/../private',
    '/public/%2e%2e/private',
    '/public/..%2fprivate',
    '/public%2f..%2fprivate',
    '/public/..;/private',
    '/public\\..\\private',
    '/public/%252e%252e/private',
    '//public/../private',
    '/public/%c0%ae%c0%ae/private',
    '/%70rivate',
    '/private/%2e%2e/public',
    '/public;/../private',
  ])('GHSA-6jwx-7vp4-9847: %s is the same path to judge and app', (path) => expectRefused(path));
});

describe('authentik and Authelia', () => {
  test.each([
    'x',
    '',
    '%',
    'null',
    '{"sub":"admin"}',
    'a.b.c',
    'A'.repeat(4000),
    '..',
    '"',
    '\u00a0',
  ])('CVE-2026-25748: the session cookie %j signs no one in', async (value) => {
    for (const name of ['SvcAuthSession', '__Host-SvcAuthSession', 'AppServiceAuthSession'])
      await expectRefused('/private', { Cookie: `${name}=${value}` });
  });

  test('issue 18063: a session that cannot be loaded is no 200', async () => {
    const port = await freePort();
    const store: ChildProcess = spawn('redis-server', ['--port', String(port), '--save', ''], {
      stdio: 'ignore',
    });
    await waitUntilReachable(port);
    const tokenStore = `redis://127.0.0.1:${port}`;
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
      upstream: app.url,
      options: { tokenStore },
    });
    const session = cookie((await signIn(sidecar, idp)).jar);
    const ask = (path: string): Promise<RawAnswer> =>
      request(sidecar.url, { path, headers: session });
    expect([(await ask('/x')).status, (await ask('/.auth/check')).status]).toEqual([200, 200]);
    app.clear();
    store.kill();
    await new Promise((done) => store.once('exit', done));
    expect([(await ask('/x')).status, (await ask('/.auth/check')).status]).toEqual([503, 503]);
    expect(app.requests).toEqual([]);
    await sidecar.stop();
  });

  test.each(['LOCALHOST', 'localhost', '127.0.0.1.', '127.1', '127.0.0.1@evil.example'])(
    'CVE-2026-48794: no spelling of the host (%s) skips a rule',
    async (host) => {
      const { port } = new URL(closed.url);
      expect((await get('/private', { Host: `${host}:${port}` })).status).toBe(421);
      expect((await check('/private', { Host: 'APP.Example' })).status).toBe(401);
      expect((await check('/private', { Host: 'app.example.' })).status).toBe(421);
      expect(app.requests).toEqual([]);
    },
  );
});

describe('Envoy', () => {
  test('CVE-2026-47775: every changed byte of a session gets the same refusal', async () => {
    const [[name, value]] = [...jar.cookies] as [[string, string]];
    const answers = new Set<string>();
    for (let index = 0; index < value.length; index += Math.ceil(value.length / 60)) {
      const otherCharacter = value[index] === 'A' ? 'B' : 'A';
      const changed = value.slice(0, index) + otherCharacter + value.slice(index + 1);
      const { status, body } = await get('/private', { Cookie: `${name}=${changed}` });
      answers.add(`${status} ${body.replace(/"requestId":"[^"]*"/, '')}`);
    }
    for (const length of [1, 16, 17, 32, value.length - 1]) {
      const { status, body } = await get('/private', {
        Cookie: `${name}=${value.slice(0, length)}`,
      });
      answers.add(`${status} ${body.replace(/"requestId":"[^"]*"/, '')}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 /)]);
    expect(app.requests).toEqual([]);
  });

  test.each([
    'CONNECT app.example:443 HTTP/1.1',
    'CONNECT / HTTP/1.1',
    'CONNECT  HTTP/1.1',
    'CONNECT HTTP/1.1',
  ])('GHSA-8vc2-jrm4-835w: %s is refused, and others are served', async (line) => {
    const { host } = new URL(closed.url);
    const { status } = parseAnswer(await sendRaw(closed.url, `${line}\r\nHost: ${host}\r\n\r\n`));
    expect([400, 405]).toContain(status);
    expect((await check('/private', { 'X-Forwarded-Method': 'CONNECT' })).status).toBe(403);
    expect((await check('', { 'X-Forwarded-Method': 'CONNECT' })).status).toBe(403);
    expect((await get('/public')).status).toBe(200);
  });
});

describe('mod_auth_openidc', () => {
  test.each(['POST', 'GET', 'HEAD', 'PUT', 'OPTIONS'])(
    'CVE-2025-31492: %s without a session gets nothing of the app',
    async (method) => {
      for (const headers of [{}, browser]) {
        const answer = await get('/private', headers, method);
        expect(answer.status).toBe(401);
        expect(answer.text).not.toContain(secretOfTheApp);
      }
      expect(app.requests).toEqual([]);
    },
  );

  test.each([
    '/private',
    '/.auth/login/directory',
    '/.auth/login/directory/callback',
    '/.auth/logout',
    '/.auth/refresh',
  ])('CVE-2025-3891: an empty POST of %s is refused, and others are served', async (path) => {
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'x', undefined]) {
      const headers = type === undefined ? {} : { 'Content-Type': type };
      const { status } = await request(closed.url, {
        method: 'POST',
        path,
        headers,
        body: '',
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    expect((await get('/public')).status).toBe(200);
  });
});

describe('Pomerium', () => {
  test('CVE-2024-39315: no page holds tokens; /.auth/me has them with a token store, for own pages', async () => {
    const hasTokens = (answer: RawAnswer): boolean => /eyJ[\w-]{10}|_token/.test(answer.body);
    const paths = ['/.auth/me', '/.auth/login', '/.auth/logout/done', '/.auth/none', '/.auth'];
    for (const path of paths)
      expect(hasTokens(await get(path, { ...browser, ...cookie(jar) }))).toBe(false);
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login: { tokenStore: { enabled: true } } }),
      upstream: app.url,
    });
    const session = cookie((await signIn(sidecar, idp)).jar);
    const me = (headers: Headers): Promise<RawAnswer> =>
      request(sidecar.url, { path: '/.auth/me', headers: { ...session, ...headers } });
    expect(hasTokens(await me({ 'Sec-Fetch-Site': 'same-origin' }))).toBe(true);
    const foreignSites: Headers[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
    ];
    for (const from of foreignSites) {
      const foreign = await me(from);
      expect([foreign.status, hasTokens(foreign)]).toEqual([403, false]);
      expect(
        Object.keys(foreign.headers).filter((name) => name.startsWith('access-control')),
      ).toEqual([]);
    }
    await sidecar.stop();
  });

  test('GHSA-r7rh-jww5-5fjr: what is sealed for one purpose is not taken for another', async () => {
    const login = new CookieJar();
    login.take(await get('/.auth/login/directory', browser));
    const [[pendingName, pending]] = [...login.cookies] as [[string, string]];
    const [[sessionName, session]] = [...jar.cookies] as [[string, string]];
    await expectRefused('/private', { Cookie: `${sessionName}=${pending}` });
    for (const token of [pending, session]) {
      await expectRefused('/private', { Authorization: `Bearer ${token}` });
      await expectRefused('/private', { 'X-Svc-Auth': pending });
    }
    const state = pendingName.split('.').pop() ?? '';
    const callback = `/.auth/login/directory/callback?code=x&state=${state}`;
    const swapped = await get(callback, { ...browser, Cookie: `${pendingName}=${session}` });
    expect(swapped.status).toBeGreaterThanOrEqual(400);
    // A token for another app is not one for this one.
    await expectRefused('/private', {
      Authorization: `Bearer ${await idp.sign({ aud: 'another-app' })}`,
    });
  });
});

describe("the cloud's layer", () => {
  test('azure-container-apps #1815: no request reaches the app with neither principal nor excluded path', async () => {
    const attempts: Headers[] = [
      {},
      cookie(jar),
      { Cookie: 'SvcAuthSession=broken' },
      { Authorization: 'Bearer x' },
      { 'X-Svc-Auth': 'x' },
      browser,
    ];
    const sendAll = async (): Promise<void> => {
      await Promise.all(attempts.map((headers) => get('/data', headers)));
    };
    await sendAll();
    closed.write('no configuration');
    closed.reload();
    await sendAll();
    expect(app.requests).toHaveLength(2);
    for (const { headers } of app.requests)
      expect(headers['x-svc-client-principal-id']).toBe('subject-1');
  });
});

describe('docs/security/advisories.md', () => {
  test('names every advisory that is attacked here, and no other', () => {
    const ids = /\b(?:CVE-\d+-\d+|GHSA(?:-\w{4}){3}|issue 18063|azure-container-apps #1815)/g;
    const inPage = new Set(readFileSync('docs/security/advisories.md', 'utf8').match(ids));
    const inTests = new Set(readFileSync(__filename, 'utf8').match(ids));
    expect([...inTests].sort()).toEqual([...inPage].sort());
  });
});
