import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { EntryStore, Seconds } from './entry-store.js';

/** A store in an SQLite file, shared by the workers of one machine. */
export function openSqliteStore(path: string, now: Seconds): EntryStore {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new SqliteDatabase(path);
  chmodSync(path, 0o600);
  database.pragma('busy_timeout = 3000');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(
    'create table if not exists auth_sidecar_entry (key text primary key, value text not null, expires_at integer not null) without rowid',
  );
  const select = database.prepare<[string, number], { value: string }>(
    'select value from auth_sidecar_entry where key = ? and expires_at > ?',
  );
  const upsert = database.prepare(
    'insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at',
  );
  const insert = database.prepare('insert into auth_sidecar_entry (key, value, expires_at) values (?, ?, ?) on conflict (key) do nothing');
  const drop = database.prepare('delete from auth_sidecar_entry where key = ?');
  const dropExpired = database.prepare('delete from auth_sidecar_entry where expires_at <= ?');
  const purge = setInterval(() => {
    if (database.open) dropExpired.run(now());
  }, 60_000);
  purge.unref();
  return {
    read: (keys) => {
      const time = now();
      return keys.map((key) => select.get(key, time)?.value);
    },
    write: (key, value, expiresAt) => void upsert.run(key, value, expiresAt),
    add: (key, value, expiresAt) => insert.run(key, value, expiresAt).changes === 1,
    remove: (key) => void drop.run(key),
    close: () => {
      clearInterval(purge);
      database.close();
      return Promise.resolve();
    },
  };
}
