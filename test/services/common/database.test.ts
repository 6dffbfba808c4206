import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isDiskFull } from '../../../core/errors/disk-full.js';
import { migrate, migrationOf, openDatabase } from '../../../services/common/database.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the folders of a database are created if needed', async () => {
  const database = await openDatabase(`sqlite:${join(folder, 'a/b/c.db')}`);
  expect(database.engine).toBe('sqlite');
  await database.close();
});

test.each(['sqlite:/proc/none/deeper/x.db', 'sqlite:/dev/null/x.db', 'sqlite:', 'mysql://x', ''])(
  'opening "%s" is refused with CAS4001',
  async (url) => {
    await expect(openDatabase(url)).rejects.toMatchObject({ code: 'CAS4001' });
  },
);

test('a transaction without disk space reports it, and the database continues to work', async () => {
  const { connection, close } = await openDatabase('memory:');
  const count = async (): Promise<unknown> =>
    (await sql<{ n: number }>`select count(*) as n from notes`.execute(connection)).rows[0]?.n;
  await sql`create table notes (text text)`.execute(connection);
  await sql`pragma max_page_count = 20`.execute(connection);
  const writing = connection
    .transaction()
    .execute((transaction) =>
      sql`insert into notes values (${'x'.repeat(200_000)})`.execute(transaction),
    );
  const error: unknown = await writing.catch((failure: unknown) => failure);
  expect([isDiskFull(error), (error as Error).message]).toEqual([
    true,
    expect.stringContaining('database or disk is full'),
  ]);
  await connection
    .transaction()
    .execute((transaction) => sql`insert into notes values ('small')`.execute(transaction));
  expect(Number(await count())).toBe(1);
  await close();
});

test('a failed migration leaves nothing, and the next one creates all tables', async () => {
  const database = await openDatabase('memory:');
  const brokenMigrations = {
    '001-notes': migrationOf('create table notes (text text)', 'create table tags ('),
  };
  await expect(migrate(database, 'notes', brokenMigrations)).rejects.toMatchObject({
    code: 'CAS4001',
  });
  await migrate(database, 'notes', {
    '001-notes': migrationOf('create table notes (text text)', 'create table tags (name text)'),
  });
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where name in ('notes', 'tags')`.execute(database.connection);
  expect(rows).toHaveLength(2);
  await database.close();
});

test.each([
  'postgres://castellan:hush/hush@127.0.0.1:1/db',
  'postgres://castellan:hush@hush@127.0.0.1:1/db',
  'postgres://:hush@127.0.0.1:1/db',
  'postgres://127.0.0.1:1/db?user=castellan&password=hush',
  'postgress://castellan:hush/hush@127.0.0.1/db',
])('the message about %s does not hold its password', async (url) => {
  const error = await openDatabase(url).catch((failure: unknown) => failure as Error);
  expect((error as Error).message).toContain('***');
  expect((error as Error).message).not.toContain('hush');
});
