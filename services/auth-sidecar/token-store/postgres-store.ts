import { Pool } from 'pg';
import { type ListableStore, purgeIntervalMs } from './entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';

const createTable = `create table if not exists auth_sidecar_entry (key text primary key, value text not null, expires_at bigint not null)`;

/** A store in PostgreSQL, shared by any number of replicas. */
export async function openPostgresStore(
  url: string,
  now: SecondsClock,
  onError: (error: Error) => void,
): Promise<ListableStore> {
  const pool = new Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
    statement_timeout: 3000,
  });
  pool.on('error', onError);
  try {
    // Two replicas that start at once may both find no table: the second creation then fails in the
    // catalogue, and succeeds when repeated.
    await pool.query(createTable).catch(() => pool.query(createTable));
  } catch (error) {
    await pool.end();
    throw error;
  }
  const purge = setInterval(() => {
    pool.query('delete from auth_sidecar_entry where expires_at <= $1', [now()]).catch(onError);
  }, purgeIntervalMs);
  purge.unref();
  return {
    read: async (keys) => {
      const query = {
        name: 'read',
        text: 'select key, value from auth_sidecar_entry where key = any($1) and expires_at > $2',
        values: [keys, now()],
      };
      const { rows } = await pool.query<{ key: string; value: string }>(query);
      const values = new Map(rows.map(({ key, value }) => [key, value]));
      return keys.map((key) => values.get(key));
    },
    write: async (key, value, expiresAt) => {
      await pool.query(
        'insert into auth_sidecar_entry (key, value, expires_at) values ($1, $2, $3) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at',
        [key, value, expiresAt],
      );
    },
    add: async (key, value, expiresAt) => {
      const { rowCount } = await pool.query(
        // An expired entry is replaced, even before it is purged.
        'insert into auth_sidecar_entry (key, value, expires_at) values ($1, $2, $3) on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at where auth_sidecar_entry.expires_at <= $4',
        [key, value, expiresAt, now()],
      );
      return rowCount === 1;
    },
    remove: async (key) => {
      await pool.query('delete from auth_sidecar_entry where key = $1', [key]);
    },
    list: async (prefix) => {
      const { rows } = await pool.query<{ key: string; value: string }>(
        'select key, value from auth_sidecar_entry where starts_with(key, $1) and expires_at > $2',
        [prefix, now()],
      );
      return rows.map(({ key, value }) => [key, value]);
    },
    close: () => {
      clearInterval(purge);
      return pool.end();
    },
  };
}
