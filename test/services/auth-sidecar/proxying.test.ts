import { createHash } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { AwkwardApp, megabyte } from './support/awkward-app.js';
import { directoryConfig, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { parseAnswer, request, sendRaw } from './support/raw-client.js';

const idp = new TestIdentityProvider();
const app = new AwkwardApp();
const { events } = app;
let sidecar: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  const upstream = await app.start();
  const config = directoryConfig(idp, {
    globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
  });
  sidecar = await startUnderTest({ config, upstream });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});
beforeEach(() => (events.length = 0));

describe('answers of the app', () => {
  test('are streamed: head and events arrive before the answer ends', async () => {
    const firstChunk = await new Promise<string>((done) => {
      const stream = http.get(`${sidecar.url}/events`, (response) => {
        app.openStream?.write('data: first\n\n'); // only now that its head has arrived
        response.once('data', (chunk: Buffer) => {
          stream.destroy();
          done(chunk.toString());
        });
      });
      stream.on('error', () => undefined);
    });
    expect(firstChunk).toBe('data: first\n\n');
    await expect.poll(() => events).toContain('stream closed');
  });

  test('keep their status, headers and emptiness', async () => {
    const empty = await request(sidecar.url, { path: '/empty' });
    expect([empty.status, empty.body, empty.headers['transfer-encoding']]).toEqual([
      204,
      '',
      undefined,
    ]);
    const notModified = await request(sidecar.url, { path: '/same' });
    expect([notModified.status, notModified.headers['etag'], notModified.body]).toEqual([
      304,
      ['"x"'],
      '',
    ]);
    const head = await request(sidecar.url, { method: 'HEAD', path: '/anything' });
    expect([head.status, head.body]).toEqual([200, '']);
    const cookies = await request(sidecar.url, { path: '/cookies' });
    expect(cookies.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(cookies.headers['x-kept']).toEqual(['yes']);
    expect(cookies.headers['x-dropped']).toBeUndefined();
  });

  test("cannot set the sidecar's own cookies", async () => {
    expect((await request(sidecar.url, { path: '/own-cookies' })).headers['set-cookie']).toEqual([
      'mine=1',
      'xSvcAuthSession=1',
    ]);
  });

  test('keep their trailers, except those that belong in a head; HTTP/1.0 gets none', async () => {
    const { host } = new URL(sidecar.url);
    const [modern, old] = await Promise.all(
      ['1.1', '1.0'].map((version) =>
        sendRaw(
          sidecar.url,
          `GET /trailers HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
      ),
    );
    expect(parseAnswer(modern ?? '').body).toBe('3\r\nabc\r\n0\r\nx-late: 1\r\n\r\n');
    expect(old).toMatch(/\r\n\r\nabc$/);
  });

  test('come after their early hints', async () => {
    const { host } = new URL(sidecar.url);
    const [modern, old] = await Promise.all(
      ['1.1', '1.0'].map((version) =>
        sendRaw(
          sidecar.url,
          `GET /hints HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
      ),
    );
    expect(modern).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    );
    expect(old).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('that are cut off are recognizable as such', async () => {
    const cutAnswer = await sendRaw(
      sidecar.url,
      `GET /cut HTTP/1.1\r\nHost: ${new URL(sidecar.url).host}\r\n\r\n`,
      2000,
    );
    expect(parseAnswer(cutAnswer).body).toBe('abc');
    expect((await request(sidecar.url, { path: '/hang-up' })).status).toBe(502);
  });

  test('of 64 MB arrive whole', async () => {
    const hash = createHash('sha256');
    let length = 0;
    await new Promise<void>((done) =>
      http.get(`${sidecar.url}/large`, (response) => {
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          hash.update(chunk);
        });
        response.on('end', () => done());
      }),
    );
    const expected = createHash('sha256');
    for (let index = 0; index < 64; index++) expected.update(megabyte);
    expect([length, hash.digest('hex')]).toEqual([64 * 1024 * 1024, expected.digest('hex')]);
  });

  test('faster than the client reads leave a connection that serves the next request', async () => {
    for (let round = 0; round < 5; round++) {
      await new Promise<void>((done) =>
        http.get(`${sidecar.url}/large`, (response) => response.resume().on('end', () => done())),
      );
      const next = await Promise.race([
        request(sidecar.url, { path: '/reject' }).then(({ status }) => status),
        new Promise((done) => setTimeout(done, 5000, 'no answer')),
      ]);
      expect(next).toBe(413);
    }
  });

  test('before the end of the request close the connection, so that the rest is not parsed as a request', async () => {
    const { host } = new URL(sidecar.url);
    const text = await sendRaw(
      sidecar.url,
      `POST /reject HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    );
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(parseAnswer(text)).toMatchObject({ status: 413, headers: { connection: ['close'] } });
  });
});

describe('requests to the app', () => {
  test.each(['content length', 'chunks'])('of 64 MB arrive whole, by %s', async (framing) => {
    const count = await new Promise<string>((done, fail) => {
      const outgoing = http.request(`${sidecar.url}/count`, { method: 'POST' }, (response) => {
        let text = '';
        response
          .on('data', (chunk: Buffer) => (text += chunk.toString()))
          .on('end', () => done(text));
      });
      outgoing.on('error', fail);
      if (framing === 'content length') outgoing.setHeader('content-length', 64 * megabyte.length);
      let sent = 0;
      const writeMore = (): void => {
        while (sent < 64) {
          sent++;
          if (!outgoing.write(megabyte)) return void outgoing.once('drain', writeMore);
        }
        outgoing.end();
      };
      writeMore();
    });
    expect(count).toBe(String(64 * 1024 * 1024));
  });

  test('wait for 100 Continue of the app', async () => {
    const { host } = new URL(sidecar.url);
    const refused = await sendRaw(
      sidecar.url,
      `POST /reject HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(parseAnswer(refused).status).toBe(413);
    expect(refused).not.toContain('100 Continue');
    const accepted = await sendRaw(
      sidecar.url,
      `POST /count HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nabc`,
      1500,
    );
    expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
    const unknownExpectation = await sendRaw(
      sidecar.url,
      `POST /count HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nExpect: 200-ok\r\n\r\nabc`,
    );
    expect(parseAnswer(unknownExpectation).status).toBe(417);
  });

  test('that are aborted are aborted at the app', async () => {
    const { hostname, port } = new URL(sidecar.url);
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `POST /count HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100\r\n\r\nabc`,
    );
    await expect.poll(() => events).toContain('upload started');
    socket.destroy();
    await expect.poll(() => events).toContain('upload aborted');
  });

  test('share connections', async () => {
    let connections = 0;
    app.server.on('connection', () => connections++);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; index < 20; index++)
      await new Promise<void>((done) =>
        http.get(`${sidecar.url}/x`, { agent }, (response) =>
          response.resume().on('end', () => done()),
        ),
      );
    agent.destroy();
    expect(connections).toBeLessThanOrEqual(1);
  });

  test('get 502 while the app does not answer', async () => {
    const sidecarWithoutApp = await startUnderTest({
      config: { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' } },
      upstream: 'http://127.0.0.1:1',
    });
    const answers = await request(sidecarWithoutApp.url);
    expect(answers.status).toBe(502);
    expect(JSON.parse(answers.body)).toMatchObject({ code: 502 });
    await sidecarWithoutApp.stop();
  });
});
