import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { makeFolder } from '../../../core/source/make-folder.js';
import type { EntryStore, Seconds } from './entry-store.js';
import { SqliteMirror } from './sqlite-mirror.js';

/** A store in an SQLite file, shared by the workers, and by the sidecars, of one machine. */
export function openSqliteStore(path: string, now: Seconds): EntryStore {
  makeFolder(dirname(path), 0o700);
  const database = new SqliteDatabase(path);
  chmodSync(path, 0o600);
  database.pragma('busy_timeout = 3000');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  // Pages are read through the mirror: a small cache keeps an idle sidecar small.
  database.pragma('cache_size = -256');
  database.exec(
    'create table if not exists auth_sidecar_entry (key text primary key, value text not null, expires_at integer not null) without rowid',
  );
  const version = database.prepare<[], number>('pragma data_version').pluck();
  const select = database.prepare<[string], { value: string; expires_at: number }>(
    'select value, expires_at from auth_sidecar_entry where key = ?',
  );
  const upsert = database.prepare(
    'insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at',
  );
  // An entry that has ended gives way, also before it is purged.
  const insert = database.prepare(
    'insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at where auth_sidecar_entry.expires_at <= ?',
  );
  const drop = database.prepare('delete from auth_sidecar_entry where key = ?');
  const dropExpired = database.prepare('delete from auth_sidecar_entry where expires_at <= ?');
  const mirror = new SqliteMirror(
    () => version.get() ?? 0,
    (key) => select.get(key),
  );
  const purge = setInterval(() => {
    if (database.open) dropExpired.run(now());
  }, 60_000);
  purge.unref();
  return {
    read: (keys) => mirror.read(keys, now()),
    write: (key, value, expiresAt) => {
      upsert.run(key, value, expiresAt);
      mirror.forget(key);
    },
    add: (key, value, expiresAt) => {
      const added = insert.run(key, value, expiresAt, now()).changes === 1;
      mirror.forget(key);
      return added;
    },
    remove: (key) => {
      drop.run(key);
      mirror.forget(key);
    },
    close: () => {
      clearInterval(purge);
      database.close();
      return Promise.resolve();
    },
  };
}
