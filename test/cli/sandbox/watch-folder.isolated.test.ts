import type * as FileSystem from 'node:fs';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  type FSWatcher,
  type WatchListener,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { watchFolder } from '../../../cli/sandbox/watch-folder.js';

/** The error codes of folders that cannot be watched: to root, no folder is unreadable. */
const watchErrors = vi.hoisted(() => new Map<string, string>());
/** The folders that were watched. */
const watchedPaths: string[] = vi.hoisted(() => []);
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const watch = (path: string, listener: WatchListener<string>): FSWatcher => {
    const code = watchErrors.get(path);
    watchedPaths.push(path);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return fs.watch(path, listener);
  };
  return { ...fs, watch };
});

describe('a watched folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-watch-'));
  const pathOf = (file: string): string => join(folder, file);
  const reportedFiles: string[] = [];
  let stop: () => void;
  beforeAll(() => {
    for (const subfolder of ['lib/deep', 'node_modules/left'])
      mkdirSync(pathOf(subfolder), { recursive: true });
    for (const file of ['server.js', 'lib/deep/a.js']) writeFileSync(pathOf(file), '1');
    stop = watchFolder(folder, (file) => reportedFiles.push(file));
  });
  afterAll(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  /** The changes that are reported after something is done, once they have stopped. */
  const changesOf = async (act: () => void): Promise<readonly string[]> => {
    reportedFiles.length = 0;
    act();
    await wait(500);
    return [...reportedFiles];
  };
  /** Saves as many editors do: another file takes its name. */
  const saveByRename = (file: string, text: string): void => {
    writeFileSync(pathOf('4913.tmp'), text);
    renameSync(pathOf('4913.tmp'), pathOf(file));
  };

  it('reports each saved file, written in place or renamed', async () => {
    expect(await changesOf(() => appendFileSync(pathOf('server.js'), '2'))).toEqual(['server.js']);
    expect(await changesOf(() => saveByRename('server.js', '3'))).toEqual(['server.js']);
    expect(await changesOf(() => appendFileSync(pathOf('server.js'), '4'))).toEqual(['server.js']);
    expect(await changesOf(() => saveByRename('lib/deep/a.js', '5'))).toEqual([
      join('lib', 'deep', 'a.js'),
    ]);
    expect(await changesOf(() => appendFileSync(pathOf('lib/deep/a.js'), '6'))).toEqual([
      join('lib', 'deep', 'a.js'),
    ]);
  });

  it('reports files in a new folder, and in one that was deleted and created again', async () => {
    const createdFile = join('new', 'inner', 'b.js');
    const createFile = (): void => {
      mkdirSync(pathOf('new/inner'), { recursive: true });
      writeFileSync(pathOf(createdFile), 'x');
    };
    expect(await changesOf(createFile)).toEqual([createdFile]);
    expect(await changesOf(() => appendFileSync(pathOf(createdFile), 'y'))).toEqual([createdFile]);
    await changesOf(() => rmSync(pathOf('new'), { recursive: true }));
    expect(await changesOf(createFile)).toEqual([createdFile]);
    expect(await changesOf(() => appendFileSync(pathOf(createdFile), 'z'))).toEqual([createdFile]);
  });

  it('reports several changes at the same time as one', async () => {
    const changes = await changesOf(() =>
      ['a', 'b', 'c'].forEach((name) => writeFileSync(pathOf(name), name)),
    );
    expect(changes).toHaveLength(1);
  });

  it('ignores files that programs write while they run', async () => {
    const programFiles = [
      'app.log',
      'shop.db',
      'shop.db-wal',
      'data.sqlite3',
      'server.js~',
      '.server.js.swp',
      'node_modules/left/pad.js',
    ];
    expect(
      await changesOf(() => programFiles.forEach((name) => writeFileSync(pathOf(name), 'x'))),
    ).toEqual([]);
  });

  it('may have parts that cannot be read', async () => {
    mkdirSync(pathOf('locked'));
    watchErrors.set(pathOf('locked'), 'EACCES');
    symlinkSync('circle', pathOf('circle'));
    const stopOther = watchFolder(folder, () => undefined);
    stopOther();
    mkdirSync(pathOf('readable'));
    expect(await changesOf(() => writeFileSync(pathOf('readable/a'), 'x'))).toEqual([
      join('readable', 'a'),
    ]);
  });

  it('watches a linked folder, but no link to a folder around it', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'castellan-watch-'));
    mkdirSync(pathOf('linking'));
    symlinkSync(elsewhere, pathOf('linking/elsewhere'));
    symlinkSync('..', pathOf('linking/up'));
    watchedPaths.length = 0;
    watchFolder(folder, () => undefined)();
    expect(watchedPaths.filter((path) => path.includes('linking'))).toEqual([
      pathOf('linking'),
      pathOf('linking/elsewhere'),
    ]);
    rmSync(pathOf('linking'), { recursive: true });
    rmSync(elsewhere, { recursive: true });
  });

  it('fails if the system has no watchers left', () => {
    mkdirSync(pathOf('one-too-many'));
    watchErrors.set(pathOf('one-too-many'), 'ENOSPC');
    expect(() => watchFolder(folder, () => undefined)).toThrow('ENOSPC');
    rmSync(pathOf('one-too-many'), { recursive: true });
  });
});
