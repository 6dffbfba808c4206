import { type Database, openDatabase } from '../../../../services/common/database.js';
import { emptyPostgres } from '../../../support/postgres.js';
import { describeWithTool } from '../../../support/require-tool.js';

/** Opens an empty database of the engine under test. */
export type OpenEmpty = () => Promise<Database>;

/** Runs the same tests on SQLite and, where it is installed, on PostgreSQL. */
export function onEveryEngine(
  title: string,
  tests: (open: OpenEmpty, engine: 'sqlite' | 'postgres') => void,
): void {
  describe(`${title} on SQLite`, () => tests(() => openDatabase('memory:'), 'sqlite'));
  describeWithTool('postgres', `${title} on PostgreSQL`, () =>
    tests(() => openEmptyPostgres(), 'postgres'),
  );
}

/** A new database on a running server: by default on the one that all tests of a run share. */
export async function openEmptyPostgres(server?: string): Promise<Database> {
  return openDatabase(await emptyPostgres(server));
}
