import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, parseAnswer, request, sendRaw } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
let jar: CookieJar;
let ownOrigin: string;

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'Return401' },
      login: {
        allowedExternalRedirectUrls: ['https://friend.example/welcome'],
        tokenStore: { enabled: true },
      },
    }),
    upstream: app.url,
  });
  ownOrigin = sidecar.url;
  jar = (await signIn(sidecar, idp)).jar;
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => app.clear());

describe('changes with a cookie session', () => {
  const userAgent = { 'User-Agent': browser['User-Agent'] };
  test.each<[string, () => Record<string, string>, number]>([
    ['from the app itself', () => ({ ...userAgent, Origin: ownOrigin }), 200],
    [
      'with a referer of the app itself',
      () => ({ ...userAgent, Referer: `${ownOrigin}/form` }),
      200,
    ],
    ['from a program without origin and referer', () => ({}), 200],
    [
      'from an allowed origin',
      () => ({ ...userAgent, Origin: 'https://friend.example', 'Sec-Fetch-Site': 'cross-site' }),
      200,
    ],
    ['from a foreign origin', () => ({ ...userAgent, Origin: 'https://evil.example' }), 403],
    ['from a foreign origin by a program', () => ({ Origin: 'https://evil.example' }), 403],
    ['from a sandboxed frame', () => ({ ...userAgent, Origin: 'null' }), 403],
    ['from a foreign referer', () => ({ ...userAgent, Referer: 'https://evil.example/x' }), 403],
    [
      'from an origin that begins alike',
      () => ({ ...userAgent, Origin: `${ownOrigin}.evil.example` }),
      403,
    ],
    ['from the friend over http', () => ({ ...userAgent, Origin: 'http://friend.example' }), 403],
    [
      'marked as cross-site',
      () => ({ ...userAgent, Origin: ownOrigin, 'Sec-Fetch-Site': 'cross-site' }),
      403,
    ],
    ['marked as cross-site without origin', () => ({ 'Sec-Fetch-Site': 'cross-site' }), 403],
    ['from a browser without origin and referer', () => userAgent, 403],
  ])('%s', async (_, headers, status) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      expect(
        (await request(ownOrigin, { method, headers: { ...cookie(jar), ...headers() } })).status,
      ).toBe(status);
    }
    expect(app.requests).toHaveLength(status === 200 ? 5 : 0);
  });

  test('reads are allowed', async () => {
    expect(
      (
        await request(ownOrigin, {
          headers: { ...cookie(jar), ...userAgent, Origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(200);
  });

  test('two origins are refused', async () => {
    expect(
      (
        await request(ownOrigin, {
          method: 'POST',
          headers: { ...cookie(jar), Origin: [ownOrigin, 'https://evil.example'] },
        })
      ).status,
    ).toBe(400);
  });
});

test('a preflight without a session is not forwarded and not redirected', async () => {
  const headers = {
    Origin: 'https://evil.example',
    'Access-Control-Request-Method': 'PUT',
    ...browser,
  };
  expect((await request(ownOrigin, { method: 'OPTIONS', headers })).status).toBe(401);
  expect(app.requests).toEqual([]);
});

test.each(['/.auth/me', '/.auth/refresh'])('%s is for pages of the app only', async (path) => {
  for (const headers of [
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'null' },
  ]) {
    const answer = await request(ownOrigin, { path, headers: { ...cookie(jar), ...headers } });
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
});

test.each(['/.auth/refresh', '/.auth/login/directory', '/.auth/logout'])(
  'posting to %s from elsewhere is refused',
  async (path) => {
    const post = (headers: Record<string, string>): Promise<number> =>
      request(ownOrigin, { method: 'POST', path, headers: { ...cookie(jar), ...headers } }).then(
        ({ status }) => status,
      );
    expect(await post({ Referer: 'https://evil.example/page' })).toBe(403);
    expect(await post({ Origin: 'null' })).toBe(403);
    expect(await post({ 'User-Agent': browser['User-Agent'] })).toBe(403);
    expect(await post({ Origin: ownOrigin })).not.toBe(403);
  },
);

describe('WebSocket handshakes with a cookie session', () => {
  const handshake = (headers: string): string =>
    `GET /socket HTTP/1.1\r\nHost: ${new URL(ownOrigin).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: ${jar.header}\r\n${headers}\r\n`;
  test.each([
    ['a foreign origin', 'Origin: https://evil.example\r\n'],
    ['no origin by a browser', `User-Agent: ${browser['User-Agent']}\r\n`],
    ['the null origin', 'Origin: null\r\n'],
  ])('%s is refused', async (_, headers) => {
    expect(parseAnswer(await sendRaw(ownOrigin, handshake(headers))).status).toBe(403);
    expect(app.requests).toEqual([]);
  });

  test('without a session they are answered 401', async () => {
    expect(
      parseAnswer(await sendRaw(ownOrigin, handshake('').replace(/Cookie.*\r\n/, ''))).status,
    ).toBe(401);
  });
});
