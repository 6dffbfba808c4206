import { createHash } from 'node:crypto';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, parseAnswer, request, sendRaw } from './support/raw-client.js';

const idp = new TestIdentityProvider();
const handshakes: http.IncomingHttpHeaders[] = [];
const events: string[] = [];
/** Longer than the buffers between the app and a client that reads slowly. */
const longRefusal = 'no!'.repeat(5_000_000);
const megabyte = Buffer.alloc(1024 * 1024);
/** Bytes of an answer that goes on as long as somebody reads it. */
let endlessBytes = 0;
/** More than fits into the buffers of the connections. */
const maxEndlessBytes = 200 * megabyte.length;
let app: http.Server;
let sidecar: SidecarUnderTest;
let config: unknown;
let upstream: string;

beforeAll(async () => {
  await idp.start();
  app = http.createServer((_, response) => response.end('app'));
  app.on('upgrade', (incoming, socket) => {
    handshakes.push(incoming.headers);
    if (incoming.url === '/refused-at-length') {
      socket.end(`HTTP/1.1 418 Teapot\r\nConnection: close\r\n\r\n${longRefusal}`);
      return;
    }
    if (incoming.url === '/refused-without-end') {
      socket.on('error', () => undefined).write('HTTP/1.1 418 Teapot\r\n\r\n');
      const send = (): void => {
        do endlessBytes += megabyte.length;
        while (endlessBytes < maxEndlessBytes && socket.write(megabyte));
      };
      socket.on('drain', send);
      send();
      return;
    }
    if (incoming.url === '/refused') {
      socket.end('HTTP/1.1 418 Teapot\r\nContent-Length: 3\r\n\r\nno!');
      return;
    }
    const key = String(incoming.headers['sec-websocket-key']);
    const accept = createHash('sha1')
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    const sentAccept = incoming.url === '/lying' ? 'AAAA' : accept;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${sentAccept}\r\n\r\n`,
    );
    socket.on('data', (chunk) => socket.write(chunk)).on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('close', () => events.push('socket closed'));
  });
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  upstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  config = directoryConfig(idp, {
    globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    login: { tokenStore: { enabled: true } },
    encryptionSettings: { containerAppAuthEncryptionSecretName: 'shared-key' },
  });
  sidecar = await start();
});
afterAll(async () => {
  await sidecar.stop();
  app.closeAllConnections();
  await new Promise((done) => app.close(done));
  await idp.close();
});
beforeEach(() => {
  events.length = 0;
  handshakes.length = 0;
});

function start(
  options: Parameters<typeof startUnderTest>[0]['options'] = {},
): Promise<SidecarUnderTest> {
  return startUnderTest({
    config,
    upstream,
    secrets: { 'shared-key': 'a key of at least sixteen characters' },
    options,
  });
}

const handshake = (path: string, headers = '', origin = sidecar.url): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`;

/** Opens a WebSocket and keeps it. */
async function openSocket(
  headers: string,
  replica = sidecar.url,
  origin = replica,
): Promise<{ readonly closed: () => boolean; end(): void }> {
  const socket = net.connect(Number(new URL(replica).port), '127.0.0.1');
  let closed = false;
  socket.on('close', () => (closed = true)).on('error', () => undefined);
  socket.write(handshake('/socket', headers, origin));
  const answer = await new Promise<Buffer>((done) => socket.once('data', done));
  expect(answer.toString()).toContain('HTTP/1.1 101');
  return { closed: () => closed, end: () => socket.destroy() };
}

describe('WebSockets', () => {
  test('are forwarded, including bytes that were sent early', async () => {
    const text = await sendRaw(sidecar.url, `${handshake('/socket')}hello`);
    expect(text).toContain('HTTP/1.1 101');
    expect(text).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(text.endsWith('\r\n\r\nhello')).toBe(true);
    await expect.poll(() => events).toContain('socket closed');
  });

  test('that the app refuses get its answer', async () => {
    expect(parseAnswer(await sendRaw(sidecar.url, handshake('/refused')))).toMatchObject({
      status: 418,
      body: 'no!',
    });
  });

  test('that the app refuses at length get the whole answer, also if they read slowly', async () => {
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(handshake('/refused-at-length'));
    socket.pause();
    await setTimeout(500); // the app has closed its connection
    let length = 0;
    socket.on('data', (part: Buffer) => (length += part.length)).resume();
    await new Promise((done) => socket.once('close', done));
    expect(length).toBeGreaterThan(longRefusal.length);
  });

  test('that the app refuses without an end do not fill the memory', async () => {
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    socket.on('error', () => undefined).write(handshake('/refused-without-end'));
    socket.pause();
    let previousBytes = -1;
    while (previousBytes !== endlessBytes) {
      previousBytes = endlessBytes;
      await setTimeout(500);
    }
    socket.destroy();
    expect(endlessBytes).toBeGreaterThan(0);
    expect(endlessBytes).toBeLessThan(maxEndlessBytes / 2);
  });

  test('with an invalid answer of the app are refused', async () => {
    expect(parseAnswer(await sendRaw(sidecar.url, handshake('/lying'))).status).toBe(502);
  });

  test.each([
    ['a body', 'Content-Length: 5\r\n'],
    ['chunks', 'Transfer-Encoding: chunked\r\n'],
    ['two keys', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'],
    ['two versions', 'Sec-WebSocket-Version: 8\r\n'],
  ])('with %s are refused', async (_, header) => {
    expect(
      parseAnswer(await sendRaw(sidecar.url, handshake('/socket', header))).status,
    ).toBeGreaterThanOrEqual(400);
    expect(events).toEqual([]);
  });

  test('to paths of the sidecar are refused', async () => {
    for (const path of ['/.auth/me', '/.AUTH/me', '/a/../socket'])
      expect(
        parseAnswer(await sendRaw(sidecar.url, handshake(path))).status,
      ).toBeGreaterThanOrEqual(400);
  });

  test("carry the identity of the session and none of the client's own headers", async () => {
    const { jar } = await signIn(sidecar, idp);
    const forged = 'X-SVC-CLIENT-PRINCIPAL-NAME: Mallory\r\nx_svc_client_principal_id: 0\r\n';
    const socket = await openSocket(`${forged}Cookie: ${jar.header}\r\n`);
    expect(handshakes).toHaveLength(1);
    expect(handshakes[0]).toMatchObject({
      'x-svc-client-principal-name': 'Ada Lovelace',
      'x-svc-client-principal-idp': 'directory',
    });
    expect(JSON.stringify(handshakes)).not.toContain('Mallory');
    expect(handshakes[0]).not.toHaveProperty('x_svc_client_principal_id');
    socket.end();
  });
});

describe('a WebSocket with a session', () => {
  test('ends when the person signs out; others continue', async () => {
    const [ada, bob] = [(await signIn(sidecar, idp)).jar, (await signIn(sidecar, idp)).jar];
    const [adasFirst, adasSecond, bobs] = [
      await openSocket(`Cookie: ${ada.header}\r\n`),
      await openSocket(`Cookie: ${ada.header}\r\n`),
      await openSocket(`Cookie: ${bob.header}\r\n`),
    ];
    const anonymous = await openSocket('');
    await request(sidecar.url, {
      path: '/.auth/logout',
      headers: { ...browser, ...cookie(ada) },
    });
    await expect.poll(() => [adasFirst.closed(), adasSecond.closed()]).toEqual([true, true]);
    expect([bobs.closed(), anonymous.closed()]).toEqual([false, false]);
    bobs.end();
    anonymous.end();
  });

  test('ends when another sign-in replaces the session', async () => {
    const { jar } = await signIn(sidecar, idp);
    const socket = await openSocket(`Cookie: ${jar.header}\r\n`);
    await signIn(sidecar, idp, '/.auth/login/directory', jar);
    await expect.poll(socket.closed).toBe(true);
  });

  test('ends when the person signs out at another replica, and after a reload', async () => {
    const url = 'http://app.example';
    const options = {
      publicOrigins: [url],
      tokenStore: `sqlite:${join(sidecar.directory, 'shared.db')}`,
    };
    const [first, second] = [await start(options), await start(options)];
    const headers = { ...browser, Host: 'app.example' };
    const loginResponse = await request(first.url, {
      path: '/.auth/login/directory',
      headers,
    });
    const callback = new URL(idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? '')));
    const callbackResponse = await request(first.url, {
      path: callback.pathname + callback.search,
      headers: {
        ...headers,
        Cookie: (loginResponse.headers['set-cookie']?.[0] ?? '').split(';')[0],
      },
    });
    const session = (callbackResponse.headers['set-cookie'] ?? [])
      .map((each) => each.split(';')[0] ?? '')
      .find((each) => each.includes('Session='));
    const socket = await openSocket(`Cookie: ${String(session)}\r\n`, first.url, url);
    first.reload();
    await request(second.url, {
      path: '/.auth/logout',
      headers: { ...headers, Cookie: session },
    });
    await expect.poll(socket.closed).toBe(true);
    await Promise.all([first.stop(), second.stop()]);
  });

  test.each([
    ['validation', { validation: { allowedGroups: ['others'] } }, {}],
    ['requirements', {}, { requirements: [{ path: '/', groups: ['others'] }] }],
  ])('ends when a reload admits its person no longer: %s', async (_, directory, validation) => {
    const { jar } = await signIn(sidecar, idp);
    const socket = await openSocket(`Cookie: ${jar.header}\r\n`);
    const globalValidation = { unauthenticatedClientAction: 'AllowAnonymous', ...validation };
    const restrictedConfig = directoryConfig(idp, { globalValidation }, directory) as object;
    sidecar.write({ ...(config as object), ...restrictedConfig });
    sidecar.reload();
    await expect.poll(socket.closed).toBe(true);
    sidecar.write(config);
    sidecar.reload();
  });

  test('ends when the provider, asked again, admits its person no longer', async () => {
    const sessions = { reevaluateAfter: '00:00:01' };
    sidecar.write({ ...(config as object), login: { tokenStore: { enabled: true }, sessions } });
    sidecar.reload();
    const { jar } = await signIn(sidecar, idp);
    const socket = await openSocket(`Cookie: ${jar.header}\r\n`);
    await setTimeout(3500);
    expect(socket.closed()).toBe(false);
    idp.refreshAllowed = false;
    await expect.poll(socket.closed).toBe(true);
    idp.refreshAllowed = true;
    sidecar.write(config);
    sidecar.reload();
  });

  test('ends with its session, or its bearer token', async () => {
    const now = Math.floor(Date.now() / 1000);
    const socket = await openSocket(
      `Authorization: Bearer ${await idp.sign({ exp: now + 2 })}\r\n`,
    );
    expect(handshakes[0]).toHaveProperty('x-svc-client-principal-id', 'subject-1');
    await expect.poll(socket.closed).toBe(true);
    sidecar.write({
      ...(config as object),
      login: { cookieExpiration: { timeToExpiration: '00:00:02' } },
    });
    sidecar.reload();
    const { jar } = await signIn(sidecar, idp);
    const shortSocket = await openSocket(`Cookie: ${jar.header}\r\n`);
    await expect.poll(shortSocket.closed).toBe(true);
    sidecar.write(config);
    sidecar.reload();
  });
});
