import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
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

  /** The rows of a statement with `?` in the place of its parameters. */
  async all<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#execute<Row>(statement, parameters)).rows;
  }

  async get<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(statement, parameters))[0];
  }

  /** @returns how many rows changed. */
  async run(statement: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return Number((await this.#execute(statement, parameters)).numAffectedRows ?? 0);
  }

  /** Runs a statement that was put together for the request. */
  async query<Row>(query: Fragment): Promise<Row[]> {
    return (await query.execute(this.#connection)).rows as Row[];
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

  #execute<Row>(statement: string, parameters: readonly SqlValue[]): Promise<QueryResult<Row>> {
    const text = this.engine === 'sqlite' ? statement : numbered(statement);
    return this.#connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  }

  get #connection(): Connection {
    return this.#transaction.getStore() ?? this.#database;
  }
}

/** Rewrites `?` to `$1`, `$2`, …; the statements of this service hold no question mark in a literal. */
function numbered(statement: string): string {
  let count = 0;
  return statement.replace(/\?/g, () => `$${++count}`);
}

/**
 * The condition that an object `o` is among the numbers of a common table expression. Both engines must look these up one by one:
 * PostgreSQL, which guesses too many of them, would rather walk through all objects, unless they are an array; SQLite has no arrays.
 */
export function among(engine: DatabaseEngine, table: string): string {
  return engine === 'sqlite' ? `o.number in (select number from ${table})` : `o.number = any(array(select number from ${table}))`;
}

/**
 * The number of an object `o`, for pages through all objects of a type. PostgreSQL takes the objects of a type to lie evenly among all
 * and would walk along the primary key, past a million users to the first group: only an index of the type's own has this expression.
 */
export function pageNumber(engine: DatabaseEngine): string {
  return engine === 'sqlite' ? 'o.number' : '(o.number + 0)';
}

/**
 * The limit that a statement holds for so many wanted rows: the next power of two, so that a few texts serve all, and never a parameter.
 * SQLite plans a statement again whenever a parameter behind `limit` is bound, which takes longer than most of these queries.
 */
export function roundLimit(wanted: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, wanted)));
}
