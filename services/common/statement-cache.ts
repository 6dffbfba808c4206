import { rollBack, type Sqlite, type SqliteStatement } from './sqlite.js';

/** The interface of SQLite that the query builder uses. */
interface StatementSource {
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** The most cached statements; lists of values produce texts that never occur again. */
const cacheSize = 300;
const noChanges = { changes: 0, lastInsertRowid: 0 };
const changesRowsOnly =
  /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i;

/**
 * SQLite for the query builder, with cached statements: preparing one takes longer than running
 * most of them. A change of tables or indexes clears the cache.
 */
export function cachingStatements(sqlite: Sqlite): StatementSource {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const cached = statements.get(sql);
      if (cached !== undefined) return cached;
      const prepared = sqlite.prepare(sql);
      const statement =
        sql === 'rollback'
          ? {
              ...prepared,
              run: (values?: readonly unknown[]) =>
                rollBack(() => prepared.run(values)) ?? noChanges,
            }
          : prepared;
      if (!changesRowsOnly.test(sql)) statements.clear();
      else statements.set(sql, statement);
      // Removes the oldest; a frequently used one returns with its next use.
      const [oldest] = statements.size > cacheSize ? statements.keys() : [];
      if (oldest !== undefined) statements.delete(oldest);
      return statement;
    },
    close: () => sqlite.close(),
  };
}
