import { type IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { tryOut } from '../../../services/auth-sidecar/upstream/own-head.js';
import { type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { parseAnswer, sendRaw } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

// As in a version of Node whose responses are made otherwise inside: heads are written by Node.
vi.mock('../../../services/auth-sidecar/upstream/own-head.js', async () => ({
  ...(await vi.importActual<object>('../../../services/auth-sidecar/upstream/own-head.js')),
  canTakeHead: () => false,
  takeHead: () => {
    throw new Error('no head may be taken here');
  },
}));

const large = 'x'.repeat(300_000);
let app: RecordingApp;
let sidecar: SidecarUnderTest;
/** Ends the stream that the app has open; and whether its client is gone. */
let endStream: () => void;
let abandoned: Promise<void>;

beforeAll(async () => {
  app = await startRecordingApp((incoming, response) => {
    switch (incoming.url) {
      case '/204':
      case '/304':
        response.writeHead(Number(incoming.url.slice(1)), { etag: '"x"' }).end();
        return true;
      case '/large':
        response.writeHead(200, { 'content-length': large.length }).end(large);
        return true;
      case '/stream':
        response.write('first,');
        endStream = () => void response.end('last');
        abandoned = new Promise((done) => response.once('close', done));
        return true;
      case '/text':
        response.writeHead(200, 'Fine', {
          'content-length': 5,
          'set-cookie': ['a=1', 'b=2'],
          'x-latin': 'caf\u00e9',
        });
        response.end(incoming.method === 'HEAD' ? undefined : Buffer.from('hello'));
        return true;
      default:
        return false;
    }
  });
  sidecar = await startUnderTest({
    config: { globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' } },
    upstream: app.url,
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
});

const asked = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${new URL(sidecar.listening).host}\r\n${more}\r\n`;
/** Asks one after another on one connection, at once; the last ends it. */
const ask = (...requests: (readonly [string, string])[]): Promise<string> =>
  sendRaw(
    sidecar.listening,
    requests
      .map(([method, path], index) =>
        asked(method, path, index === requests.length - 1 ? 'Connection: close\r\n' : ''),
      )
      .join(''),
    20_000,
  );

/** Answers of one connection, by their status lines. */
const answersOf = (text: string): ReturnType<typeof parseAnswer>[] =>
  text.split(/(?=HTTP\/1\.1 )/).map(parseAnswer);

describe('with heads written by Node', () => {
  test("a connection is kept for later requests, each with the app's own answer", async () => {
    const answers = answersOf(
      await ask(
        ['GET', '/text'],
        ['HEAD', '/text'],
        ['GET', '/204'],
        ['GET', '/304'],
        ['GET', '/large'],
        ['GET', '/text'],
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
      [200, 5],
      [200, 0],
      [204, 0],
      [304, 0],
      [200, large.length],
      [200, 5],
    ]);
    const [first, head, none, same] = answers;
    for (const each of [first, head]) {
      expect(each?.text).toMatch(/^HTTP\/1\.1 200 Fine\r\n/);
      expect(each?.headers).toMatchObject({
        'content-length': ['5'],
        'set-cookie': ['a=1', 'b=2'],
        'x-latin': ['caf\u00e9'],
      });
    }
    for (const each of [none, same]) {
      expect(each?.headers).toMatchObject({ etag: ['"x"'] });
      expect(Object.keys(each?.headers ?? {})).toEqual(
        expect.not.arrayContaining(['content-length', 'transfer-encoding']),
      );
    }
    expect(answers.map(({ headers }) => headers['connection'])).toEqual([
      ...Array<string[]>(5).fill(['keep-alive']),
      ['close'],
    ]);
    expect(answers.every(({ headers }) => headers['date']?.length === 1)).toBe(true);
  });

  test('a body in both directions is passed on', async () => {
    const answer = parseAnswer(
      await sendRaw(
        sidecar.listening,
        `${asked('POST', '/echo', 'Content-Length: 5\r\nConnection: close\r\n')}hello`,
        20_000,
      ),
    );
    expect(JSON.parse(answer.body)).toMatchObject({ method: 'POST', body: 'hello' });
  });

  test('a streamed answer is sent in chunks, and the connection is kept', async () => {
    const socket = net.connect(Number(new URL(sidecar.listening).port), '127.0.0.1');
    let text = '';
    const has = (part: string): Promise<void> =>
      new Promise((done) => {
        const look = (): void => (text.includes(part) ? done() : void socket.once('data', look));
        look();
      });
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    socket.write(asked('GET', '/stream'));
    await has('first,');
    expect(text).not.toContain('last');
    endStream();
    await has('\r\n0\r\n\r\n');
    expect(parseAnswer(text)).toMatchObject({
      status: 200,
      headers: { 'transfer-encoding': ['chunked'], connection: ['keep-alive'] },
    });
    expect(parseAnswer(text).body).toBe('6\r\nfirst,\r\n4\r\nlast\r\n0\r\n\r\n');
    text = '';
    socket.write(asked('GET', '/text'));
    await has('hello');
    expect(parseAnswer(text).status).toBe(200);
    socket.destroy();
  });

  test('a client that disconnects aborts the request to the app, and others are served', async () => {
    const socket = net.connect(Number(new URL(sidecar.listening).port), '127.0.0.1');
    socket.write(asked('GET', '/stream'));
    await new Promise((done) => socket.once('data', done));
    socket.destroy();
    await abandoned;
    expect(parseAnswer(await ask(['GET', '/text'])).body).toBe('hello');
  });
});

describe('the feature test', () => {
  test('finds the internals of this Node', () => {
    expect(tryOut(ServerResponse)).toBe(true);
  });

  test.each([
    ['keep their head elsewhere', { get: () => null, set: () => undefined }],
    [
      'let no one set it',
      {
        get: () => null,
        set: () => {
          throw new TypeError('read only');
        },
      },
    ],
  ])('refuses responses that %s', (_, insides: { get: () => null; set: () => void }) => {
    class Other extends ServerResponse<IncomingMessage> {}
    Object.defineProperty(Other.prototype, '_header', insides);
    expect(tryOut(Other)).toBe(false);
  });
});
