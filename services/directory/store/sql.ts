import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseEngine } from '../../common/database.js';

/** The types of parameters. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;

/** A piece of SQL with its parameters. */
export type Fragment = RawBuilder<unknown>;

type Connection = Database['connection'];

/**
 * The key of the advisory lock: any number that nobody else on the PostgreSQL server is likely to
 * use.
 */
const writeLockKey = 7_361_905_412;

/**
 * The directory's access to its database, with the same statements on SQLite and PostgreSQL.
 *
 * Writes are serialized (SQLite has one connection, PostgreSQL uses an advisory lock), so that the
 * change log is in the order of commits and no update is lost. Everything that runs inside
 * {@link Sql.transaction} takes part in its transaction, and a read outside never sees an unfinished one.
 */
export class Sql {
  readonly engine: DatabaseEngine;
  readonly #database: Connection;
  readonly #transaction = new AsyncLocalStorage<Connection>();
  #openTransactions = 0;

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

  /** The number that a query for one `count` returns. */
  async count(query: Fragment): Promise<number> {
    return Number((await this.first<{ count: number | string }>(query))?.count ?? 0);
  }

  /** @returns the number of changed rows. */
  async run(statement: Fragment): Promise<number> {
    return Number((await statement.execute(this.#connection)).numAffectedRows ?? 0);
  }

  /**
   * Inserts a row.
   *
   * @param conflict what to do if it exists.
   * @default fail
   * @returns the number of changed rows.
   */
  insert(
    table: string,
    row: Readonly<Record<string, SqlValue>>,
    conflict = sql``,
  ): Promise<number> {
    const columns = Object.keys(row).map((name) => sql.ref(name));
    return this.run(
      sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))}) ${conflict}`,
    );
  }

  /**
   * Runs the body in one transaction, or takes part in the current one. An exception rolls
   * everything back.
   */
  transaction<T>(body: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()) return body();
    return this.#database.connection().execute(async (connection) => {
      const run = (statement: string): Promise<unknown> =>
        connection.executeQuery(CompiledQuery.raw(statement));
      await run(this.engine === 'sqlite' ? 'begin immediate' : 'begin');
      this.#openTransactions += 1;
      try {
        if (this.engine === 'postgres')
          await sql`select pg_advisory_xact_lock(${writeLockKey})`.execute(connection);
        const result = await this.#transaction.run(connection, body);
        await run('commit');
        return result;
      } catch (error) {
        await run('rollback');
        throw error;
      } finally {
        this.#openTransactions -= 1;
        // The async hook behind the storage slows down every promise of the process: it is enabled
        // only during writes.
        if (this.#openTransactions === 0) this.#transaction.disable();
      }
    });
  }

  get #connection(): Connection {
    return this.#transaction.getStore() ?? this.#database;
  }
}

/**
 * The condition that an object `o` is among the numbers of a common table expression. Both
 * databases must look them up one by one: PostgreSQL, which overestimates their number, scans all
 * objects unless they are an array; SQLite has no arrays.
 */
export function numberInTableCondition(engine: DatabaseEngine, table: string): Fragment {
  const numbers = sql`select number from ${sql.table(table)}`;
  return engine === 'sqlite'
    ? sql`o.number in (${numbers})`
    : sql`o.number = any(array(${numbers}))`;
}

/**
 * The number of an object `o`, for pages through all objects of a type. PostgreSQL assumes that the
 * objects of a type are evenly distributed and would scan the primary key, past a million users to
 * the first group: only the index of each type has this expression.
 */
export function pagingNumber(engine: DatabaseEngine): Fragment {
  return engine === 'sqlite' ? sql`o.number` : sql`(o.number + 0)`;
}

/** Whether a value, such as one of a page token, can be the number of a row, or 0, before the first. */
export function isRowNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestRowNumber;
}

/** The largest integer of PostgreSQL, which refuses to compare a column with a larger one. */
const largestRowNumber = 2 ** 31 - 1;

/**
 * The limit in a statement that reads at least a number of rows: the next power of two, as literal
 * text. SQLite prepares a statement again whenever a parameter after `limit` is bound, which takes
 * longer than most of these queries; with powers of two, there are few different statements.
 */
export function powerOfTwoLimit(limit: number): Fragment {
  return sql.lit(2 ** Math.ceil(Math.log2(Math.max(1, limit))));
}
