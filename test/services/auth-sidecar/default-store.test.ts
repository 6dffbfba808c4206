import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  defaultLocation,
  type CandidateFolders,
} from '../../../services/auth-sidecar/token-store/default-location.js';
import type { ListableStore } from '../../../services/auth-sidecar/token-store/entry-store.js';
import { openOnFirstUse } from '../../../services/auth-sidecar/token-store/open-store.js';
import { openMemoryStore } from '../../../services/auth-sidecar/token-store/memory-store.js';

const root = mkdtempSync(join(tmpdir(), 'sidecar-default-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
/**
 * Two fresh folders.
 *
 * @param isBlocked whether a file is where the working directory's folder would be, as good as a
 *   read-only disk
 */
function createFolders(isBlocked = false): CandidateFolders {
  const [workingDirectory, temporaryDirectory] = ['work', 'tmp'].map((name) =>
    join(root, `${name}-${++count}`),
  ) as [string, string];
  for (const each of [workingDirectory, temporaryDirectory]) mkdirSync(each);
  if (isBlocked) writeFileSync(join(workingDirectory, '.castellan'), '');
  return { workingDirectory, temporaryDirectory };
}

describe('without --token-store', () => {
  test('entries are in one file per configuration, below the working directory, ignored by git', () => {
    const folders = createFolders();
    const { path, fallbackReason } = defaultLocation('auth.json', folders);
    expect(path.startsWith(join(folders.workingDirectory, '.castellan', 'auth-sidecar'))).toBe(
      true,
    );
    expect(fallbackReason).toBeUndefined();
    expect(existsSync(join(folders.workingDirectory, '.castellan', '.gitignore'))).toBe(true);
    expect(statSync(join(folders.workingDirectory, '.castellan')).mode & 0o077).toBe(0);
    expect(defaultLocation('auth.json', folders).path).toBe(path);
    expect(defaultLocation('other.json', folders).path).not.toBe(path);
  });

  test('a link to a configuration counts as that configuration', () => {
    const folders = createFolders();
    writeFileSync(join(root, 'real.json'), '{}');
    symlinkSync(join(root, 'real.json'), join(root, 'link.json'));
    expect(defaultLocation(join(root, 'link.json'), folders)).toEqual(
      defaultLocation(join(root, 'real.json'), folders),
    );
  });

  test('they are below TMPDIR if the working directory cannot be written, and the log says why', () => {
    const folders = createFolders(true);
    const { path, fallbackReason } = defaultLocation('auth.json', folders);
    expect(
      path.startsWith(
        join(folders.temporaryDirectory, `castellan-${userInfo().uid}`, 'auth-sidecar'),
      ),
    ).toBe(true);
    expect(fallbackReason).toMatch(/\.castellan: E[A-Z]+$/);
  });

  test('a folder that another user created in TMPDIR is not used', () => {
    const folders = createFolders(true);
    const elsewhere = join(root, `elsewhere-${++count}`);
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(folders.temporaryDirectory, `castellan-${userInfo().uid}`));
    expect(() => defaultLocation('auth.json', folders)).toThrow(
      /belongs to another user.*--token-store/,
    );
  });

  test('without a writable folder the error says what to configure', () => {
    const folders = createFolders(true);
    writeFileSync(join(folders.temporaryDirectory, `castellan-${userInfo().uid}`), '');
    chmodSync(folders.temporaryDirectory, 0o500);
    expect(() => defaultLocation('auth.json', folders)).toThrow(
      /no place for the default token store.*--token-store sqlite:PATH.*TMPDIR/,
    );
    chmodSync(folders.temporaryDirectory, 0o700);
  });
});

const fail = (error: Error): never => {
  throw error;
};

describe('the default store', () => {
  test('is opened once, by the first use, and answers at once afterwards', async () => {
    let openCount = 0;
    const store = openOnFirstUse(() => {
      openCount++;
      return Promise.resolve(openMemoryStore(() => 1));
    }, fail);
    expect(openCount).toBe(0);
    await Promise.all([store.write('a', '1', 9), store.add('b', '2', 9)]);
    expect(store.read(['a', 'b', 'c'])).toEqual(['1', '2', undefined]);
    await store.remove('a');
    expect([store.read(['a']), openCount]).toEqual([[undefined], 1]);
    await store.close();
  });

  test('that cannot be opened fails the request, and is tried again with the next', async () => {
    const outcomes: (() => Promise<ListableStore>)[] = [
      () => Promise.reject(new Error('locked')),
      () => Promise.resolve(openMemoryStore(() => 1)),
    ];
    const messages: string[] = [];
    const store = openOnFirstUse(
      () => outcomes.shift()?.() ?? Promise.reject(new Error('asked too often')),
      ({ message }) => messages.push(message),
    );
    await expect(store.read(['a'])).rejects.toThrow('locked');
    expect(await store.read(['a'])).toEqual([undefined]);
    await store.close();
    expect(messages).toEqual(['locked']);
    await openOnFirstUse(() => Promise.reject(new Error('never asked')), fail).close();
  });
});
