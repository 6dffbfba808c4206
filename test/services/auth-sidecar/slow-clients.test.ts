import net from 'node:net';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { parseAnswer, request } from './support/raw-client.js';
import { waitUntil } from '../../support/wait-until.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
/** More than the systems on the way take over. */
const longAnswerBytes = 40_000_000;
/** How many long answers the app has not got rid of. */
let openAnswers = 0;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (incoming.url === '/long') {
      openAnswers += 1;
      response.once('close', () => (openAnswers -= 1));
      response.end(Buffer.alloc(longAnswerBytes));
      return true;
    }
    if (incoming.url !== '/thinks') return false;
    incoming.resume().on('end', () => setTimeout(() => response.end('thought'), 2500));
    return true;
  });
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: app.url,
    options: { headerSeconds: 1, bodySeconds: 1, adminListen: '127.0.0.1:0' },
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});

/**
 * Sends pieces, a while apart, and gathers what comes back until the sidecar ends the connection.
 */
function dribble(pieces: readonly string[], pauseMs = 300): Promise<string> {
  const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
  let text = '';
  let sentCount = 0;
  const sending = setInterval(
    () => (sentCount < pieces.length ? socket.write(pieces[sentCount++] ?? '') : undefined),
    pauseMs,
  );
  socket
    .on('data', (part: Buffer) => (text += part.toString('latin1')))
    .on('error', () => undefined);
  return new Promise((done) =>
    socket.once('close', () => {
      clearInterval(sending);
      done(text);
    }),
  );
}

const head = (moreHeaders: string, requestLine = 'POST /upload HTTP/1.1'): string =>
  `${requestLine}\r\nHost: ${new URL(sidecar.url).host}\r\n${moreHeaders}\r\n`;

/** How many requests were answered with a status of each class, by the sidecar's metrics. */
async function requestsByStatus(): Promise<Readonly<Record<string, number>>> {
  const { body } = await request(String(sidecar.admin), { path: '/metrics' });
  const lines = body.matchAll(/^castellan_sidecar_requests_total\{status="(\dxx)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, status, count]) => [status, Number(count)]));
}

/** How many connections the sidecar has open, by its metrics. */
async function openConnections(): Promise<number> {
  const { body } = await request(String(sidecar.admin), { path: '/metrics' });
  return Number(/^castellan_sidecar_connections (\d+)$/m.exec(body)?.[1]);
}

describe('slow clients', () => {
  test('that do not finish their headers get 408, silent ones are disconnected, others are served meanwhile', async () => {
    const slow = [
      'GET / HTTP/1.1\r\n',
      ...Array.from({ length: 100 }, (_, index) => `X-${index}: y\r\n`),
    ];
    const [slowAnswer, silentAnswer] = [dribble(slow), dribble([])];
    expect((await request(sidecar.url)).status).toBe(200);
    expect(parseAnswer(await slowAnswer)).toMatchObject({
      status: 408,
      headers: { connection: ['close'] },
    });
    await silentAnswer;
    expect(app.requests).toHaveLength(1);
  });

  test('that finish their headers after the 408 are not served', async () => {
    app.clear();
    const socket = net.connect({
      port: Number(new URL(sidecar.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => undefined).resume();
    socket.write(`GET / HTTP/1.1\r\nHost: ${new URL(sidecar.url).host}\r\n`);
    await new Promise((done) => socket.once('end', done));
    socket.write('\r\n');
    await new Promise((done) => setTimeout(done, 300));
    socket.destroy();
    expect(app.requests).toEqual([]);
  });

  test('that stop sending their body are disconnected, and the app sees an aborted request', async () => {
    app.clear();
    expect(parseAnswer(await dribble([head('Content-Length: 100\r\n'), 'abc'])).status).not.toBe(
      200,
    );
    expect(app.requests.map(({ body }) => body)).toEqual(['abc']);
  });

  test('that continue to send are waited for', async () => {
    const pieces = [
      '5\r\nabcde\r\n',
      '5\r\nabcde\r\n',
      '5\r\nabcde\r\n',
      '5\r\nabcde\r\n',
      '5\r\nabcde\r\n',
      '0\r\n\r\n',
    ];
    const answer = await dribble([
      head('Transfer-Encoding: chunked\r\nConnection: close\r\n'),
      ...pieces,
    ]);
    expect(parseAnswer(answer).status).toBe(200);
  });

  test('that leave before an answer are counted as such, not as answered', async () => {
    app.clear();
    const before = await requestsByStatus();
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    socket.write(head('Content-Length: 3\r\n', 'POST /thinks HTTP/1.1') + 'abc');
    await waitUntil('the request', () => app.requests.length > 0);
    socket.destroy();
    const after = await waitUntil('the count', async () => {
      const counts = await requestsByStatus();
      return JSON.stringify(counts) === JSON.stringify(before) ? undefined : counts;
    });
    expect(after).toEqual({ ...before, '4xx': (before['4xx'] ?? 0) + 1 });
  });

  test('are not disconnected while the app takes its time', async () => {
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/thinks',
      body: 'abc',
    });
    expect([answer.status, answer.body]).toEqual([200, 'thought']);
  });

  test('that read nothing of their answer are disconnected, and the app goes on', async () => {
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write(head('', 'GET /long HTTP/1.1'));
    await waitUntil('the answer', () => openAnswers === 1);
    await waitUntil('its end', () => openAnswers === 0);
    socket.destroy();
  });

  test('that read their answer slowly get all of it', async () => {
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    socket.write(head('Connection: close\r\n', 'GET /long HTTP/1.1'));
    let received = 0;
    socket.on('data', (part: Buffer) => {
      received += part.length;
      // about three seconds for all of it
      if (received % 16 === 0 || part.length > 60_000) {
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      }
    });
    await new Promise((done) => socket.once('close', done));
    expect(received).toBeGreaterThan(longAnswerBytes);
  });

  test.each([
    ['a refused WebSocket handshake', () => head('Connection: Upgrade\r\nUpgrade: websocket\r\n')],
    ['CONNECT', () => head('', 'CONNECT app.example:443 HTTP/1.1')],
    ['a request that is not HTTP', () => 'NONSENSE\r\n\r\n'],
    ['headers that took too long', () => head('').slice(0, -2)],
  ])('that keep their side open after %s are disconnected', async (_, text) => {
    const socket = net.connect({
      port: Number(new URL(sidecar.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => undefined);
    const answer = new Promise<string>((done) => {
      let received = '';
      socket.on('data', (part: Buffer) => (received += part.toString('latin1')));
      socket.on('end', () => done(received));
    });
    socket.write(text());
    expect(parseAnswer(await answer).status).toBeGreaterThanOrEqual(400);
    await vi.waitFor(async () => expect(await openConnections()).toBe(0), 5000);
    socket.destroy();
  });
});
