import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Changes within this time count as one: a build or a save changes many files. */
const quietMilliseconds = 150;
/**
 * Files that tools keep beside the source, that programs write while they run, and that editors
 * write while a file is open.
 */
const ignoredPath =
  /(^|[\\/])(node_modules|\.git|\.castellan|cdktf\.out)([\\/]|$)|\.(log|pid|tmp|swp|(db|sqlite3?)(-\w+)?)$|~$/;

/** The errors of what was deleted in the meantime, must not be read, or is a link to itself. */
const skippedErrors: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ELOOP']);

/**
 * Runs a step that is skipped, with `undefined`, for what cannot be watched.
 *
 * @throws every other error, such as ENOSPC: the system has no watchers left.
 */
function unlessUnwatchable<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (skippedErrors.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/**
 * Watches a folder with its content, except for files that programs write while they run (`*.log`,
 * `*.db`, …) and for what this process must not read.
 *
 * @param onChange gets the last of the files that changed at once, relative to the folder.
 * @returns a function that stops watching.
 */
export function watchFolder(folder: string, onChange: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const modifiedTimes = new Map<string, number>();
  // a watcher for each folder: a recursive one loses files that are saved by a rename
  const watchers = new Map<string, FSWatcher>();
  const scheduleOnChange = (file: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange(file), quietMilliseconds);
  };
  const unwatch = (path: string): void => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  /** The device and inode of each watched folder. */
  const identities = new Map<string, string>();
  /** Whether a folder is a link to one around it, whose content would be watched without end. */
  const isLoop = (path: string, identity: string): boolean => {
    const steps = path.split(sep);
    return steps.some((_, index) => identities.get(steps.slice(0, index).join(sep)) === identity);
  };
  /** Watches the folder, or one below it, with its subfolders; `onFile` gets the existing files. */
  const watchSubfolder = (path: string, onFile: (file: string) => void): void => {
    unwatch(path);
    const { dev, ino } = statSync(join(folder, path));
    const identity = `${dev} ${ino}`;
    if (isLoop(path, identity)) return;
    identities.set(path, identity);
    const watcher = watch(
      join(folder, path),
      (_event, name) => name !== null && watchPath(join(path, name), scheduleOnChange),
    );
    watchers.set(
      path,
      watcher.on('error', () => unwatch(path)),
    );
    for (const name of readdirSync(join(folder, path))) watchPath(join(path, name), onFile);
  };
  const watchPath = (path: string, onFile: (file: string) => void): void => {
    if (ignoredPath.test(path)) return;
    const entry = unlessUnwatchable(() => statSync(join(folder, path), { throwIfNoEntry: false }));
    // some systems report files that were only read
    const time = entry?.mtimeMs ?? 0;
    if (modifiedTimes.get(path) === time) return;
    modifiedTimes.set(path, time);
    if (entry?.isDirectory() === true) unlessUnwatchable(() => watchSubfolder(path, onFile));
    else onFile(path);
  };
  if (existsSync(folder)) watchSubfolder('', () => undefined);
  return () => {
    clearTimeout(timer);
    for (const path of [...watchers.keys()]) unwatch(path);
  };
}
