import type { Database } from '../../services/common/database.js';
import type { Sqlite } from '../../services/common/sqlite.js';

/**
 * Replaces the rows of all tables by those of another file of the same version, in one transaction
 * between those of requests, without a restart.
 *
 * @param file a copy of the database that was made earlier.
 */
export async function replaceRows(database: Database, file: string): Promise<void> {
  const { sqlite } = database;
  if (sqlite === undefined) throw new Error('rows can be replaced in SQLite only');
  // Kysely gives the connection to one caller at a time
  await database.connection.connection().execute(() => {
    sqlite.prepare('attach database ? as saved').run([file]);
    try {
      sqlite.transaction(() => copyTables(sqlite));
    } finally {
      sqlite.exec('detach database saved');
    }
    return Promise.resolve();
  });
}

function copyTables(sqlite: Sqlite): void {
  sqlite.exec('pragma defer_foreign_keys = on');
  const savedTables = new Set(tablesIn(sqlite, 'saved'));
  const presentTables = tablesIn(sqlite, 'main');
  for (const name of presentTables)
    // a table that was created after the copy stays, and so does the record of its migration
    if (savedTables.has(name) || !/_migration(_lock)?$/.test(name))
      sqlite.exec(`delete from main."${name}"`);
  for (const name of presentTables)
    if (savedTables.has(name))
      sqlite.exec(`insert into main."${name}" select * from saved."${name}"`);
}

function tablesIn(sqlite: Sqlite, schema: 'main' | 'saved'): readonly string[] {
  const rows = sqlite
    .prepare(
      `select name from ${schema}.sqlite_master where type = 'table'
       and (name not like 'sqlite_%' or name = 'sqlite_sequence')`,
    )
    .all() as { readonly name: string }[];
  return rows.map(({ name }) => name);
}
