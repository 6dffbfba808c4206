import fs from 'node:fs';
import { createLog } from '../../../services/auth-sidecar/operations/log.js';

afterEach(() => vi.restoreAllMocks());

type WriteCallback = (error: NodeJS.ErrnoException | null, written: number) => void;

/** Takes what is written to stderr, at most some bytes at once. @returns what was taken so far */
function takeStderr(maxBytes = Infinity): () => string {
  const pieces: Buffer[] = [];
  vi.spyOn(fs, 'write').mockImplementation(((
    _: number,
    text: string | Buffer,
    ...rest: unknown[]
  ) => {
    const part = Buffer.from(text as string).subarray(0, maxBytes);
    pieces.push(part);
    setTimeout(() => (rest.at(-1) as WriteCallback)(null, part.length), 1);
  }) as unknown as typeof fs.write);
  return () => Buffer.concat(pieces).toString('utf8');
}

test('at the end everything is written in order, also to a slow reader', async () => {
  const takenText = takeStderr(50);
  const log = createLog('info');
  log.warn('the first line');
  log.access({ id: 'i', method: 'GET', path: '/', status: 200, milliseconds: 1.26 });
  log.warn('the last line', { address: 'x' });
  await log.end();
  const lines = takenText().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      name: 'auth-sidecar',
      msg: 'the first line',
    },
    expect.objectContaining({
      level: 'info',
      id: 'i',
      method: 'GET',
      path: '/',
      status: 200,
      ms: 1.3,
      msg: 'request',
    }),
    expect.objectContaining({ address: 'x', msg: 'the last line' }),
  ]);
});

test('a temporarily full pipe loses nothing', async () => {
  const takenText = takeStderr();
  vi.spyOn(fs, 'write').mockImplementationOnce(((...args: unknown[]) => {
    (args.at(-1) as WriteCallback)(Object.assign(new Error('full'), { code: 'EAGAIN' }), 0);
  }) as unknown as typeof fs.write);
  const log = createLog('info');
  log.warn('a line');
  await log.end();
  expect(takenText()).toContain('a line');
});

test('levels below the chosen one are not written', async () => {
  const takenText = takeStderr();
  const log = createLog('error');
  expect(log.accessEnabled).toBe(false);
  log.warn('not this');
  log.error('but this');
  await log.end();
  expect(takenText()).toContain('but this');
  expect(takenText()).not.toContain('not this');
  expect(createLog('silent').accessEnabled).toBe(false);
});

test('the access log writes non-ASCII paths as UTF-8, and escapes where JSON requires it', async () => {
  const takenText = takeStderr();
  const log = createLog('info');
  const paths = ['/plain', '/\u00e9', '/"quoted"', '/\u00e9\u20ac', '/a\r\n{"level":"error"}'];
  for (const path of paths)
    log.access({ id: 'i', method: 'GET', path, status: 200, milliseconds: 1 });
  await log.end();
  const lines = takenText().trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(paths);
});

test.each(['hangs', 'is gone'])(
  'a reader that %s does not hold the end up, nor take memory',
  async (readerState) => {
    vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      if (readerState === 'is gone')
        setImmediate(() =>
          (args.at(-1) as WriteCallback)(Object.assign(new Error('gone'), { code: 'EPIPE' }), 0),
        );
    }) as unknown as typeof fs.write);
    const worker = 3;
    const log = createLog('info', worker);
    const before = process.memoryUsage().heapUsed;
    for (let line = 0; line < 100_000; line++)
      log.access({
        id: 'i',
        method: 'GET',
        path: `/${'x'.repeat(200)}`,
        status: 200,
        milliseconds: 1,
      });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
    const startedAt = Date.now();
    await log.end();
    expect(Date.now() - startedAt).toBeLessThan(3000);
  },
);
