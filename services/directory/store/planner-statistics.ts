import { indexedProperties, propertyIndex } from './property-indexes.js';

/**
 * The statistics of the tables for SQLite's planner: the shape of a big directory, whatever its content. Without it SQLite guesses ten rows
 * for every index and then walks through all objects of a type, in the order of the answer, rather than looking up the few that a
 * question is about. A small directory loses nothing by it. PostgreSQL counts by itself.
 *
 * A line is an index and, as `sqlite_stat1` has it, its rows followed by how many of them share its first columns.
 */
const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  directory_object: {
    sqlite_autoindex_directory_object_1: '1000000 1',
    directory_object_type: '1000000 250000 1',
    directory_object_display_name: '1000000 250000 2 1',
    directory_object_mail: '1000000 250000 1',
    directory_object_mail_nickname: '1000000 250000 1',
    directory_object_user_principal_name: '1000000 1000000 1',
    directory_object_unique_name: '100000 100000 1',
    directory_object_app_id: '10000 5000 1',
    directory_object_alternate_key: '100000 25000 10',
    directory_object_expires_at: '10000 1',
    ...Object.fromEntries(indexedProperties.map((property) => [propertyIndex(property), '1000000 250000 1000'])),
  },
  directory_deleted_object: {
    directory_deleted_object_at: '10000 2500 1 1',
    directory_deleted_object_when: '10000 1',
  },
  directory_link: { directory_link: '5000000 50 50 1', directory_link_target: '5000000 5 5 1' },
  directory_change: {
    directory_change_type: '1000000 250000 1',
    directory_change_number: '1000000 10 1',
    directory_change_at: '1000000 1',
  },
};

/** The statements that give SQLite these statistics; the last one makes an open connection read them. */
export function plannerStatistics(): string[] {
  const rows = Object.entries(shapes).flatMap(([table, indexes]) =>
    Object.entries(indexes).map(([index, counts]) => `('${table}', '${index}', '${counts}')`),
  );
  return [
    'analyze directory_migration', // makes the table of statistics where there is none
    `delete from sqlite_stat1 where tbl in (${Object.keys(shapes).map((table) => `'${table}'`)})`,
    `insert into sqlite_stat1 (tbl, idx, stat) values ${rows}`,
    'analyze sqlite_schema',
  ];
}
