import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type {
  Exchange,
  UpstreamConnection,
} from '../../../services/auth-sidecar/upstream/connection.js';
import { UpstreamPool } from '../../../services/auth-sidecar/upstream/pool.js';

const limits = { idle: 200, answer: 800 };
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

let app: net.Server;
let pool: UpstreamPool;
/** What the app does with each request that arrives. */
let respond: (socket: Socket) => unknown;

beforeEach(async () => {
  app = net.createServer((socket) => socket.on('data', () => respond(socket)).on('error', () => 0));
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  const { port } = app.address() as AddressInfo;
  pool = new UpstreamPool({ host: '127.0.0.1', port, tls: false }, { idleTimeoutMs: limits.idle });
});

afterEach(() => {
  pool.close();
  app.close();
});

function connection(): Promise<UpstreamConnection> {
  const kept = pool.take();
  if (kept !== undefined) return Promise.resolve(kept);
  return new Promise((done, fail) =>
    pool.connect((each) => (each === undefined ? fail(new Error('no connection')) : done(each))),
  );
}

/** Sends a request. @returns how it ended, and after how many milliseconds */
async function exchange(): Promise<{ outcome: string; milliseconds: number }> {
  const started = performance.now();
  const over = await connection();
  const outcome = await new Promise<string>((done) => {
    let isDone = false;
    const receiver: Exchange = {
      information: () => undefined,
      head: () => undefined,
      body: () => undefined,
      end: () => (isDone = true),
      flush: () => isDone && done('answered'),
      onFailure: done,
    };
    over.begin('GET', receiver, limits.answer);
    over.socket.write('GET / HTTP/1.1\r\nHost: app\r\n\r\n');
    over.onSent();
  });
  return { outcome, milliseconds: performance.now() - started };
}

const answerAtOnce = (socket: Socket): unknown => socket.write(answer);

test.each(['a new', 'a kept'])(
  'on %s connection the app may be silent as long as its own limit says',
  async (which) => {
    respond = answerAtOnce;
    if (which === 'a kept') await exchange();
    const before = pool.size;
    respond = () => undefined;
    const { outcome, milliseconds } = await exchange();
    expect(outcome).toBe('timeout');
    expect(milliseconds).toBeGreaterThan(limits.answer - 10);
    // A limit that started twice would last as long again; a busy machine is late, too.
    expect(milliseconds).toBeLessThan(limits.answer * 1.75);
    expect(before).toBe(which === 'a kept' ? 1 : 0);
  },
);

test('bytes of the app begin its silence anew', async () => {
  respond = answerAtOnce;
  await exchange();
  respond = async (socket) => {
    await setTimeout(limits.idle + 150);
    socket.write(answer.slice(0, 9));
    await setTimeout(limits.answer - 100);
    socket.write(answer.slice(9));
  };
  const { outcome, milliseconds } = await exchange();
  expect(outcome).toBe('answered');
  expect(milliseconds).toBeGreaterThan(limits.answer + 100);
});

test('a kept connection closes when it was not used for so long, also after a slow answer', async () => {
  respond = async (socket) => {
    await setTimeout(limits.idle + 50);
    socket.write(answer);
  };
  await exchange();
  await exchange();
  expect(pool.size).toBe(1);
  // A busy machine closes it late, but before the limit of an answer.
  await vi.waitFor(() => expect(pool.size).toBe(0), { timeout: limits.answer - 100 });
});
