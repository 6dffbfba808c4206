import { dirname, resolve } from 'node:path';
import {
  type DialectAdapter,
  Kysely,
  type Migration,
  Migrator,
  PostgresDialect,
  sql,
  SqliteDialect,
} from 'kysely';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { makeFolder } from '../../core/source/make-folder.js';
import { openSqlite, type Sqlite } from './sqlite.js';
import { cachingStatements } from './statement-cache.js';

/** The database engine, for the few statements that differ. */
export type DatabaseEngine = 'sqlite' | 'postgres';

/**
 * An open database, shared by all services of a process; each service's tables start with its name.
 */
export interface Database {
  /**
   * Typed by each service with its own table interface:
   * `database.connection.withTables<MyTables>()`.
   */
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no tables of its own: every service adds its own
  readonly connection: Kysely<{}>;
  /** The engine. */
  readonly engine: DatabaseEngine;
  /** The SQLite file itself, for prepared statements on hot paths; undefined on PostgreSQL. */
  readonly sqlite?: Sqlite;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Opens `sqlite:PATH`, `postgres://…` or `memory:`. SQLite uses a write-ahead log and full
 * synchronisation: acknowledged writes survive a `kill -9` and a power failure.
 *
 * @throws CAS4001 when the URL is invalid or the database can't be opened, CAS4005 without SQLite.
 */
export async function openDatabase(url: string): Promise<Database> {
  try {
    if (url.startsWith('postgres://') || url.startsWith('postgresql://'))
      return await openPostgres(url);
    if (url === 'memory:') return openSqliteDatabase(':memory:');
    if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length)
      return openSqliteDatabase(resolve(url.slice('sqlite:'.length)));
  } catch (cause) {
    if (isCastellanError(cause)) throw cause;
    throw new CastellanError(
      'CAS4001',
      `the database ${withoutPassword(url)} can't be opened: ${(cause as Error).message}`,
      { cause },
    );
  }
  throw new CastellanError(
    'CAS4001',
    `"${withoutPassword(url)}" is not a database: allowed are sqlite:PATH, postgres://… and memory:`,
  );
}

function openSqliteDatabase(path: string): Database {
  if (path !== ':memory:') makeFolder(dirname(path));
  const sqlite = openSqlite(path);
  sqlite.exec('pragma journal_mode = WAL');
  sqlite.exec('pragma synchronous = FULL');
  sqlite.exec('pragma foreign_keys = ON');
  sqlite.exec('pragma busy_timeout = 5000');
  // 64 MB of pages instead of 2, so that the pages of a large table are not read from disk again
  // and again.
  sqlite.exec('pragma cache_size = -65536');
  sqlite.exec('pragma mmap_size = 268435456');
  const connection = new Kysely<object>({
    dialect: new TransactionalSqlite({ database: cachingStatements(sqlite) }),
  }) as Database['connection'];
  return { connection, engine: 'sqlite', sqlite, close: () => connection.destroy() };
}

/**
 * Migrations run in one transaction: an interrupted process leaves none of them half done, and the
 * disk is waited for once.
 */
class TransactionalSqlite extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return Object.defineProperty(super.createAdapter(), 'supportsTransactionalDdl', {
      value: true,
    });
  }
}

async function openPostgres(url: string): Promise<Database> {
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: url, max: 8 });
  // A broken idle connection (the server restarted) has already left the pool, and the next query
  // opens another one; but without a listener the event would end the process.
  pool.on('error', () => undefined);
  // Statements here are short, whatever PostgreSQL estimates: compiling them would take longer than
  // running them. A connection that refuses this setting still works, and a broken one fails at the
  // next query.
  // Times without an offset are in UTC, whatever the server's zone is.
  // The server looks after connections whose machine is gone, so that their leases end within 15 s.
  const settings =
    "set jit = off; set timezone = 'UTC'; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3";
  pool.on('connect', (client) => void client.query(settings).catch(() => undefined));
  const connection = new Kysely<object>({
    dialect: new PostgresDialect({ pool }),
  }) as Database['connection'];
  await sql`select 1`.execute(connection);
  return { connection, engine: 'postgres', close: () => connection.destroy() };
}

/**
 * Migrates one service's tables. Each service has its own history, so that services can share a
 * database.
 *
 * @param service the prefix of the service's tables, such as `directory`.
 * @param migrations by sortable name (`001-groups`).
 */
export async function migrate(
  database: Database,
  service: string,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({
    db: database.connection,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: `${service}_migration`,
    migrationLockTableName: `${service}_migration_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw new CastellanError(
      'CAS4001',
      `the tables of ${service} can't be brought up to date: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
}

/** A URL for messages. The password ends at the last `@`, since people forget to encode it. */
function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):.*@/s, '$1:***@').replace(/([?&]password=)[^&]*/gi, '$1***');
}

/** A migration: statements that run one after the other. */
export function migrationOf(...statements: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
