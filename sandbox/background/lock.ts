import SqliteDatabase from 'better-sqlite3';

/** Holds a lock until it is released or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock file for this process, or answers undefined when another one holds it. The lock is the operating system's (through a
 * database that is locked for itself): it ends with its process, however that ends, so that nothing stale is left behind.
 */
export function takeLock(path: string): Lock | undefined {
  const database = new SqliteDatabase(path, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => void database.close() };
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true) return undefined;
    throw error;
  }
}

/** Whether some process holds the lock. */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === undefined;
}
