import Module from 'node:module';
import { engineModule, openSqlite, isSqliteError } from '../../../services/common/sqlite.js';

const failure = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('Node has SQLite from 22.13 on, better-sqlite3 serves the others', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const hasNodeSqlite = major > 22 || (major === 22 && minor >= 13);
  expect(engineModule().module).toMatch(hasNodeSqlite ? /^node:sqlite$/ : /better-sqlite3/);
});

test('statements read and write, and tell whether they return rows', () => {
  const sqlite = openSqlite(':memory:');
  sqlite.exec('create table thing (a text unique, b integer)');
  const insert = sqlite.prepare('insert into thing values (?, ?)');
  expect(insert.reader).toBe(false);
  expect(insert.run(['x', 1])).toEqual({ changes: 1, lastInsertRowid: 1 });
  expect(sqlite.prepare("insert into thing values ('y', 2) returning a").reader).toBe(true);
  const select = sqlite.prepare('select a from thing where b <= ? order by a');
  expect(select.reader).toBe(true);
  insert.run(['y', 2]);
  expect(select.all([9])).toEqual([{ a: 'x' }, { a: 'y' }]);
  expect(select.get([1])).toEqual({ a: 'x' });
  expect([...select.iterate([9])]).toHaveLength(2);
  const twice = failure(() => insert.run(['x', 3]));
  expect(isSqliteError(twice, 'unique')).toBe(true);
  expect(isSqliteError(twice, 'busy')).toBe(false);
  sqlite.close();
  sqlite.close();
  expect(sqlite.isOpen).toBe(false);
});

test('a transaction that throws leaves nothing, a custom function works in SQL', () => {
  const sqlite = openSqlite(':memory:');
  sqlite.define('shout', (value) => String(value).toUpperCase());
  sqlite.exec('create table thing (a text)');
  sqlite.transaction(() => sqlite.exec("insert into thing values ('kept')"));
  const work = (): void => {
    sqlite.exec("insert into thing values ('lost')");
    throw new Error('midway');
  };
  expect(() => sqlite.transaction(work)).toThrow('midway');
  expect(sqlite.prepare('select shout(a) as a from thing').all()).toEqual([{ a: 'KEPT' }]);
  sqlite.close();
});

test.each([
  ['ERR_DLOPEN_FAILED', 'was built for another version of Node'],
  ['MODULE_NOT_FOUND', 'is not installed'],
])('a module that fails with %s is an error that says how to fix it', async (code, message) => {
  vi.resetModules(); // the engine is looked for once
  const sqlite = await import('../../../services/common/sqlite.js');
  vi.spyOn(Module as unknown as { _load(name: string): unknown }, '_load').mockImplementation(
    () => {
      throw Object.assign(new Error('the loader speaks'), { code });
    },
  );
  vi.spyOn(
    process as unknown as { getBuiltinModule(name: string): unknown },
    'getBuiltinModule',
  ).mockReturnValue(undefined);
  const error = failure(() => sqlite.openSqlite(':memory:'));
  vi.restoreAllMocks();
  expect(error).toMatchObject({
    code: 'CAS4005',
    message: expect.stringContaining(message) as string,
    help: expect.stringContaining('npm rebuild better-sqlite3') as string,
  });
});
