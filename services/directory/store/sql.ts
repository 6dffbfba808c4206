import { AsyncLocalStorage } from 'node:async_hooks';
import type { Statement } from 'better-sqlite3';
import { CompiledQuery, sql } from 'kysely';
import type { Database, DatabaseEngine } from '../../common/database.js';
import { registerFold } from '../odata/index.js';
import type { Fragment, SqlParameter } from './fragment.js';

/** What a statement can be given. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;

/**
 * The directory's way to its database: the same statements on SQLite and PostgreSQL.
 *
 * Writes are one at a time (SQLite has one writer, PostgreSQL takes an advisory lock), so that the change log's order is the order of
 * commits and no update is lost. Whatever runs inside {@link Sql.write} takes part in its transaction by itself, and a read outside
 * never sees an unfinished one.
 */
export interface Sql {
  readonly engine: DatabaseEngine;
  all<Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** @returns how many rows changed. */
  run(statement: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** Runs a statement that was put together for the request. */
  query<Row>(query: Fragment): Promise<Row[]>;
  /** Runs the body in one transaction; inside another one it just takes part. Whatever it throws rolls everything back. */
  write<T>(body: () => Promise<T>): Promise<T>;
}

type Connection = Database['connection'];

/** Opens the directory's statements on a database. */
export function createSql(database: Database): Sql {
  return database.sqlite ? new SqliteSql(database) : new PostgresSql(database);
}

class SqliteSql implements Sql {
  readonly engine = 'sqlite';
  readonly #statements = new Map<string, Statement>();
  readonly #transaction = new AsyncLocalStorage<true>();
  readonly #database: Database;
  #writing: Promise<unknown> | undefined;

  constructor(database: Database) {
    this.#database = database;
    if (database.sqlite) {
      registerFold(database.sqlite);
      // 2 MB, the default, holds not even the upper levels of a big directory's indexes.
      database.sqlite.pragma('cache_size = -65536');
      database.sqlite.pragma('mmap_size = 268435456');
    }
  }

  async all<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    if (this.#writing) await this.#settled();
    return this.#prepare(statement).all(parameters) as Row[];
  }

  async get<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    if (this.#writing) await this.#settled();
    return this.#prepare(statement).get(parameters) as Row | undefined;
  }

  async run(statement: string, parameters: readonly SqlValue[] = []): Promise<number> {
    if (this.#transaction.getStore()) return this.#prepare(statement).run(parameters).changes;
    return this.write(() => this.run(statement, parameters));
  }

  query<Row>(query: Fragment): Promise<Row[]> {
    return this.all(query.text, query.parameters.map(asSqlValue));
  }

  write<T>(body: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()) return body();
    return this.#database.connection.connection().execute(async () => {
      const running = this.#transaction.run(true, () => this.#inTransaction(body));
      this.#writing = running;
      try {
        return await running;
      } finally {
        this.#writing = undefined;
        // The hook behind the storage slows every promise of the process down: it is on only while something is written.
        this.#transaction.disable();
      }
    });
  }

  async #inTransaction<T>(body: () => Promise<T>): Promise<T> {
    this.#prepare('begin immediate').run();
    try {
      const result = await body();
      this.#prepare('commit').run();
      return result;
    } catch (error) {
      if (this.#database.sqlite?.inTransaction) this.#prepare('rollback').run();
      throw error;
    }
  }

  /** Waits until no transaction of another request is open; inside a transaction there is nothing to wait for. */
  async #settled(): Promise<void> {
    if (this.#transaction.getStore()) return;
    while (this.#writing) await this.#writing.catch(() => undefined); // its own caller hears of the failure
  }

  #prepare(statement: string): Statement {
    const known = this.#statements;
    let prepared = known.get(statement);
    if (!prepared) {
      if (known.size > 2000) known.clear();
      prepared = (this.#database.sqlite as NonNullable<Database['sqlite']>).prepare(statement);
      known.set(statement, prepared);
    }
    return prepared;
  }
}

/** Any number that no other user of the same PostgreSQL server is likely to lock by. */
const writeLock = 7_361_905_412;

class PostgresSql implements Sql {
  readonly engine = 'postgres';
  readonly builder: Connection;
  readonly #transaction = new AsyncLocalStorage<Connection>();
  #active = 0;

  constructor(database: Database) {
    this.builder = database.connection;
  }

  async all<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    const { rows } = await this.#connection().executeQuery<Row>(CompiledQuery.raw(numbered(statement), [...parameters]));
    return rows;
  }

  async get<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(statement, parameters))[0];
  }

  async run(statement: string, parameters: readonly SqlValue[] = []): Promise<number> {
    const result = await this.#connection().executeQuery(CompiledQuery.raw(numbered(statement), [...parameters]));
    return Number(result.numAffectedRows ?? 0);
  }

  query<Row>(query: Fragment): Promise<Row[]> {
    return this.all(query.text, query.parameters.map(asSqlValue));
  }

  write<T>(body: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()) return body();
    return this.builder.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${writeLock})`.execute(transaction);
      this.#active += 1;
      try {
        return await this.#transaction.run(transaction, body);
      } finally {
        this.#active -= 1;
        if (this.#active === 0) this.#transaction.disable();
      }
    });
  }

  #connection(): Connection {
    return this.#transaction.getStore() ?? this.builder;
  }
}

const numberedStatements = new Map<string, string>();

/** Rewrites `?` to `$1`, `$2`, …; the statements of this service hold no question mark in a literal. */
function numbered(statement: string): string {
  let text = numberedStatements.get(statement);
  if (text === undefined) {
    let count = 0;
    text = statement.replace(/\?/g, () => `$${++count}`);
    if (numberedStatements.size > 2000) numberedStatements.clear();
    numberedStatements.set(statement, text);
  }
  return text;
}

function asSqlValue(value: SqlParameter): SqlValue {
  return typeof value === 'boolean' ? Number(value) : value;
}
