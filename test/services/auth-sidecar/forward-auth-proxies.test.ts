import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { describeWithTool } from '../../support/require-tool.js';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const examples = join(__dirname, '../../../examples/sidecar');
const directory = mkdtempSync(join(tmpdir(), 'forward-auth-'));
const idp = new TestIdentityProvider();
let app: RecordingApp;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await idp.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Writes a copy of the published example with the addresses of this test. */
function writeExample(file: string, addresses: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(examples, file), 'utf8');
  for (const [published, testAddress] of Object.entries(addresses)) {
    expect(text).toContain(published);
    text = text.replaceAll(published, testAddress);
  }
  const path = join(directory, file);
  writeFileSync(path, text);
  return path;
}

/**
 * The tests of a proxy that asks the sidecar about each request.
 *
 * @param start starts the proxy in front of the sidecar and the app
 */
function addProxyTests(start: (port: number, sidecar: string, app: string) => ChildProcess): void {
  let proxy: ChildProcess;
  let sidecar: SidecarUnderTest;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    sidecar = await startUnderTest({
      config: directoryConfig(idp, {
        globalValidation: {
          unauthenticatedClientAction: 'RedirectToLoginPage',
          excludedPaths: ['/public'],
        },
        httpSettings: { forwardProxy: { convention: 'Standard' } },
        login: { tokenStore: { enabled: true } },
      }),
      options: {
        trustedProxies: ['127.0.0.0/8', '::1'],
        publicOrigins: [url],
        forwardUserHeaders: true,
      },
    });
    proxy = start(port, new URL(sidecar.url).host, new URL(app.url).host);
    await waitUntilReachable(port);
  });
  afterAll(async () => {
    proxy.kill('SIGTERM');
    await sidecar.stop();
  });
  beforeEach(() => app.clear());

  const spoofedHeaders = {
    'X-SVC-CLIENT-PRINCIPAL-NAME': 'root',
    'X-SVC-CLIENT-PRINCIPAL-ID': 'root',
    'X-SVC-CLIENT-PRINCIPAL-IDP': 'root',
    'X-SVC-CLIENT-PRINCIPAL': 'root',
    'X-SVC-TOKEN-DIRECTORY-ACCESS-TOKEN': 'root',
    X_SVC_CLIENT_PRINCIPAL_NAME: 'root',
    'X-Forwarded-User': 'root',
    'X-Forwarded-Email': 'root',
    'X-Forwarded-Groups': 'root',
    'X-Forwarded-Uri': '/public',
    'X-Forwarded-Method': 'GET',
    'X-Forwarded-Host': 'evil.example',
  };
  const get = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<RawAnswer> =>
    request(url.replace('localhost', '127.0.0.1'), {
      path,
      method,
      headers: { Host: new URL(url).host, ...headers },
    });

  /** Signs in as a browser: follows the redirect of each answer. */
  async function signIn(): Promise<CookieJar> {
    const jar = new CookieJar();
    const redirect = await get('/orders?id=7', { ...browser });
    expect(redirect.status).toBe(302);
    const login = new URL(redirect.headers['location']?.[0] ?? '', url);
    expect(login.origin).toBe(url);
    const loginResponse = await get(login.pathname + login.search, { ...browser });
    jar.take(loginResponse);
    const callback = new URL(idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')));
    expect(callback.origin).toBe(url);
    const callbackResponse = await get(callback.pathname + callback.search, {
      ...browser,
      ...cookie(jar),
    });
    jar.take(callbackResponse);
    expect(callbackResponse.headers['location']).toEqual(['/orders?id=7']);
    return jar;
  }

  test('a person is sent to the sign-in and reaches the app with identity headers; sign-out ends the session', async () => {
    const jar = await signIn();
    expect(app.requests).toEqual([]);
    expect(
      (await get('/orders?id=7', { ...browser, ...cookie(jar), ...spoofedHeaders })).status,
    ).toBe(200);
    const [appRequest] = app.requests;
    expect(appRequest?.url).toBe('/orders?id=7');
    expect(appRequest?.headers).toMatchObject({
      'x-svc-client-principal-name': 'Ada Lovelace',
      'x-svc-client-principal-id': 'subject-1',
      'x-svc-client-principal-idp': 'directory',
      'x-svc-token-directory-access-token': expect.stringMatching(/^access-/),
      'x-forwarded-user': 'subject-1',
    });
    // the sidecar sends no groups: neither the client's header nor a proxy's placeholder arrives
    expect(appRequest?.headers['x-forwarded-groups'] ?? '').toBe('');
    expect(JSON.stringify(appRequest?.headers)).not.toContain('root');
    expect((await get('/orders', { ...cookie(jar), Origin: url }, 'POST')).status).toBe(200);
    expect(app.requests[1]?.method).toBe('POST');
    await get('/.auth/logout', { ...browser, ...cookie(jar) });
    expect((await get('/orders', { ...cookie(jar) })).status).toBe(401);
  });

  test('a program without a session gets 401, another site 403, and neither reaches the app', async () => {
    const anonymous = await get('/orders');
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([
      401,
      [expect.stringContaining('resource_metadata')],
    ]);
    const jar = await signIn();
    expect(
      (await get('/orders', { ...cookie(jar), ...browser, Origin: 'https://evil.example' }, 'POST'))
        .status,
    ).toBe(403);
    expect((await get('/orders', { ...spoofedHeaders })).status).toBe(401);
    expect((await get('/orders', { ...spoofedHeaders }, 'POST')).status).toBe(401);
    expect(app.requests).toEqual([]);
  });

  test("an excluded path reaches the app, without the client's own identity headers", async () => {
    expect((await get('/public/logo.svg', { ...spoofedHeaders })).status).toBe(200);
    const { headers } = app.requests[0] ?? { headers: {} };
    expect(JSON.stringify(headers)).not.toContain('root');
    expect(
      Object.entries(headers).filter(
        ([name, value]) =>
          /svc.client.principal|svc.token|forwarded.(user|email|groups)/.test(name) && value !== '',
      ),
    ).toEqual([]);
  });
}

describeWithTool('nginx', 'nginx with auth_request', (nginx) => {
  addProxyTests((port, sidecar, upstream) => {
    const file = writeExample('nginx.conf', {
      '127.0.0.1:8443': sidecar,
      '127.0.0.1:8080': upstream,
      'listen 8000': `listen 127.0.0.1:${port}`,
    });
    mkdirSync(join(directory, 'nginx'));
    const mainConfig = join(directory, 'nginx', 'main.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/nginx/${name};`)
      .join(' ');
    writeFileSync(
      mainConfig,
      `daemon off; pid ${directory}/nginx/pid; events {} http { access_log off; ${paths} include ${file}; }`,
    );
    return spawn(nginx, ['-c', mainConfig, '-e', 'stderr', '-g', 'user root;'], {
      stdio: 'ignore',
    });
  });
});

describeWithTool('caddy', 'caddy with forward_auth', (caddy) => {
  addProxyTests((port, sidecar, upstream) => {
    const file = writeExample('Caddyfile', {
      '127.0.0.1:8443': sidecar,
      '127.0.0.1:8080': upstream,
      ':8000': `http://localhost:${port}`,
    });
    const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
    return spawn(caddy, ['run', '--adapter', 'caddyfile', '--config', file], {
      stdio: 'ignore',
      env: { ...process.env, ...home },
    });
  });
});
