import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type {
  Exchange,
  UpstreamConnection,
} from '../../../services/auth-sidecar/upstream/connection.js';
import { UpstreamPool } from '../../../services/auth-sidecar/upstream/pool.js';

const limitsMs = { idle: 200, answer: 800 };
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

let app: net.Server;
let pool: UpstreamPool;
/** What the app does with each request that arrives. */
let respond: (socket: Socket) => unknown;

beforeEach(async () => {
  app = net.createServer((socket) => socket.on('data', () => respond(socket)).on('error', () => 0));
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  const { port } = app.address() as AddressInfo;
  pool = new UpstreamPool(
    { host: '127.0.0.1', port, tls: false },
    { idleTimeoutMs: limitsMs.idle },
  );
});

afterEach(() => {
  pool.close();
  app.close();
});

function connection(): Promise<UpstreamConnection> {
  const idleConnection = pool.take();
  if (idleConnection !== undefined) return Promise.resolve(idleConnection);
  return new Promise((done, fail) =>
    pool.connect((each) => (each === undefined ? fail(new Error('no connection')) : done(each))),
  );
}

/** Sends a request. @returns how it ended, and after how many milliseconds */
async function exchange(): Promise<{ outcome: string; milliseconds: number }> {
  const started = performance.now();
  const upstream = await connection();
  const outcome = await new Promise<string>((done) => {
    let isDone = false;
    const receiver: Exchange = {
      onInformation: () => undefined,
      onHead: () => undefined,
      onBody: () => undefined,
      onEnd: () => (isDone = true),
      onReadProcessed: () => isDone && done('answered'),
      onFailure: done,
    };
    upstream.begin('GET', receiver, limitsMs.answer);
    upstream.socket.write('GET / HTTP/1.1\r\nHost: app\r\n\r\n');
    upstream.onSent();
  });
  return { outcome, milliseconds: performance.now() - started };
}

const answerAtOnce = (socket: Socket): unknown => socket.write(answer);

test.each(['a new', 'a kept'] as const)(
  'on %s connection the app may be silent as long as its own limit says',
  async (connectionKind) => {
    respond = answerAtOnce;
    if (connectionKind === 'a kept') await exchange();
    const sizeBefore = pool.size;
    respond = () => undefined;
    const { outcome, milliseconds } = await exchange();
    expect(outcome).toBe('timeout');
    expect(milliseconds).toBeGreaterThan(limitsMs.answer - 10);
    // A limit that started twice would last as long again; a busy machine is late, too.
    expect(milliseconds).toBeLessThan(limitsMs.answer * 1.75);
    expect(sizeBefore).toBe(connectionKind === 'a kept' ? 1 : 0);
  },
);

test('bytes of the app restart the limit of its silence', async () => {
  respond = answerAtOnce;
  await exchange();
  respond = async (socket) => {
    await setTimeout(limitsMs.idle + 150);
    socket.write(answer.slice(0, 9));
    await setTimeout(limitsMs.answer - 100);
    socket.write(answer.slice(9));
  };
  const { outcome, milliseconds } = await exchange();
  expect(outcome).toBe('answered');
  expect(milliseconds).toBeGreaterThan(limitsMs.answer + 100);
});

test('a kept connection closes when it is idle for its limit, also after a slow answer', async () => {
  respond = async (socket) => {
    await setTimeout(limitsMs.idle + 50);
    socket.write(answer);
  };
  await exchange();
  await exchange();
  expect(pool.size).toBe(1);
  // A busy machine closes it late, but before the limit of an answer.
  await vi.waitFor(() => expect(pool.size).toBe(0), { timeout: limitsMs.answer - 100 });
});
