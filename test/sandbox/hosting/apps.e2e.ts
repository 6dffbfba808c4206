import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { waitUntil } from '../../support/wait-until.js';
import {
  authSettings,
  declareApp,
  people,
  registerApplication,
  startSandbox,
  type TestSandbox,
  withoutContainers,
} from '../e2e-support.js';

withoutContainers();

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** An app that streams, upgrades, echoes and says what it was started with. */
const serverProgram = `
const http = require('http');
const server = http.createServer((request, response) => {
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.write('data: first\\n\\n'); // and never ends
  }
  if (request.url === '/exit') return process.stdout.write('leaving\\n', () => process.exit(1));
  if (request.url === '/echo') return request.pipe(response);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ url: request.url, headers: request.headers, greeting: process.env.GREETING, password: process.env.PASSWORD, tenant: process.env.ARM_TENANT_ID ?? null }));
});
server.on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n');
  socket.on('data', (data) => socket.write('echo ' + data));
});
server.listen(process.env.PORT, '127.0.0.1');
`;

const putApps = (body: object): Promise<unknown> =>
  sandbox.send('PUT', `${sandbox.origin}/_castellan/apps`, {
    headers: { authorization: `Bearer ${sandbox.settings.adminToken}` },
    body,
  });
const addressOf = (app: string, path = '/'): string =>
  `https://${app}.localhost:${sandbox.settings.port}${path}`;

test("an app runs by its command, with its environment and secrets, without Terraform's variables", async () => {
  writeFileSync(join(sandbox.folder, 'server.js'), serverProgram);
  await putApps({ runs: { command: 'node server.js', env: { GREETING: 'hello' } } });
  await declareApp(sandbox, 'runs');
  const { body } = await waitUntil('the app', async () => {
    const answer = await sandbox.send('GET', addressOf('runs', '/path?q=%2F1'), {
      headers: { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-host': 'evil', forwarded: 'for=evil' },
    });
    return answer.status === 200 ? answer : undefined;
  });
  expect(body).toMatchObject({ url: '/path?q=%2F1', greeting: 'hello', tenant: null });
  expect(body.headers).toMatchObject({
    host: `runs.localhost:${sandbox.settings.port}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': `runs.localhost:${sandbox.settings.port}`,
  });
  expect(body.headers['x-forwarded-for']).not.toContain('6.6.6.6');
  expect(body.headers).not.toHaveProperty('forwarded');
});

test('a stopped app does not run until it is started, and lists its running replicas', async () => {
  const { body: apps } = await sandbox.api(
    'GET',
    `/subscriptions/${sandbox.settings.subscriptionId}/providers/Microsoft.App/containerApps?api-version=2025-07-01`,
  );
  const { id, properties } = apps.value.find(({ name }: { name: string }) => name === 'runs');
  const act = (action: string) => sandbox.api('POST', `${id}/${action}?api-version=2025-07-01`);
  const replicas = async (): Promise<{ name: string; properties: object }[]> =>
    (
      await sandbox.api(
        'GET',
        `${id}/revisions/${properties.latestRevisionName}/replicas?api-version=2025-07-01`,
      )
    ).body.value;
  const [first] = await replicas();
  expect(first).toMatchObject({
    name: expect.stringContaining(properties.latestRevisionName),
    properties: { runningState: 'Running' },
  });
  expect((await act('stop')).body.properties.runningStatus).toBe('Stopped');
  const stopped = await waitUntil('the stop', async () =>
    (await replicas()).length === 0 ? sandbox.send('GET', addressOf('runs')) : undefined,
  );
  expect([stopped.status, stopped.text]).toEqual([404, expect.stringContaining('runs is stopped')]);
  expect((await act('start')).status).toBe(202);
  await waitUntil('the app', async () =>
    (await sandbox.send('GET', addressOf('runs'))).status === 200 ? true : undefined,
  );
  const [second] = await replicas();
  expect(second?.name).not.toBe(first?.name);
});

test('a server-sent event arrives while the answer continues', async () => {
  const { port } = sandbox.settings;
  const first = await new Promise<string>((done, fail) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        servername: 'runs.localhost',
        ca: sandbox.ca,
        path: '/events',
        headers: { host: `runs.localhost:${port}` },
      },
      (answer) =>
        answer.once('data', (data: Buffer) => {
          done(data.toString());
          request.destroy();
        }),
    );
    request.once('error', fail);
    request.end();
  });
  expect(first).toBe('data: first\n\n');
});

test('request and response bodies arrive complete', async () => {
  const body = 'x'.repeat(3_000_000);
  expect((await sandbox.send('POST', addressOf('runs', '/echo'), { body })).text).toBe(body);
});

test('WebSockets are passed through byte for byte', async () => {
  const { port } = sandbox.settings;
  const received = await new Promise<string>((done, fail) => {
    const socket = connect(
      { host: '127.0.0.1', port, servername: 'runs.localhost', ca: sandbox.ca },
      () =>
        socket.write(
          `GET /chat HTTP/1.1\r\nHost: runs.localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
        ),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data;
      if (text.endsWith('\r\n\r\n')) socket.write('ping');
      if (text.includes('echo ping')) {
        done(text);
        socket.destroy();
      }
    });
    socket.once('error', fail);
  });
  expect(received).toMatch(/^HTTP\/1\.1 101 /);
});

test('an app that ends is restarted, and the file with its output is named', async () => {
  const { status, body } = await sandbox.send('GET', addressOf('runs', '/exit'));
  expect([status, body.error.message]).toEqual([
    502,
    expect.stringContaining('Its output is in .castellan/logs/runs.log.'),
  ]);
  await waitUntil('its output', () =>
    Promise.resolve(
      readFileSync(join(sandbox.folder, '.castellan/logs/runs.log'), 'utf8').includes('0 leaving')
        ? true
        : undefined,
    ),
  );
  await waitUntil('the app', async () =>
    (await sandbox.send('GET', addressOf('runs'))).status === 200 ? true : undefined,
  );
});

test('an app with sign-in is not served before its settings have arrived', async () => {
  await putApps({ guarded: { requiresAuth: true } });
  await declareApp(sandbox, 'guarded');
  const answer = await sandbox.send('GET', addressOf('guarded'), {
    headers: { accept: 'text/html' },
  });
  expect([answer.status, answer.text]).toEqual([
    503,
    expect.stringContaining('sign-in settings have not arrived yet'),
  ]);
});

test('replicas are protected as soon as sign-in is declared; a missing secret gives a 503 that says so', async () => {
  const { appId, secret } = await registerApplication(sandbox, 'guarded');
  const app = await declareApp(sandbox, 'guarded');
  await sandbox.api(
    'PUT',
    `${app}/authConfigs/current?api-version=2025-07-01`,
    authSettings(appId),
  );
  const refused = await waitUntil('the reason', async () => {
    const answer = await sandbox.send('GET', addressOf('guarded'));
    return answer.text.includes('directory-secret') ? answer : undefined;
  });
  expect(refused.status).toBe(503);
  await declareApp(sandbox, 'guarded', [{ name: 'directory-secret', value: secret }], {
    minReplicas: 2,
  });
  const redirect = await waitUntil('the sign-in layer', async () => {
    const answer = await sandbox.send('GET', addressOf('guarded', '/deep'), {
      headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' },
    });
    return answer.status === 302 ? answer : undefined;
  });
  expect(redirect.headers['location']).toContain('/.auth/login/directory');
  expect((await sandbox.send('GET', addressOf('guarded', '/healthz'))).status).toBe(200);
});

test('a script signs in with a token of its own and the session header', async () => {
  const applications = await sandbox.api(
    'GET',
    "/v1.0/applications?$filter=displayName eq 'Sign-in of guarded'".replaceAll(' ', '%20'),
  );
  const { appId } = applications.body.value[0];
  const form = {
    grant_type: 'password',
    client_id: appId,
    username: 'ada@contoso.example',
    scope: `openid ${appId}/.default`,
  };
  const token = await sandbox.send(
    'POST',
    `${sandbox.origin}/${sandbox.settings.tenantId}/oauth2/v2.0/token`,
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    },
  );
  const session = await sandbox.send('POST', addressOf('guarded', '/.auth/login/directory'), {
    body: { access_token: token.body.access_token },
  });
  expect([session.status, session.body]).toEqual([
    200,
    { authenticationToken: expect.any(String), user: { userId: expect.any(String) } },
  ]);
  // Replicas share sessions: whichever answers knows the token.
  for (let turn = 0; turn < 4; turn++) {
    const answer = await sandbox.send('GET', addressOf('guarded', '/me'), {
      headers: { 'x-svc-auth': session.body.authenticationToken },
    });
    const headers = Object.fromEntries(
      answer.body.headers.map(([name, value]: [string, string]) => [name.toLowerCase(), value]),
    );
    expect(headers).toMatchObject({
      'x-svc-client-principal-name': expect.stringMatching(/ada/i),
      'x-svc-client-principal-id': people.ada,
    });
  }
});

test('an app with sign-in is served at its own domain, where people sign in, too', async () => {
  const group = `/subscriptions/${sandbox.settings.subscriptionId}/resourceGroups/rg`;
  const app = `${group}/providers/Microsoft.App/containerApps/guarded?api-version=2025-07-01`;
  const customDomains = [{ name: 'shop.contoso.example', bindingType: 'Disabled' }];
  const answer = await sandbox.api('PATCH', app, {
    properties: { configuration: { ingress: { customDomains } } },
  });
  expect(answer.status).toBeLessThan(300);
  const headers = {
    host: 'Shop.contoso.example',
    accept: 'text/html',
    'user-agent': 'Mozilla/5.0',
  };
  const visit = (path: string) => sandbox.send('GET', addressOf('guarded', path), { headers });
  const page = await waitUntil('the domain', async () => {
    const candidate = await visit('/deep');
    return candidate.status === 302 ? candidate : undefined;
  });
  const login = new URL(String(page.headers['location']), 'https://shop.contoso.example');
  expect(login.host).toBe('shop.contoso.example');
  // the revision with the domain may still be replacing the one before
  const provider = await waitUntil('the sign-in', async () => {
    const candidate = await visit(`${login.pathname}${login.search}`);
    return candidate.status === 302 ? candidate : undefined;
  });
  expect(new URL(String(provider.headers['location'])).searchParams.get('redirect_uri')).toMatch(
    /^https:\/\/shop\.contoso\.example\/\.auth\//,
  );
  const foreign = await sandbox.send('GET', addressOf('guarded'), {
    headers: { ...headers, host: 'other.contoso.example' },
  });
  expect(foreign.status).not.toBe(302);
});

test('an undeclared app is a 404, and so is a deleted one', async () => {
  expect((await sandbox.send('GET', addressOf('nobody'))).status).toBe(404);
  const group = `/subscriptions/${sandbox.settings.subscriptionId}/resourceGroups/rg`;
  await sandbox.api(
    'DELETE',
    `${group}/providers/Microsoft.App/containerApps/runs?api-version=2025-07-01`,
  );
  await waitUntil('its end', async () =>
    (await sandbox.send('GET', addressOf('runs'))).status === 404 ? true : undefined,
  );
});

test('the reason of a failed command is reported', async () => {
  await putApps({ broken: { command: 'echo "no such port" >&2; exit 3' } });
  await declareApp(sandbox, 'broken');
  const answer = await waitUntil('the reason', async () => {
    const candidate = await sandbox.send('GET', addressOf('broken'));
    return candidate.text.includes('exit code 3') ? candidate : undefined;
  });
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('no such port')]);
});
