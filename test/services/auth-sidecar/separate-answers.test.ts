import { createHash } from 'node:crypto';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { type SidecarUnderTest, startUnderTest } from './support/harness.js';

/** A body that no other request gets: every 16 bytes have its id and their offset. */
function bodyOf(id: number, bytes: number): Buffer {
  let text = '';
  for (let offset = 0; offset < bytes; offset += 16)
    text += `${String(id).padStart(5, '0')}.${String(offset).padStart(9, '0')}\n`;
  return Buffer.from(text.slice(0, bytes));
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('answers', () => {
  let app: http.Server;
  let sidecar: SidecarUnderTest;

  beforeAll(async () => {
    app = http.createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://app');
      const [id, bytes] = [
        Number(url.searchParams.get('id')),
        Number(url.searchParams.get('bytes')),
      ];
      if (url.pathname === '/chunked') {
        const whole = bodyOf(id, bytes);
        for (let offset = 0; offset < whole.length; offset += 7001)
          response.write(whole.subarray(offset, offset + 7001));
        response.end();
      } else {
        response.setHeader('Content-Length', bytes);
        response.end(bodyOf(id, bytes));
      }
    });
    await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
    sidecar = await startUnderTest({
      config: { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' } },
      upstream: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    });
  });

  afterAll(async () => {
    await sidecar.stop();
    app.closeAllConnections();
    app.close();
  });

  /** Requests bodies one after the other on one connection, and reads them slowly if told to. */
  async function readBodies(
    first: number,
    sizes: readonly number[],
    path: string,
    slowly: boolean,
  ): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (const [index, bytes] of sizes.entries()) {
      const id = first + index;
      const received = await new Promise<Buffer>((done, fail) => {
        const parts: Buffer[] = [];
        http
          .get(`${sidecar.url}${path}?id=${id}&bytes=${bytes}`, { agent }, (answer) => {
            answer.on('data', (part: Buffer) => {
              parts.push(part);
              if (!slowly) return;
              answer.pause();
              setTimeout(() => answer.resume(), 1);
            });
            answer.on('end', () => done(Buffer.concat(parts)));
            answer.on('error', fail);
          })
          .on('error', fail);
      });
      expect([id, received.length, digest(received)]).toEqual([
        id,
        bytes,
        digest(bodyOf(id, bytes)),
      ]);
    }
    agent.destroy();
  }

  test.each(['/length', '/chunked'])(
    'hold no byte of what others read, however slow some are (%s)',
    async (path) => {
      const sizes = [900, 66_000, 700_000, 10, 131_072];
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          readBodies(index * 100, sizes, path, index % 3 === 0),
        ),
      );
    },
  );

  test('come in the order of concurrent requests, each with its own', async () => {
    const socket = net.connect(Number(new URL(sidecar.url).port), '127.0.0.1');
    const sizes = [5, 70_000, 40, 200_000, 16];
    const { host } = new URL(sidecar.url);
    socket.write(
      sizes
        .map(
          (bytes, id) =>
            `GET /length?id=${id}&bytes=${bytes} HTTP/1.1\r\nHost: ${host}\r\n${id === 4 ? 'Connection: close\r\n' : ''}\r\n`,
        )
        .join(''),
    );
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    let remaining = Buffer.concat(parts);
    for (const [id, bytes] of sizes.entries()) {
      const end = remaining.indexOf('\r\n\r\n') + 4;
      expect(remaining.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
      expect(digest(remaining.subarray(end, end + bytes))).toBe(digest(bodyOf(id, bytes)));
      remaining = remaining.subarray(end + bytes);
    }
    expect(remaining.length).toBe(0);
  });

  test('stay unchanged for a client that reads nothing while others continue', async () => {
    const { host, port } = new URL(sidecar.url);
    const [bytes, count] = [15_000, 900];
    const parts: Buffer[] = [];
    const socket = net.connect(Number(port), '127.0.0.1').pause();
    const sendRequest = (id: number, extraHeaders = ''): boolean =>
      socket.write(
        `GET /length?id=${id}&bytes=${bytes} HTTP/1.1\r\nHost: ${host}\r\n${extraHeaders}\r\n`,
      );
    for (let id = 0; id < count; id++) {
      sendRequest(id);
      // One after another at first, so that each is written when it comes; the network takes some
      // megabytes before it makes them wait.
      await new Promise((done) => (id % 3 === 0 ? setTimeout(done, 1) : setImmediate(done)));
    }
    sendRequest(count, 'Connection: close\r\n');
    await readBodies(90_000, Array<number>(20).fill(bytes), '/length', false);
    socket.on('data', (part: Buffer) => parts.push(part)).resume();
    await new Promise((done) => socket.once('close', done));
    const allBytes = Buffer.concat(parts);
    let offset = 0;
    for (let id = 0; id <= count; id++) {
      const start = allBytes.indexOf('\r\n\r\n', offset) + 4;
      if (!allBytes.subarray(start, start + bytes).equals(bodyOf(id, bytes)))
        throw new Error(`answer ${id} isn't what was asked for`);
      offset = start + bytes;
    }
    expect(offset).toBe(allBytes.length);
  });
});
