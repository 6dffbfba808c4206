import { openSqlite } from '../../../services/common/sqlite.js';
import { cachingStatements } from '../../../services/common/statement-cache.js';

test('a statement is prepared once, and again after a change of tables', () => {
  const sqlite = openSqlite(':memory:');
  const statements = cachingStatements(sqlite);
  statements.prepare('create table thing (a text)').run();
  const first = statements.prepare('select * from thing');
  expect(statements.prepare('select * from thing')).toBe(first);
  statements.prepare('alter table thing add column b text').run();
  statements.prepare("insert into thing values ('x', 'y')").run();
  expect(statements.prepare('select * from thing')).not.toBe(first);
  expect(statements.prepare('select * from thing').all()).toEqual([{ a: 'x', b: 'y' }]);
  statements.close();
  expect(sqlite.isOpen).toBe(false);
});

test('statements that do not occur again are dropped, those in use are kept or prepared again', () => {
  const sqlite = openSqlite(':memory:');
  const prepare = vi.spyOn(sqlite, 'prepare');
  const statements = cachingStatements(sqlite);
  for (let index = 0; index < 1000; index++) statements.prepare(`select ${index}`);
  prepare.mockClear();
  statements.prepare('select 999');
  expect(prepare).not.toHaveBeenCalled();
  statements.prepare('select 0');
  expect(prepare).toHaveBeenCalledTimes(1);
  sqlite.close();
});
