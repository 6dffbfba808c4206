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
 * Replaces a file atomically: on a full disk, or when the process is killed, the old file stays as it was.
 *
 * @param write writes the draft that takes the file's place.
 * @throws the system's error; the draft is removed then.
 */
export function replaceFile(path: string, write: (draft: string) => void): void {
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

/** Puts a text into a user's file, new or old, as {@link replaceFile} does; links, permissions and a byte order mark stay. */
export function replaceText(path: string, text: string): void {
  if (!existsSync(path)) {
    replaceFile(path, (draft) => writeFileSync(draft, text));
    return;
  }
  if (!statSync(path).isFile()) {
    writeFileSync(path, text); // devices and pipes are written directly
    return;
  }
  const target = realpathSync(path);
  const hasMark = readFileSync(target, 'utf8').startsWith(byteOrderMark) && !text.startsWith(byteOrderMark);
  const mode = statSync(target).mode & 0o777;
  replaceFile(target, (draft) => {
    writeFileSync(draft, hasMark ? byteOrderMark + text : text, { mode: 0o600 });
    chmodSync(draft, mode);
  });
}

/**
 * Makes a folder with all that are missing above it. Level by level: Node's own recursive way never ends where a folder can't be made
 * below one that exists, as in /proc.
 *
 * @param mode permissions of the folders that are made, less the process's mask. @default 0o777
 * @returns the topmost folder that was made; undefined where all were there
 * @throws the system's error where a folder can't be made, or something else is there
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  if (isFolder(folder)) return undefined;
  const topmost = makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return topmost;
  }
  return topmost ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
