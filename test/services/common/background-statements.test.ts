import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../services/common/database.js';
import { executeInBackground } from '../../../services/common/sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-background-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an index created in the background is available at once to statements that name it; an error is reported', async () => {
  const file = join(folder, 'a.db');
  const database = await openDatabase(`sqlite:${file}`);
  database.sqlite?.exec("create table thing (a text); insert into thing values ('x')");
  await executeInBackground(file, 'create index thing_a on thing (a)');
  expect(
    database.sqlite?.prepare("select a from thing indexed by thing_a where a = 'x'").all(),
  ).toEqual([{ a: 'x' }]);
  await expect(
    executeInBackground(file, 'create index thing_b on nothing (b)'),
  ).rejects.toMatchObject({
    code: expect.stringMatching(/SQLITE_ERROR$/) as string,
  });
  await database.close();
});
