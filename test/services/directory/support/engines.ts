import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../../services/common/database.js';
import { startPostgres, type TestPostgres } from '../../../support/postgres.js';
import { describeWithTool } from '../../../support/require-tool.js';

/** Opens an empty database of the engine under test. */
export type OpenEmpty = () => Promise<Database>;

/** Runs the same tests on SQLite and, where it is installed, on PostgreSQL. */
export function onEveryEngine(title: string, tests: (open: OpenEmpty, engine: 'sqlite' | 'postgres') => void): void {
  describe(`${title} on SQLite`, () => tests(() => openDatabase('memory:'), 'sqlite'));
  describeWithTool('postgres', `${title} on PostgreSQL`, () => {
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    tests(() => {
      if (!server) throw new Error('PostgreSQL has not started');
      return openEmptyPostgres(server.url);
    }, 'postgres');
    // behind the tests' own hooks, which still close their databases
    afterAll(() => server?.stop());
  });
}

/** A new database on a running server. */
export async function openEmptyPostgres(url: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = await openDatabase(url);
  await sql.raw(`create database ${name}`).execute(admin.connection);
  await admin.close();
  return openDatabase(url.replace(/\/[^/]*$/, `/${name}`));
}
