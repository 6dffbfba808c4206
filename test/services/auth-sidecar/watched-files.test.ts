import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from '../../../services/auth-sidecar/operations/watched-files.js';
import type { SidecarOptions } from '../../../services/auth-sidecar/operations/options.js';

const root = fs.mkdtempSync(join(tmpdir(), 'sidecar-watch-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
beforeEach(() => vi.useFakeTimers({ now: Date.now() }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A watch over a configuration and a directory with one secret. */
function watched(): { readonly secret: string; looked(): number; stop(): void } {
  const secrets = fs.mkdtempSync(join(root, 'secrets-'));
  const [config, secret] = [join(root, 'auth.json'), join(secrets, 'secret')];
  fs.writeFileSync(config, '{}');
  fs.writeFileSync(secret, 'one');
  let changes = 0;
  const stop = watchFiles({ config, secrets } as SidecarOptions, () => changes++);
  return {
    secret,
    looked: () => {
      vi.advanceTimersByTime(2000);
      return changes;
    },
    stop,
  };
}

test('a changed secret is noticed, even if its size is the same', () => {
  const { secret, looked, stop } = watched();
  expect(looked()).toBe(0);
  fs.writeFileSync(secret, 'two');
  expect(looked()).toBe(1);
  fs.rmSync(secret);
  expect([looked(), looked()]).toEqual([2, 2]);
  fs.writeFileSync(secret, 'two');
  expect(looked()).toBe(3);
  stop();
});

test('a link switched to another file of the same size and times is noticed', () => {
  const { secret, looked, stop } = watched();
  const [first, second] = ['red', 'dry'].map((text) => {
    const file = join(root, text);
    fs.writeFileSync(file, text);
    fs.utimesSync(file, 1, 1);
    return file;
  });
  fs.rmSync(secret);
  fs.symlinkSync(String(first), secret);
  const before = looked();
  expect([looked(), looked(), looked()]).toEqual([before, before, before]);
  fs.rmSync(secret);
  fs.symlinkSync(String(second), secret);
  expect(looked()).toBe(before + 1);
  stop();
});

test('unchanged files are not read again, and large ones never', () => {
  const { secret, looked, stop } = watched();
  fs.writeFileSync(`${secret}.dump`, '');
  fs.truncateSync(`${secret}.dump`, 64 * 1024 * 1024);
  for (let round = 0; round < 4; round++) looked();
  const read = vi.spyOn(fs, 'readFileSync');
  const before = looked();
  expect(read).not.toHaveBeenCalled();
  fs.truncateSync(`${secret}.dump`, 65 * 1024 * 1024);
  expect(looked()).toBe(before + 1);
  expect(read).not.toHaveBeenCalled();
  stop();
});
