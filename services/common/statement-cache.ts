import type { Sqlite, SqliteStatement } from './sqlite.js';

/** What the query builder needs of SQLite. */
interface StatementSource {
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** So many statements are kept; lists of values make texts that are never seen again. */
const kept = 300;
const changesRowsOnly = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i;

/**
 * SQLite as the query builder sees it: a statement that was prepared once is used again, for preparing costs more than running most of
 * them. A change of tables or indexes forgets them all.
 */
export function rememberingStatements(sqlite: Sqlite): StatementSource {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = sqlite.prepare(sql);
      if (!changesRowsOnly.test(sql)) statements.clear();
      else statements.set(sql, statement);
      // The oldest goes: what is asked for all the time is back with its next use.
      const [oldest] = statements.size > kept ? statements.keys() : [];
      if (oldest !== undefined) statements.delete(oldest);
      return statement;
    },
    close: () => sqlite.close(),
  };
}
