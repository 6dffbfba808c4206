import { existsSync, statSync } from 'node:fs';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { isDiskFull } from '../../core/errors/disk-full.js';
import { openSqlite, isSqliteError, type Sqlite } from '../../services/common/sqlite.js';

/** A lock that is held until it is released or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock file for this process, or returns undefined if another process has it. The lock is
 * the operating system's (an exclusively locked database): it ends with its process, even after a
 * crash, so it is never stale.
 *
 * @throws CAS4013 when the file cannot be opened or written, such as that of another user.
 */
export function takeLock(path: string): Lock | undefined {
  let database: Sqlite | undefined;
  try {
    database = openSqlite(path);
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    return { release: () => database?.close() };
  } catch (cause) {
    database?.close();
    if (isSqliteError(cause, 'busy')) return undefined;
    if (isCastellanError(cause) || isDiskFull(cause)) throw cause;
    throw new CastellanError('CAS4013', `${path} can't be locked: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * Whether a process has the lock. Takes it for an instant to see: a {@link takeLock} at that instant
 * returns undefined, so whoever must have the lock tries again.
 */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = takeLock(path);
  lock?.release();
  return lock === undefined;
}

/** How often a process looks whether its lock file is still there. */
const removalCheckMs = 5_000;

/**
 * Calls back when the lock file of this process was removed, as with the folder that it is in: from
 * then on another process can take the lock. PostgreSQL watches its own lock file in the same way.
 *
 * @returns a function that ends the watch.
 */
export function watchLockFile(path: string, onRemoved: () => void): () => void {
  const inode = statSync(path).ino;
  const timer = setInterval(() => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
    clearInterval(timer);
    onRemoved();
  }, removalCheckMs);
  timer.unref();
  return () => clearInterval(timer);
}
