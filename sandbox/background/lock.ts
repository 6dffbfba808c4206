import { openSqlite, sqliteFailed } from '../../services/common/sqlite.js';

/** Holds a lock until it is released or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock file for this process, or answers undefined when another one holds it. The lock is the operating system's (an exclusively
 * locked database): it ends with its process, even after a crash, so that no stale lock is left.
 */
export function takeLock(path: string): Lock | undefined {
  const database = openSqlite(path);
  try {
    database.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (sqliteFailed(error, 'busy')) return undefined;
    throw error;
  }
}

/** Whether some process holds the lock. */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === undefined;
}
