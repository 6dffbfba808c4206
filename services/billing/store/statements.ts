import type { RawBuilder } from 'kysely';
import type { Statement } from 'better-sqlite3';
import type { Database } from '../../common/database.js';
import { rememberingStatements } from '../../common/statement-cache.js';

const sources = new WeakMap<Database, { prepare(sql: string): Statement }>();

/**
 * The rows of a query as lists of values, which cost less than objects with as many names.
 *
 * @param columns the names of the values, in order.
 */
export async function readRows(database: Database, query: RawBuilder<unknown>, columns: readonly string[]): Promise<readonly unknown[][]> {
  const { sqlite, connection } = database;
  if (sqlite === undefined) {
    const { rows } = await (query as RawBuilder<Record<string, unknown>>).execute(connection);
    return rows.map((row) => columns.map((column) => row[column]));
  }
  let source = sources.get(database);
  if (source === undefined) sources.set(database, (source = rememberingStatements(sqlite)));
  const { sql, parameters } = query.compile(connection);
  return source
    .prepare(sql)
    .raw()
    .all(...parameters) as unknown[][];
}

/** Lets other requests have their turn. */
export function takeTurns(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
