import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseEngine } from '../../common/database.js';

/** What a statement can be given. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;

/** A piece of SQL with its parameters. */
export type Fragment = RawBuilder<unknown>;

type Connection = Database['connection'];

/** Any number that no other user of the same PostgreSQL server is likely to lock by. */
const writeLock = 7_361_905_412;

/**
 * The directory's way to its database: the same statements on SQLite and PostgreSQL.
 *
 * Writes are one at a time (SQLite has one connection, PostgreSQL takes an advisory lock), so that the change log's order is the order of
 * commits and no update is lost. Whatever runs inside {@link Sql.write} takes part in its transaction by itself, and a read outside
 * never sees an unfinished one.
 */
export class Sql {
  readonly engine: DatabaseEngine;
  readonly #database: Connection;
  readonly #transaction = new AsyncLocalStorage<Connection>();
  #writing = 0;

  constructor({ engine, connection }: Database) {
    this.engine = engine;
    this.#database = connection;
  }

  /** The rows of a query. */
  async query<Row>(query: Fragment): Promise<Row[]> {
    return (await query.execute(this.#connection)).rows as Row[];
  }

  async first<Row>(query: Fragment): Promise<Row | undefined> {
    return (await this.query<Row>(query))[0];
  }

  /** The number that a query for one `count` gives. */
  async count(query: Fragment): Promise<number> {
    return Number((await this.first<{ count: number | string }>(query))?.count ?? 0);
  }

  /** @returns how many rows changed. */
  async run(statement: Fragment): Promise<number> {
    return Number((await statement.execute(this.#connection)).numAffectedRows ?? 0);
  }

  /** Inserts a row. @param conflict what to do where it is there already. @default fail @returns how many rows changed. */
  insert(table: string, row: Readonly<Record<string, SqlValue>>, conflict = sql``): Promise<number> {
    const columns = Object.keys(row).map((name) => sql.ref(name));
    return this.run(sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))}) ${conflict}`);
  }

  /** Runs the body in one transaction; inside another one it just takes part. Whatever it throws rolls everything back. */
  write<T>(body: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()) return body();
    return this.#database.connection().execute(async (connection) => {
      const run = (statement: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(statement));
      await run(this.engine === 'sqlite' ? 'begin immediate' : 'begin');
      this.#writing += 1;
      try {
        if (this.engine === 'postgres') await sql`select pg_advisory_xact_lock(${writeLock})`.execute(connection);
        const result = await this.#transaction.run(connection, body);
        await run('commit');
        return result;
      } catch (error) {
        await run('rollback');
        throw error;
      } finally {
        this.#writing -= 1;
        // The hook behind the storage slows every promise of the process down: it is on only while something is written.
        if (this.#writing === 0) this.#transaction.disable();
      }
    });
  }

  get #connection(): Connection {
    return this.#transaction.getStore() ?? this.#database;
  }
}

/**
 * The condition that an object `o` is among the numbers of a common table expression. Both engines must look these up one by one:
 * PostgreSQL, which guesses too many of them, would rather walk through all objects, unless they are an array; SQLite has no arrays.
 */
export function among(engine: DatabaseEngine, table: string): Fragment {
  const numbers = sql`select number from ${sql.table(table)}`;
  return engine === 'sqlite' ? sql`o.number in (${numbers})` : sql`o.number = any(array(${numbers}))`;
}

/**
 * The number of an object `o`, for pages through all objects of a type. PostgreSQL takes the objects of a type to lie evenly among all
 * and would walk along the primary key, past a million users to the first group: only an index of the type's own has this expression.
 */
export function pageNumber(engine: DatabaseEngine): Fragment {
  return engine === 'sqlite' ? sql`o.number` : sql`(o.number + 0)`;
}

/**
 * The limit that a statement holds for so many wanted rows: the next power of two, so that a few texts serve all, and never a parameter.
 * SQLite plans a statement again whenever a parameter behind `limit` is bound, which takes longer than most of these queries.
 */
export function roundLimit(limit: number): Fragment {
  return sql.lit(2 ** Math.ceil(Math.log2(Math.max(1, limit))));
}
