import net from 'node:net';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { parseAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (incoming.url !== '/thinks') return false;
    incoming.resume().on('end', () => setTimeout(() => response.end('thought'), 2500));
    return true;
  });
  sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: app.url,
    options: { headerSeconds: 1, bodySeconds: 1 },
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

const head = (moreHeaders: string): string =>
  `POST /upload HTTP/1.1\r\nHost: ${new URL(sidecar.url).host}\r\n${moreHeaders}\r\n`;

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

  test('are not disconnected while the app takes its time', async () => {
    const answer = await request(sidecar.url, {
      method: 'POST',
      path: '/thinks',
      body: 'abc',
    });
    expect([answer.status, answer.body]).toEqual([200, 'thought']);
  });
});
