import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../services/common/database.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the folders of a database are made as needed', async () => {
  const database = await openDatabase(`sqlite:${join(folder, 'a/b/c.db')}`);
  expect(database.engine).toBe('sqlite');
  await database.close();
});

test.each(['sqlite:/proc/none/deeper/x.db', 'sqlite:/dev/null/x.db', 'sqlite:', 'mysql://x', ''])(
  '"%s" ends at once with an error that names it',
  async (url) => {
    await expect(openDatabase(url)).rejects.toMatchObject({ code: 'CAS4001' });
  },
);
