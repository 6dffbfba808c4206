import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCli, startCastellan } from '../../support/cli.js';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { describeWithTool } from '../../support/require-tool.js';
import { cookie, directoryConfig } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, request } from './support/raw-client.js';

const idp = new TestIdentityProvider();
const folder = mkdtempSync(join(tmpdir(), 'sidecar-everywhere-'));
const secrets = join(folder, 'secrets');
const file = join(folder, 'auth.json');
const host = { ...browser, Host: 'app.example' };
/** An app that holds every connection: an event stream, or a WebSocket. */
const app = http.createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: first\n\n');
});
app.on('upgrade', (incoming, socket) => {
  const accept = createHash('sha1')
    .update(`${String(incoming.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.on('error', () => socket.destroy());
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
});

beforeAll(async () => {
  await idp.start();
  mkdirSync(secrets);
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  writeFileSync(join(secrets, 'directory-secret'), idp.secret);
  writeFileSync(join(secrets, 'shared-key'), 'a key of at least sixteen characters');
  const login = { tokenStore: { enabled: true } };
  const encryptionSettings = { containerAppAuthEncryptionSecretName: 'shared-key' };
  writeFileSync(file, JSON.stringify(directoryConfig(idp, { login, encryptionSettings })));
});
afterAll(async () => {
  app.closeAllConnections();
  app.close();
  await idp.close();
  rmSync(folder, { recursive: true, force: true });
});

function startSidecar(...moreFlags: string[]): Promise<RunningCli> {
  const options = {
    config: file,
    upstream: `http://127.0.0.1:${String((app.address() as AddressInfo).port)}`,
    listen: '127.0.0.1:0',
    'admin-listen': '127.0.0.1:0',
    'public-origin': 'http://app.example',
    secrets,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return startCastellan(['sidecar', ...flags, ...moreFlags], { cwd: folder });
}

async function signIn(listening: string): Promise<string> {
  const jar = new CookieJar();
  const login = await request(listening, { path: '/.auth/login/directory', headers: host });
  jar.take(login);
  const { pathname, search } = new URL(
    idp.authorize(new URL(login.headers['location']?.[0] ?? '')),
  );
  const path = pathname + search;
  jar.take(await request(listening, { path, headers: { ...host, ...cookie(jar) } }));
  return `Cookie: ${jar.header}\r\n`;
}

/** Opens an event stream or a WebSocket and waits until the app has answered. */
async function openConnection(listening: string, session: string, kind: 'stream' | 'socket') {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://app.example\r\n';
  const socket = net.connect(Number(new URL(listening).port), '127.0.0.1');
  const state = { isClosed: false, text: '' };
  socket.on('close', () => (state.isClosed = true)).on('error', () => undefined);
  socket.on('data', (part: Buffer) => (state.text += part.toString()));
  socket.write(
    `GET / HTTP/1.1\r\nHost: app.example\r\n${session}${kind === 'socket' ? upgrade : ''}\r\n`,
  );
  const answer = kind === 'socket' ? '101 Switching' : 'data: first';
  await expect.poll(() => state.text).toContain(answer);
  return state;
}

/** Ends everything at one operators' port; how many milliseconds it takes until all have closed. */
async function millisecondsToEnd(admin: string, states: readonly { readonly isClosed: boolean }[]) {
  await new Promise((done) => setTimeout(done, 1100));
  const beganMs = Date.now();
  const { status } = await request(admin, {
    method: 'POST',
    path: '/admin/sessions/end',
    headers: { 'Content-Type': 'application/json' },
    body: '{"subject":"subject-1"}',
  });
  expect(status).toBe(200);
  await vi.waitFor(() => expect(states.every(({ isClosed }) => isClosed)).toBe(true), {
    timeout: 10_000,
    interval: 20,
  });
  return Date.now() - beganMs;
}

const kinds = ['stream', 'socket', 'stream', 'socket', 'stream', 'socket'] as const;

test('with --workers 2 ending a person closes the connections of both workers within 2 s', async () => {
  const sidecar = await startSidecar('--workers', '2');
  const listening = String(sidecar.ready['listening']);
  const session = await signIn(listening);
  const states = await Promise.all(kinds.map((kind) => openConnection(listening, session, kind)));
  expect(await millisecondsToEnd(String(sidecar.ready['admin']), states)).toBeLessThan(2000);
  expect(await sidecar.stop()).toBe(0);
});

describeWithTool('redis-server', 'two replicas over Redis', (program) => {
  let server: ChildProcess;
  let store: string;
  beforeAll(async () => {
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    server = spawn(program, args, { stdio: 'ignore' });
    await waitUntilReachable(port);
    store = `redis://127.0.0.1:${String(port)}`;
  });
  afterAll(() => void server.kill('SIGKILL'));

  test('close the connections of a person whom one of them ends within 2 s', async () => {
    const replicas = [
      await startSidecar('--token-store', store),
      await startSidecar('--token-store', store),
    ];
    const [firstReplica = '', secondReplica = ''] = replicas.map(({ ready }) =>
      String(ready['listening']),
    );
    const session = await signIn(firstReplica);
    const states = await Promise.all(
      kinds.flatMap((kind) => [
        openConnection(firstReplica, session, kind),
        openConnection(secondReplica, session, kind),
      ]),
    );
    expect(await millisecondsToEnd(String(replicas[0]?.ready['admin']), states)).toBeLessThan(2000);
    for (const each of replicas) expect(await each.stop()).toBe(0);
  });
});
