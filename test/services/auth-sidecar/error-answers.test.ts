import { createHash } from 'node:crypto';
import {
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, parseAnswer, type RawAnswer, request, sendRaw } from './support/raw-client.js';

const idp = new TestIdentityProvider();
let sidecar: SidecarUnderTest;
beforeAll(async () => {
  await idp.start();
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      login: { tokenStore: { enabled: true } },
      globalValidation: { excludedPaths: ['/open'] },
    }),
    upstream: 'http://127.0.0.1:9',
  });
});
afterAll(async () => {
  await sidecar.stop();
  await idp.close();
});

/** Every kind of refusal, with the request that gets it. */
const refusals: readonly (readonly [
  title: string,
  status: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
])[] = [
  ['dot segments', 400, 'GET', '/a/../b', {}],
  ['a broken encoding', 400, 'GET', '/.auth/login/%zz', {}],
  [
    'a redirect to another site',
    400,
    'GET',
    '/.auth/login/directory?post_login_redirect_uri=https://evil.example',
    {},
  ],
  ['a method that is never accepted', 405, 'TRACE', '/', {}],
  ['a method that the route does not accept', 405, 'PUT', '/.auth/login/directory', {}],
  ['no session', 401, 'GET', '/.auth/me', {}],
  [
    'a callback without a sign-in',
    401,
    'GET',
    '/.auth/login/directory/callback?state=x&code=y',
    {},
  ],
  ['an unknown route', 404, 'GET', '/.auth/nothing', {}],
  ['another spelling of a route', 404, 'GET', '/.AUTH/me', {}],
  ['another host', 421, 'GET', '/', { Host: 'elsewhere.example' }],
  ['an app that does not answer', 502, 'GET', '/open', {}],
];

describe('refusals', () => {
  test.each(refusals)(
    '%s: %d as a page for people, with a strict policy',
    async (_, status, method, path, headers) => {
      const answer = await request(sidecar.url, {
        method,
        path,
        headers: { ...browser, ...headers },
      });
      expect(answer.status).toBe(status);
      expectPage(answer);
      expect(answer.body).toContain(`<p class="facts">${status} &middot; request `);
    },
  );

  test.each(refusals)('%s: %d as JSON for programs', async (_, status, method, path, headers) => {
    const answer = await request(sidecar.url, {
      method,
      path,
      headers: { Accept: 'application/json', ...headers },
    });
    expect(answer.status).toBe(status);
    expectJson(answer, status);
    expect(JSON.parse(answer.body)).toHaveProperty('requestId');
  });

  test('failed posted sign-ins answer JSON, for every client', async () => {
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: browser,
      body: '{',
    });
    expectJson(answer, 415);
  });

  test.each<[title: string, status: number, request: string]>([
    ['bytes that are not HTTP', 400, 'GARBAGE\r\n\r\n'],
    ['an HTTP/2 preface', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['headers that are too large', 431, 'GET / HTTP/1.1\r\nHost: HOST\r\nCookie: HUGE\r\n\r\n'],
    ['a tunnel', 405, 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'],
    ['an unknown expectation', 417, 'GET / HTTP/1.1\r\nHost: HOST\r\nExpect: tea\r\n\r\n'],
    [
      'a WebSocket handshake without a key',
      400,
      'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['an unknown version of HTTP', 505, 'GET / HTTP/2.0\r\nHost: HOST\r\n\r\n'],
  ])('%s: %d as JSON, and the connection ends', async (_, status, template) => {
    const text = template
      .replace('HOST', new URL(sidecar.url).host)
      .replace('HUGE', 'x'.repeat(17_000));
    const answer = parseAnswer(await sendRaw(sidecar.url, text));
    expectJson(answer, status);
    expect(answer.headers['connection']).toEqual(['close']);
  });

  test("a session cookie that has ended is also cleared by the sidecar's own routes", async () => {
    const { jar } = await signIn(sidecar, idp);
    const headers = { Cookie: jar.header, Accept: 'application/json' };
    await request(sidecar.url, { path: '/.auth/logout', headers });
    for (const path of ['/.auth/me', '/.auth/refresh']) {
      const answer = await request(sidecar.url, { path, headers });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([
        401,
        [expect.stringMatching(/^SvcAuthSession=; .*Max-Age=0/)],
      ]);
      expect(answer.headers['www-authenticate']?.[0]).toMatch(
        /^Bearer resource_metadata="http:\/\/127/,
      );
    }
  });
});

/** A whole page that can run nothing, load nothing, be framed nowhere and is never kept. */
function expectPage({ headers, body }: RawAnswer): void {
  expect(headers['content-type']).toEqual(['text/html; charset=utf-8']);
  expect(headers['cache-control']).toEqual(['no-store']);
  expect(headers['x-content-type-options']).toEqual(['nosniff']);
  expect(headers['x-frame-options']).toEqual(['DENY']);
  const policy = headers['content-security-policy']?.[0] ?? '';
  for (const rule of [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
  expect(policy).not.toContain('unsafe');
  const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? '';
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(body).not.toContain('<script');
  expect(body).toMatch(/^<!doctype html><html lang="en">/);
}

function expectJson({ status, headers, body }: RawAnswer, expected: number): void {
  expect(status).toBe(expected);
  expect(headers['content-type']).toEqual(['application/json; charset=utf-8']);
  expect(JSON.parse(body)).toMatchObject({
    code: expected,
    message: expect.stringMatching(/^[A-Z0-9].*\.$/) as string,
  });
}
