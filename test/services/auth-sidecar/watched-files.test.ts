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

/** Watches a configuration and a directory with one secret. */
function watchConfigAndSecret(): {
  readonly secret: string;
  countChangesAfterInterval(): number;
  stop(): void;
} {
  const secrets = fs.mkdtempSync(join(root, 'secrets-'));
  const [config, secret] = [join(root, 'auth.json'), join(secrets, 'secret')];
  fs.writeFileSync(config, '{}');
  fs.writeFileSync(secret, 'one');
  let changes = 0;
  const stop = watchFiles({ config, secrets } as SidecarOptions, () => changes++);
  return {
    secret,
    countChangesAfterInterval: () => {
      vi.advanceTimersByTime(2000);
      return changes;
    },
    stop,
  };
}

test('a changed secret is noticed, even if its size is the same', () => {
  const { secret, countChangesAfterInterval, stop } = watchConfigAndSecret();
  expect(countChangesAfterInterval()).toBe(0);
  fs.writeFileSync(secret, 'two');
  expect(countChangesAfterInterval()).toBe(1);
  fs.rmSync(secret);
  expect([countChangesAfterInterval(), countChangesAfterInterval()]).toEqual([2, 2]);
  fs.writeFileSync(secret, 'two');
  expect(countChangesAfterInterval()).toBe(3);
  stop();
});

test('a link switched to another file of the same size and times is noticed', () => {
  const { secret, countChangesAfterInterval, stop } = watchConfigAndSecret();
  const [first, second] = ['red', 'dry'].map((text) => {
    const file = join(root, text);
    fs.writeFileSync(file, text);
    fs.utimesSync(file, 1, 1);
    return file;
  });
  fs.rmSync(secret);
  fs.symlinkSync(String(first), secret);
  const before = countChangesAfterInterval();
  expect([
    countChangesAfterInterval(),
    countChangesAfterInterval(),
    countChangesAfterInterval(),
  ]).toEqual([before, before, before]);
  fs.rmSync(secret);
  fs.symlinkSync(String(second), secret);
  expect(countChangesAfterInterval()).toBe(before + 1);
  stop();
});

test('unchanged files are not read again, and large ones never', () => {
  const { secret, countChangesAfterInterval, stop } = watchConfigAndSecret();
  fs.writeFileSync(`${secret}.dump`, '');
  fs.truncateSync(`${secret}.dump`, 64 * 1024 * 1024);
  for (let round = 0; round < 4; round++) countChangesAfterInterval();
  const read = vi.spyOn(fs, 'readFileSync');
  const before = countChangesAfterInterval();
  expect(read).not.toHaveBeenCalled();
  fs.truncateSync(`${secret}.dump`, 65 * 1024 * 1024);
  expect(countChangesAfterInterval()).toBe(before + 1);
  expect(read).not.toHaveBeenCalled();
  stop();
});
