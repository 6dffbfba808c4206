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
} from 'node:fs';

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
  const lacksMark =
    readFileSync(target, 'utf8').startsWith(byteOrderMark) && !text.startsWith(byteOrderMark);
  const mode = statSync(target).mode & 0o777;
  replaceFile(target, (draft) => {
    writeFileSync(draft, lacksMark ? byteOrderMark + text : text, { mode: 0o600 });
    chmodSync(draft, mode);
  });
}

/** Whether something is there that is neither a file nor a folder. */
function isDevice(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
