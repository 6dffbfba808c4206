import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../core/source/make-folder.js';
import { openSqlite } from '../../common/sqlite.js';
import { type ListableStore, purgeIntervalMs } from './entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';
import { SqliteReadCache } from './sqlite-read-cache.js';

/**
 * A store in an SQLite file, shared by the workers, and by the sidecars, of one machine.
 *
 * @param onError called when expired entries could not be deleted: on a full disk, or in a file that
 *   another program has locked.
 */
export function openSqliteStore(
  path: string,
  now: SecondsClock,
  onError: (error: Error) => void,
): ListableStore {
  makeFolder(dirname(path), 0o700);
  const database = openSqlite(path);
  try {
    chmodSync(path, 0o600);
    database.exec('pragma busy_timeout = 3000');
    database.exec('pragma journal_mode = WAL');
    database.exec('pragma synchronous = NORMAL');
    // The read cache has the rows: a small page cache keeps an idle sidecar small.
    database.exec('pragma cache_size = -256');
    database.exec(
      'create table if not exists auth_sidecar_entry (key text primary key, value text not null, expires_at integer not null) without rowid',
    );
  } catch (error) {
    database.close(); // every request tries again, and would keep one more file open
    throw error;
  }
  const dataVersion = database.prepare('pragma data_version');
  const select = database.prepare('select value, expires_at from auth_sidecar_entry where key = ?');
  const upsert = database.prepare(
    'insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at',
  );
  // An expired entry is replaced, even before it is purged.
  const insert = database.prepare(
    'insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at where auth_sidecar_entry.expires_at <= ?',
  );
  const selectAll = database.prepare(
    'select key, value from auth_sidecar_entry where key >= ? and key < ? and expires_at > ?',
  );
  const deleteEntry = database.prepare('delete from auth_sidecar_entry where key = ?');
  const deleteExpired = database.prepare('delete from auth_sidecar_entry where expires_at <= ?');
  const readCache = new SqliteReadCache(
    () => (dataVersion.get() as { data_version: number }).data_version,
    (key) => select.get([key]) as { value: string; expires_at: number } | undefined,
  );
  const purge = setInterval(() => {
    try {
      if (database.isOpen) deleteExpired.run([now()]);
    } catch (error) {
      onError(error as Error);
    }
  }, purgeIntervalMs);
  purge.unref();
  return {
    read: (keys) => readCache.read(keys, now()),
    write: (key, value, expiresAt) => {
      upsert.run([key, value, expiresAt]);
      readCache.forget(key);
    },
    add: (key, value, expiresAt) => {
      const isNew = insert.run([key, value, expiresAt, now()]).changes === 1;
      readCache.forget(key);
      return isNew;
    },
    remove: (key) => {
      deleteEntry.run([key]);
      readCache.forget(key);
    },
    list: (prefix) => {
      const rows = selectAll.all([prefix, `${prefix}\u{10ffff}`, now()]);
      return (rows as { key: string; value: string }[]).map(({ key, value }) => [key, value]);
    },
    close: () => {
      clearInterval(purge);
      database.close();
      return Promise.resolve();
    },
  };
}
