import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

const byteOrderMark = '\ufeff';

/**
 * Replaces a file atomically: on a full disk, or when the process is killed, the old file stays as
 * it was. Devices and pipes (`/dev/null`) are written directly: replacing one would remove it.
 *
 * @param write writes the draft that replaces the file.
 * @throws the system's error after removing the draft.
 */
export function replaceFile(path: string, write: (draft: string) => void): void {
  if (isDevice(path)) {
    write(path);
    return;
  }
  const draft = `${path}.${String(process.pid)}.part`;
  try {
    write(draft);
    const file = openSync(draft, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Writes a text to a user's file, new or existing, like {@link replaceFile}; links, permissions and
 * a byte order mark are kept.
 */
export function replaceText(path: string, text: string): void {
  if (!existsSync(path) || isDevice(path)) {
    replaceFile(path, (draft) => writeFileSync(draft, text));
    return;
  }
  const target = realpathSync(path);
  const hasMark =
    readFileSync(target, 'utf8').startsWith(byteOrderMark) && !text.startsWith(byteOrderMark);
  const mode = statSync(target).mode & 0o777;
  replaceFile(target, (draft) => {
    writeFileSync(draft, hasMark ? byteOrderMark + text : text, { mode: 0o600 });
    chmodSync(draft, mode);
  });
}

/**
 * Creates a folder with its missing parents, one by one: Node's recursive mkdir never returns if a
 * folder cannot be created below an existing one, as in /proc.
 *
 * @param mode permissions of the created folders, reduced by the umask.
 * @default 0o777
 * @returns the topmost created folder; undefined if all existed
 * @throws the system's error if a folder cannot be created, or the path is not a folder
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  if (isFolder(folder)) return undefined;
  const topmost = makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return topmost;
  }
  return topmost ?? folder;
}

/** Whether something is there that is neither a file nor a folder. */
function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
