import { loadConfig, problemsOf } from '../../../services/auth-sidecar/index.js';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
const running: SidecarUnderTest[] = [];
let app: RecordingApp;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (incoming.url === '/hangs') return true;
    if (incoming.url !== '/quiet') return false;
    response.flushHeaders();
    setTimeout(() => response.end('late'), 2000);
    return true;
  });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
afterEach(async () => {
  idp.delay = 0;
  app.clear();
  for (const each of running.splice(0)) await each.stop();
});

async function start(
  httpSettings: Record<string, unknown>,
  otherSettings: Record<string, unknown> = {},
): Promise<SidecarUnderTest> {
  const globalValidation = {
    unauthenticatedClientAction: 'Return401',
    excludedPaths: ['/hangs', '/quiet'],
  };
  const config = directoryConfig(idp, { globalValidation, httpSettings, ...otherSettings });
  const sidecar = await startUnderTest({ config, upstream: app.url });
  running.push(sidecar);
  return sidecar;
}

describe('httpSettings.clockTolerance', () => {
  test.each([
    ['iat', undefined, 401],
    ['iat', '00:00:00', 401],
    ['iat', '00:01:00', 200],
    ['nbf', undefined, 401],
    ['nbf', '00:01:00', 200],
  ])(
    'a token whose %s is half a minute ahead, with the tolerance %s, gets %i',
    async (name, clockTolerance, status) => {
      const sidecar = await start({ ...(clockTolerance && { clockTolerance }) });
      const token = await idp.sign({ [name]: Math.floor(Date.now() / 1000) + 30, scp: 'user' });
      const headers = { Authorization: `Bearer ${token}` };
      expect((await request(sidecar.url, { headers })).status).toBe(status);
      idp.claims = { [name]: Math.floor(Date.now() / 1000) + 30 };
      const { callbackAnswer } = await signIn(sidecar, idp);
      expect(callbackAnswer.status).toBe(status === 200 ? 302 : status);
      idp.claims = {};
    },
  );

  test.each([
    [undefined, 401],
    ['00:00:00', 401],
    ['00:01:00', 200],
  ])(
    'with the tolerance %s, a token that ended 30 seconds ago gets %i',
    async (clockTolerance, status) => {
      const sidecar = await start({ ...(clockTolerance && { clockTolerance }) });
      const exp = Math.floor(Date.now() / 1000) - 30;
      const token = await idp.sign({ aud: idp.clientId, exp });
      const headers = { Authorization: `Bearer ${token}` };
      expect((await request(sidecar.url, { headers })).status).toBe(status);
    },
  );
});

describe('httpSettings.maximumHeaderSize', () => {
  test.each([
    [undefined, 17, 431, 'longer than 16 KB'],
    [32 * 1024, 17, 401, ''],
    [32 * 1024, 33, 431, 'longer than 32 KB'],
    [9000, 10, 431, 'longer than 9000 bytes'],
  ])(
    'with the limit %s, headers of %i KB get %i',
    async (maximumHeaderSize, size, status, message) => {
      const sidecar = await start({ ...(maximumHeaderSize && { maximumHeaderSize }) });
      const headers = { 'X-Long': 'x'.repeat(size * 1024) };
      const answer = await request(sidecar.url, { headers });
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(message);
    },
  );
});

describe('httpSettings.appTimeout', () => {
  test('limits the silence of the app before its answer, and none afterwards', async () => {
    const sidecar = await start({ appTimeout: '00:00:01' });
    const before = performance.now();
    const [hung, quiet] = await Promise.all(
      ['/hangs', '/quiet'].map((path) => request(sidecar.url, { path })),
    );
    expect(hung?.status).toBe(504);
    expect(quiet?.body).toContain('late');
    expect(performance.now() - before).toBeLessThan(8000);
  });
});

describe('httpSettings.preflight.allowedPaths', () => {
  const preflight = { Origin: 'https://spa.example', 'Access-Control-Request-Method': 'PUT' };
  const sendPreflight = (
    sidecar: SidecarUnderTest,
    options: Parameters<typeof request>[1],
  ): Promise<RawAnswer> =>
    request(sidecar.url, {
      method: 'OPTIONS',
      path: '/api/orders',
      headers: preflight,
      ...options,
    });

  test('lets preflights of these paths reach the app, and nothing else', async () => {
    const sidecar = await start({ preflight: { allowedPaths: ['/api'] } });
    expect((await sendPreflight(sidecar, {})).status).toBe(200);
    expect(app.requests.map(({ method, url }) => [method, url])).toEqual([
      ['OPTIONS', '/api/orders'],
    ]);
    expect(app.requests[0]?.headers).toMatchObject({ 'access-control-request-method': 'PUT' });
    app.clear();
    for (const options of [
      { method: 'GET' },
      { path: '/other' },
      { path: '/api/../private' },
      { headers: { Origin: 'https://spa.example' } },
      { headers: { 'Access-Control-Request-Method': 'PUT' } },
      { body: 'x' },
      { headers: { ...preflight, 'Transfer-Encoding': 'chunked' } },
    ])
      expect([400, 401]).toContain((await sendPreflight(sidecar, options)).status);
    expect(app.requests).toEqual([]);
  });

  test('is empty by default', async () => {
    expect((await sendPreflight(await start({}), {})).status).toBe(401);
    expect(app.requests).toEqual([]);
  });
});

describe('httpSettings.providerTimeout', () => {
  test('limits how long a refresh waits for a hung provider, or for another refresh', async () => {
    const sidecar = await start(
      { providerTimeout: '00:00:02' },
      { login: { tokenStore: { enabled: true } } },
    );
    const { jar } = await signIn(sidecar, idp);
    idp.delay = 10_000;
    const before = performance.now();
    const answers = await Promise.all(
      [1, 2].map(() => request(sidecar.url, { path: '/.auth/refresh', headers: cookie(jar) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([504, 504]);
    expect(performance.now() - before).toBeLessThan(5000);
    // The session stays.
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
  });
});

test.each([
  ['clockTolerance', '01:00:00', /00:05:00 at most/],
  ['clockTolerance', 'x', /hh:mm:ss/],
  ['maximumHeaderSize', 100, /from 8192 to 262144/],
  ['appTimeout', '00:00:00', /greater than zero/],
  ['providerTimeout', '5', /greater than zero/],
  ['preflight.allowedPaths', ['/a/*/b'], /./],
])('httpSettings.%s: %j is refused', (name, value, message) => {
  const variable = `CASTELLAN_AUTH__httpSettings__${name.replace('.', '__')}`;
  const env = { [variable]: Array.isArray(value) ? value.join() : String(value) };
  let problems: ReturnType<typeof problemsOf> = [];
  try {
    loadConfig({ dialect: 'neutral', secrets: { env } });
  } catch (error) {
    problems = problemsOf(error);
  }
  expect(problems).toEqual([
    {
      property: expect.stringContaining(name.split('.')[0] ?? ''),
      message: expect.stringMatching(message),
    },
  ]);
});
