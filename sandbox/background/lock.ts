import { existsSync } from 'node:fs';
import { openSqlite, isSqliteError } from '../../services/common/sqlite.js';

/** A lock that is held until it is released or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock file for this process, or returns undefined if another process has it. The lock is
 * the operating system's (an exclusively locked database): it ends with its process, even after a
 * crash, so it is never stale.
 */
export function takeLock(path: string): Lock | undefined {
  const database = openSqlite(path);
  try {
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isSqliteError(error, 'busy')) return undefined;
    throw error;
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
