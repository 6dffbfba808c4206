import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import type { SidecarUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import type { CookieJar } from './support/raw-client.js';
import { parseAnswer, request, sendRaw } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import type { RecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let open: SidecarUnderTest;
let closed: SidecarUnderTest;
let jar: CookieJar;

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  const excluded = { excludedPaths: ['/public', '/health/live', '/'] };
  open = await startUnderTest({
    config: directoryConfig(idp, { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' } }),
    upstream: app.url,
  });
  closed = await startUnderTest({
    config: directoryConfig(idp, { globalValidation: { unauthenticatedClientAction: 'Return401', ...excluded } }),
    upstream: app.url,
  });
  jar = (await signIn(closed, idp)).jar;
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => app.clear());

const identity = /client.?principal|svc.?token|ms.?token|zumo|svc.?auth/i;
const host = (): string => new URL(open.listening).host;

describe('identity headers', () => {
  const aliases = [
    'X-SVC-CLIENT-PRINCIPAL-NAME',
    'x-svc-client-principal',
    'X_SVC_CLIENT_PRINCIPAL_NAME',
    'X.SVC.CLIENT.PRINCIPAL.NAME',
    'X-SVC-CLIENT_PRINCIPAL-ID',
    'xsvcclientprincipalid',
    "X'SVC|CLIENT~PRINCIPAL^NAME",
    'X-SVC-CLIENT-PRINCIPAL-ANYTHING',
    'X-Svc-Token-Directory-Access-Token',
    'X_SVC.TOKEN-SEARCH-ID-TOKEN',
    'X-MS-CLIENT-PRINCIPAL-NAME',
    'x_ms_client_principal',
    'X-MS-TOKEN-AAD-ACCESS-TOKEN',
    'X-ZUMO-AUTH',
    'X-SVC-AUTH',
    'X.SVC.AUTH',
    '`X`SVC`CLIENT`PRINCIPAL`',
  ];

  test.each(aliases)('%s from outside never reaches the app', async (name) => {
    expect((await request(open.listening, { headers: { [name]: 'admin', [`${name}-2`]: 'admin' } })).status).toBe(200);
    expect(app.requests[0]?.rawHeaders.filter((each) => identity.test(each) || each === 'admin')).toEqual([]);
  });

  test.each(['/public/x', '/health/live', '/'])('also not on the excluded path %s', async (path) => {
    await request(closed.listening, { path, headers: { 'X-SVC-CLIENT-PRINCIPAL-NAME': 'admin', x_svc_client_principal_id: '1' } });
    expect(app.requests[0]?.rawHeaders.filter((each) => identity.test(each))).toEqual([]);
  });

  test('of the session stand once, whatever the client sends', async () => {
    await request(closed.listening, { headers: { ...cookie(jar), 'X-SVC-CLIENT-PRINCIPAL-NAME': ['admin', 'root'] } });
    const raw = app.requests[0]?.rawHeaders ?? [];
    const names = raw.filter((each, index) => index % 2 === 0 && /principal-name/i.test(each));
    expect(names).toEqual(['X-SVC-CLIENT-PRINCIPAL-NAME']);
    expect(raw[raw.indexOf('X-SVC-CLIENT-PRINCIPAL-NAME') + 1]).toBe('Ada Lovelace');
  });

  test.each(['X-SVC-CLIENT-PRINCIPAL-NAME', 'x-svc-client-principal-id, X-Svc-Client-Principal', 'X-Forwarded-For, close', 'host'])(
    'cannot be taken away by naming "%s" in Connection',
    async (tokens) => {
      await request(closed.listening, { headers: { ...cookie(jar), Connection: tokens } });
      expect(app.requests[0]?.headers).toMatchObject({
        'x-svc-client-principal-name': 'Ada Lovelace',
        'x-svc-client-principal-id': 'subject-1',
        'x-forwarded-for': '127.0.0.1',
        host: new URL(closed.listening).host,
      });
    },
  );

  test('do not arrive as trailers', async () => {
    const body = '3\r\nabc\r\n0\r\nX-SVC-CLIENT-PRINCIPAL-NAME: admin\r\n\r\n';
    await sendRaw(
      open.listening,
      `POST / HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\nTrailer: X-SVC-CLIENT-PRINCIPAL-NAME\r\n\r\n${body}`,
    );
    expect(app.requests[0]?.body).toBe('abc');
    expect(app.bytes()).not.toMatch(/admin|Trailer/);
  });

  test('headers that the client names in Connection stay behind', async () => {
    await request(open.listening, { headers: { Connection: 'x-secret, keep-alive', 'X-Secret': '1', 'X-Kept': '2' } });
    expect(app.requests[0]?.headers['x-secret']).toBeUndefined();
    expect(app.requests[0]?.headers['x-kept']).toBe('2');
  });

  test("the sidecar's own cookies stay behind, the app's go on", async () => {
    await request(closed.listening, {
      headers: { Cookie: `a=1; ${jar.header}; SvcAuthLogin.x=2; __Host-SvcAuthSession=y; AppServiceAuthSession=z; b="2 3"` },
    });
    expect(app.requests[0]?.headers['cookie']).toBe('a=1; b="2 3"');
  });
});

describe('request targets', () => {
  const refused = [
    'http://evil.example/admin',
    `http://127.0.0.1/`,
    'evil.example:443',
    '*',
    '//evil.example/x',
    '/a/../b',
    '/a/./b',
    '/..',
    '/a/..;/b',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/a/..%2fb',
    '/a/..%5cb',
    '/a/%252e%252e/b',
    '/a/%25252e%25252e%25252fb',
    '/a\\..\\b',
    '/a#b',
    '/a%00b',
    '/a%0d%0ab',
    '/a%250ab',
    '/a%7f',
    '/%c0%ae%c0%ae/b',
    '/%e0%80%af',
    '/%c1%9c',
    '/%ff',
    '/a%zz',
    '/a%2',
    '/a?x#y',
  ];

  test.each(refused)('%s is refused and nothing reaches the app', async (path) => {
    for (const sidecar of [open, closed]) {
      const answer = await request(sidecar.listening, { path, headers: cookie(jar) });
      expect(answer.status).toBe(400);
    }
    expect(app.requests).toEqual([]);
  });

  test.each([
    '/a%2Fb',
    '/@scope%2fpackage',
    '/a//b',
    '/a;v=1/b',
    '/%C3%A9',
    '/a%20b?x=%2e%2e/&y=\\',
    "/!$&'()*+,=:@",
    '/a%25b',
    '/.well-known/x',
    '/...',
    '/a?b?c',
  ])('%s is forwarded byte for byte', async (path) => {
    expect((await request(closed.listening, { path, headers: cookie(jar) })).status).toBe(200);
    expect(app.requests[0]?.url).toBe(path);
  });

  test.each([
    '/.AUTH/me',
    '/.Auth',
    '/%2eauth/me',
    '/%2Eauth',
    '/.%61uth/login',
    '/.auth%2fme',
    '/.auth%5cme',
    '/.auth;x/me',
    '/x//..%2f.auth',
    '/%252eauth/me',
    '/.auth//me',
    '/.auth/',
    '/.auth',
    '/.auth/unknown',
    '/.auth/me/',
    '/.auth/login/nobody',
    '/.auth/login/directory/callback/x',
    '/.auth/login/directory/other',
  ])('%s is not forwarded, for the app might read it as a path of the sidecar', async (path) => {
    for (const sidecar of [open, closed]) {
      const answer = await request(sidecar.listening, { path, headers: cookie(jar) });
      expect([400, 404]).toContain(answer.status);
    }
    expect(app.requests).toEqual([]);
  });

  test.each(['/public', '/public/', '/public/a/b', '/PUBLIC/x', '/Public?x=/secret', '/health/live', '/'])(
    '%s is excluded from sign-in',
    async (path) => {
      expect((await request(closed.listening, { path })).status).toBe(200);
      expect(app.requests[0]?.url).toBe(path);
    },
  );

  test.each([
    '/publicity',
    '/secret?/public',
    '/secret/public',
    '/health',
    '/public%2f..%2fsecret',
    '/public/..%2fsecret',
    '/public%2fx',
    '/public//x',
    '/public/;x',
    '/pub%6cic',
    '/public%3b/x',
    '/publi%63/x',
    '/x',
  ])('%s is not excluded from sign-in', async (path) => {
    expect([400, 401]).toContain((await request(closed.listening, { path })).status);
    expect(app.requests).toEqual([]);
  });

  test.each(['TRACE', 'TRACK', 'CONNECT'])('%s is refused', async (method) => {
    const target = method === 'CONNECT' ? 'internal:80' : '/public';
    expect(parseAnswer(await sendRaw(closed.listening, `${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(app.requests).toEqual([]);
  });
});

describe('hosts', () => {
  test.each([
    ['another', 'evil.example'],
    ['a trailing dot', '127.0.0.1.'],
    ['none of ours by userinfo', 'x@127.0.0.1'],
    ['an empty', ''],
  ])('%s host is misdirected', async (_, given) => {
    expect(parseAnswer(await sendRaw(open.listening, `GET / HTTP/1.1\r\nHost: ${given}\r\nConnection: close\r\n\r\n`)).status).toBe(421);
    expect(app.requests).toEqual([]);
  });

  test('two hosts are refused', async () => {
    const answer = await sendRaw(open.listening, `GET / HTTP/1.1\r\nHost: ${host()}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(parseAnswer(answer).status).toBe(400);
    expect(app.requests).toEqual([]);
  });

  test('letter case does not count', async () => {
    const named = await startUnderTest({
      config: directoryConfig(idp, { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' } }),
      upstream: app.url,
      options: { publicOrigins: ['https://App.Example', 'https://other.example:8443'] },
    });
    expect((await request(named.listening, { headers: { Host: 'APP.example' } })).status).toBe(200);
    expect((await request(named.listening, { headers: { Host: 'other.example:8443' } })).status).toBe(200);
    expect((await request(named.listening, { headers: { Host: 'other.example' } })).status).toBe(421);
    expect((await request(named.listening, { headers: { Host: new URL(named.listening).host } })).status).toBe(421);
    await named.stop();
  });
});

describe('framing', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const cases: [string, string][] = [
    ['a content length and a transfer encoding', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two content lengths', `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a signed content length', `Content-Length: +2\r\n\r\nab`],
    ['a list of content lengths', `Content-Length: 2, 2\r\n\r\nab`],
    ['another transfer encoding', `Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['identity encoding', `Transfer-Encoding: identity\r\n\r\n${smuggled}`],
    ['chunked twice', `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['two transfer encodings', `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
    ['chunked in other letters', `Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`],
    ['a disguised transfer encoding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a tab in the transfer encoding', `Transfer-Encoding:\tchunked \x0b\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['a bare line feed', `X-A: b\nContent-Length: 3\r\n\r\nabc`],
    ['a bad chunk size', `Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n`],
    ['a negative chunk size', `Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n0\r\n\r\n`],
    ['a chunk without its end', `Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n`],
  ];

  test.each(cases)('%s is refused and smuggles nothing', async (_, rest) => {
    const answer = await sendRaw(open.listening, `POST /first HTTP/1.1\r\nHost: ${host()}\r\n${rest}`);
    expect(answer.match(/HTTP\/1\.1 2/g)).toBeNull();
    expect(app.requests.filter(({ url }) => url === '/smuggled')).toEqual([]);
    expect(app.bytes()).not.toContain('smuggled');
  });

  test('aliases of framing headers stay behind', async () => {
    await request(open.listening, {
      method: 'POST',
      headers: { Transfer_Encoding: 'chunked', Content_Length: '3', 'Content.Length': '9' },
      body: 'abc',
    });
    expect(app.requests[0]?.body).toBe('abc');
    expect(app.requests[0]?.rawHeaders.filter((each) => /^(content|transfer).(length|encoding)$/i.test(each))).toEqual(['Content-Length']);
  });

  test('chunks over HTTP/1.0 are refused', async () => {
    const answer = await sendRaw(
      open.listening,
      `POST / HTTP/1.0\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(parseAnswer(answer).status).toBe(400);
    expect(app.requests).toEqual([]);
  });

  test('headers over 16 KB get 431', async () => {
    expect((await request(open.listening, { headers: { 'X-Long': 'a'.repeat(17 * 1024) } })).status).toBe(431);
    expect((await request(open.listening, { path: `/${'a'.repeat(17 * 1024)}` })).status).toBe(431);
  });

  test('upgrades to anything but WebSocket are refused', async () => {
    for (const protocol of ['h2c', 'h2c, websocket', 'TLS/1.0', 'websocket, h2c']) {
      const answer = await sendRaw(
        open.listening,
        `GET / HTTP/1.1\r\nHost: ${host()}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
      );
      expect(parseAnswer(answer).status).toBe(400);
    }
    expect(app.requests).toEqual([]);
  });

  test('pipelined requests keep their own identity', async () => {
    const { host: closedHost } = new URL(closed.listening);
    const mine = `GET /mine HTTP/1.1\r\nHost: ${closedHost}\r\nCookie: ${jar.header}\r\n\r\n`;
    const none = `GET /public/none HTTP/1.1\r\nHost: ${closedHost}\r\n\r\n`;
    await sendRaw(closed.listening, mine + none + mine + none);
    expect(app.requests.map(({ url, headers }) => [url, headers['x-svc-client-principal-id']])).toEqual([
      ['/mine', 'subject-1'],
      ['/public/none', undefined],
      ['/mine', 'subject-1'],
      ['/public/none', undefined],
    ]);
  });
});

describe('forwarding headers', () => {
  const spoofed = {
    'X-Forwarded-For': '1.2.3.4',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    X_Forwarded_For: '1.2.3.4',
    'X-Forwarded-Prefix': '/admin',
    'X-Forwarded-Uri': '/public',
    'X-Forwarded-Port': '1',
    Forwarded: 'for=1.2.3.4;host=evil.example',
    'X-Real-IP': '1.2.3.4',
    'X-Original-URL': '/admin',
    'X-Rewrite-Url': '/admin',
  };

  test('of strangers never reach the app and decide nothing', async () => {
    expect((await request(open.listening, { headers: spoofed })).status).toBe(200);
    expect(app.bytes()).not.toMatch(/1\.2\.3\.4|evil\.example|admin/);
    expect(app.requests[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect((await request(closed.listening, { path: '/x', headers: spoofed })).status).toBe(401);
  });

  test.each([
    ['NoProxy', {}, 421],
    ['Standard', {}, 200],
    ['Custom', { customHostHeaderName: 'X-Forwarded-Host', customProtoHeaderName: 'X-Forwarded-Proto' }, 200],
  ])('of a trusted proxy count as the convention %s says', async (convention, names, status) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
        httpSettings: { forwardProxy: { convention, ...names } },
      }),
      upstream: app.url,
      options: { publicOrigins: ['https://app.example'], trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] },
    });
    const headers = {
      Host: 'inner',
      'X-Forwarded-Host': 'app.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '6.6.6.6, 9.9.9.9, 10.0.0.7',
    };
    const answer = await request(sidecar.listening, { headers });
    expect(answer.status).toBe(status);
    if (status === 200) {
      expect(app.requests[0]?.headers).toMatchObject({
        host: 'app.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '9.9.9.9, 10.0.0.7, 127.0.0.1',
      });
      const twice = await request(sidecar.listening, { headers: { ...headers, 'X-Forwarded-Host': ['app.example', 'evil.example'] } });
      expect(twice.status).toBe(400);
    }
    await sidecar.stop();
  });

  test.each([
    [{ requireHttps: true }, [], {}, 307],
    [{ requireHttps: true }, ['127.0.0.1'], {}, 200],
    [{ requireHttps: false }, [], {}, 200],
    [{}, [], {}, 200],
    [{ forwardProxy: { convention: 'Standard' } }, ['127.0.0.1'], { 'X-Forwarded-Proto': 'http' }, 307],
    [{ forwardProxy: { convention: 'Standard' } }, ['127.0.0.1'], { 'X-Forwarded-Proto': 'https' }, 200],
  ])('https with %j, trusting %j, given %j: %i', async (httpSettings, trustedProxies, headers, status) => {
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' }, httpSettings }),
      upstream: app.url,
      options: { publicOrigins: ['https://app.example'], trustedProxies },
    });
    const answer = await request(sidecar.listening, { path: '/a%20b//c?x=%2e&y', headers: { Host: 'app.example', ...headers } });
    expect(answer.status).toBe(status);
    if (status === 307) expect(answer.headers['location']).toEqual(['https://app.example/a%20b//c?x=%2e&y']);
    await sidecar.stop();
  });
});
