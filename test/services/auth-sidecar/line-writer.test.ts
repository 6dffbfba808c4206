import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../services/auth-sidecar/operations/log.js';
import { LineWriter } from '../../../services/auth-sidecar/operations/line-writer.js';

const directory = fs.mkdtempSync(join(tmpdir(), 'sidecar-lines-'));
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));
afterEach(() => jest.restoreAllMocks());

let count = 0;
function writer(): { readonly lines: LineWriter; written(): string } {
  const file = join(directory, `${++count}.log`);
  const descriptor = fs.openSync(file, 'a');
  return { lines: new LineWriter(descriptor), written: () => fs.readFileSync(file, 'utf8') };
}

type Written = (error: NodeJS.ErrnoException | null, written: number) => void;

/** Pieces on their way are taken only up to here, and only after a while. */
function takeInPart(bytes: number): void {
  const part = (descriptor: number, piece: Buffer, _from: number, _length: number, _at: null, done: Written): void => {
    setTimeout(() => done(null, fs.writeSync(descriptor, piece, 0, Math.min(bytes, piece.length))), 30);
  };
  jest.spyOn(fs, 'write').mockImplementation(part as unknown as typeof fs.write);
}

test('at the end the rest of a piece that was taken in part is written, before what came after it', async () => {
  takeInPart(7);
  const { lines, written } = writer();
  lines.add('the first line\n');
  lines.push();
  lines.add('the second line\n');
  await lines.flush();
  expect(written()).toBe('the first line\nthe second line\n');
});

test('a pipe that is full for a moment at the end loses nothing', async () => {
  const { lines, written } = writer();
  const full = Object.assign(new Error('full'), { code: 'EAGAIN' });
  jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
    throw full;
  });
  lines.add('a line\n');
  await lines.flush();
  expect(written()).toBe('a line\n');
});

test('a reader that hangs, or is gone, does not hold the end up', async () => {
  jest.spyOn(fs, 'write').mockImplementation((() => undefined) as unknown as typeof fs.write);
  const hanging = writer().lines;
  hanging.add('a line\n');
  hanging.push();
  await hanging.flush();
  const gone = writer().lines;
  jest.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('gone'), { code: 'EPIPE' });
  });
  gone.add('a line\n');
  await gone.flush();
});

test('the access log writes a path of other letters than ASCII as UTF-8, and the usual ones as they are', async () => {
  const pieces: Buffer[] = [];
  jest.spyOn(fs, 'writeSync').mockImplementation(((_: number, piece: Buffer, from: number) => {
    pieces.push(Buffer.from(piece.subarray(from)));
    return piece.length - from;
  }) as unknown as typeof fs.writeSync);
  const log = createLog('info');
  for (const path of ['/plain', '/\u00e9', '/"quoted"', '/\u00e9\u20ac'])
    log.access({ id: 'i', method: 'GET', path, status: 200, milliseconds: 1 });
  await log.flush();
  const lines = Buffer.concat(pieces).toString('utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(['/plain', '/\u00e9', '/"quoted"', '/\u00e9\u20ac']);
});
