import {
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
let host: string;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'Return401' },
      login: { tokenStore: { enabled: true } },
    }),
    upstream: app.url,
    options: { adminListen: '127.0.0.1:0' },
  });
  host = new URL(sidecar.url).host;
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => app.clear());

describe('a request that pretends to be a health check', () => {
  const userAgents = [
    'kube-probe/1.31',
    'GoogleHC/1.0',
    'ELB-HealthChecker/2.0',
    'AlwaysOn',
    'HealthCheck/1.0',
    'Prometheus/3.0',
    'Envoy/HC',
  ];
  const paths = [
    '/',
    '/healthz',
    '/health',
    '/ping',
    '/ready',
    '/readyz',
    '/metrics',
    '/robots933456.txt',
    '/admin',
  ];

  test.each(userAgents)(
    '%s must sign in like every other, and nothing reaches the app',
    async (userAgent) => {
      const moreHeaders =
        'X-Ms-Allow-Http: true\r\nX-Health-Check: 1\r\nX-Forwarded-For: 127.0.0.1\r\n';
      for (const path of paths) {
        const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgent}\r\n${moreHeaders}Connection: close\r\n\r\n`;
        expect([path, parseAnswer(await sendRaw(sidecar.url, bytes, 1000)).status]).toEqual([
          path,
          401,
        ]);
      }
      expect(app.requests).toEqual([]);
    },
  );

  test('the admin port serves nothing else, neither the app nor sign-in routes', async () => {
    const admin = String(sidecar.admin);
    for (const path of [
      '/',
      '/x',
      '/.auth/me',
      '/.auth/login/directory',
      '/healthz/..',
      '//healthz',
      '/healthz/x',
    ])
      expect([path, (await request(admin, { path })).status]).toEqual([path, 404]);
    expect((await request(admin, { method: 'POST', path: '/healthz', body: 'x' })).status).toBe(
      405,
    );
    expect((await request(admin, { path: '/healthz?x=1' })).status).toBe(200);
    expect(app.requests).toEqual([]);
  });
});

describe('a request that tries to sign someone else out', () => {
  let jar: CookieJar;
  beforeEach(async () => (jar = (await signIn(sidecar, idp)).jar));
  const signedIn = async (): Promise<boolean> =>
    (await request(sidecar.url, { headers: { Cookie: jar.header } })).status === 200;

  test.each([
    ['a session id in the query', 'GET /.auth/logout?sid=SID&iss=ISS', ''],
    ['a session id on the last page', 'GET /.auth/logout/done?sid=SID&iss=ISS', ''],
    ['a logout token posted', 'POST /.auth/logout', 'logout_token=TOKEN'],
    [
      'a logout token posted to the callback',
      'POST /.auth/login/directory/callback',
      'logout_token=TOKEN',
    ],
    ['a logout token to a back channel', 'POST /.auth/logout/backchannel', 'logout_token=TOKEN'],
    ['a subject in the query', 'GET /.auth/logout?logout_hint=subject-1&id_token_hint=TOKEN', ''],
  ])('by %s signs no one out', async (_, line, body) => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = await idp.sign({ events, sid: 'sid-1', jti: 'j' }, { typ: 'logout+jwt' });
    const fill = (text: string): string =>
      text
        .replace('SID', 'sid-1')
        .replace('ISS', encodeURIComponent(idp.url))
        .replace('TOKEN', token);
    const content =
      body === ''
        ? ''
        : `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${fill(body).length}\r\n`;
    await sendRaw(
      sidecar.url,
      `${fill(line)} HTTP/1.1\r\nHost: ${host}\r\n${content}Connection: close\r\n\r\n${fill(body)}`,
      1000,
    );
    expect(await signedIn()).toBe(true);
  });

  test.each<[string, Record<string, string>]>([
    [
      'an image',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
    ],
    [
      'a frame',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
    ],
    [
      'a script',
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: 'https://evil.example' },
    ],
    [
      'a prefetch',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' },
    ],
  ])('by %s of another origin is refused, even with the cookie', async (_, headers) => {
    const answer = await request(sidecar.url, {
      path: '/.auth/logout',
      headers: { ...browser, ...headers, Cookie: jar.header },
    });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(await signedIn()).toBe(true);
  });

  test('a link that the person follows works', async () => {
    const navigationHeaders = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    const answer = await request(sidecar.url, {
      path: '/.auth/logout',
      headers: { ...browser, ...navigationHeaders, Cookie: jar.header },
    });
    expect(answer.status).toBe(302);
    expect(await signedIn()).toBe(false);
  });

  test('a made-up state at the last page leads nowhere', async () => {
    const path = '/.auth/logout/done?state=https://evil.example';
    const answer = await request(sidecar.url, {
      path,
      headers: { ...browser, Cookie: 'SvcAuthLanding=https://evil.example' },
    });
    expect([answer.status, answer.headers['location']]).toEqual([200, undefined]);
  });
});
