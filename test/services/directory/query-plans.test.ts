import { type Database, openDatabase } from '../../../services/common/database.js';
import { TestDirectory, id, user } from './support/directory.js';

/** The text of every statement that reads, as it is run. */
function recordStatements(database: Database): string[] {
  const statements: string[] = [];
  const { sqlite } = database;
  if (!sqlite) throw new Error('these are plans of SQLite');
  const prepare = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, {
    prepare(text: string) {
      const statement = prepare(text);
      if (!/^\s*(select|with)/.test(text)) return statement;
      const recording =
        (run: (values?: readonly unknown[]) => unknown) => (values?: readonly unknown[]) => {
          statements.push(text);
          return run(values);
        };
      return Object.assign(statement, {
        all: recording(statement.all),
        get: recording(statement.get),
      });
    },
  });
  return statements;
}

describe('the query plan of SQLite', () => {
  let database: Database;
  let directory: TestDirectory;
  let statements: string[];
  let group: string;
  beforeAll(async () => {
    database = await openDatabase('memory:');
    statements = recordStatements(database);
    directory = await TestDirectory.start({
      database,
      seed: { users: [user(id(1)), user(id(2))] },
    });
    group =
      (await directory.group({ 'members@odata.bind': [`http://x/v1.0/users/${id(1)}`] }))['id'] ??
      '';
  });
  afterAll(async () => {
    await directory.stop();
    await database.close();
  });

  /** The steps of every statement of a request that go beyond looking something up by an index. */
  const costlySteps = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<string[]> => {
    statements.length = 0;
    const answer = await directory.ask(method, path.replace('{group}', group), body, {
      headers: { consistencylevel: 'eventual' },
    });
    if (answer.status !== 200) throw new Error(answer.text);
    expect(statements.length).toBeGreaterThan(0);
    return [...new Set(statements)].flatMap((text) => {
      const steps = database.sqlite
        ?.prepare(`explain query plan ${text}`)
        .all((text.match(/\?/g) ?? []).map(() => 'x')) as {
        detail: string;
      }[];
      return steps
        .map(({ detail }) => detail)
        .filter((detail) => /^SCAN (?!containing|contained)|TEMP B-TREE|AUTOMATIC/.test(detail));
    });
  };
  const filter = (text: string): string => `$count=true&$filter=${encodeURIComponent(text)}`;

  it.each([
    ['an object by its id', '/groups/{group}'],
    ['a user by principal name', `/users/${id(1).slice(0, 8)}@castellan.example`],
    ['the first page', '/groups'],
    ['a later page', `/users?$skiptoken=${Buffer.from('[1]').toString('base64url')}`],
    ['an order', '/users?$orderby=displayName desc'],
    [
      'a later page of an order',
      `/users?$orderby=displayName&$skiptoken=${Buffer.from('["user",1]').toString('base64url')}`,
    ],
    ['a name', `/users?${filter("displayName eq 'x'")}`],
    ['the beginning of a name', `/users?${filter("startsWith(displayName,'x')")}`],
    [
      'a later page of names that begin alike',
      `/users?${filter("startsWith(mail,'x')")}&$skiptoken=${Buffer.from('["x1",1]').toString('base64url')}`,
    ],
    ['an address', `/users?${filter("mail eq 'x'")}`],
    ['a nickname', `/groups?${filter("mailNickname eq 'x'")}`],
    ['a department', `/users?${filter("department eq 'x'")}`],
    ['members', '/groups/{group}/members'],
    [
      'members of a kind with a name',
      `/groups/{group}/members/svc.directory.user?${filter("startsWith(displayName,'x')")}`,
    ],
    ['members at any depth', '/groups/{group}/transitiveMembers'],
    [
      'users at any depth with a name',
      `/groups/{group}/transitiveMembers/svc.directory.user?${filter("startsWith(displayName,'x')")}`,
    ],
    ['groups at any depth', `/users/${id(1)}/transitiveMemberOf`],
    ['everything, to be followed', '/groups/delta'],
  ])('uses an index for %s', async (_, path) => {
    expect(await costlySteps('GET', path)).toEqual([]);
  });

  it.each([
    ['checkMemberGroups', { groupIds: [id(3), id(4)] }],
    ['getMemberGroups', {}],
  ])('uses an index for %s, and may sort the rows', async (action, body) => {
    expect(
      (await costlySteps('POST', `/users/${id(1)}/${action}`, body)).filter(
        (step) => !step.includes('FOR ORDER BY'),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'some of many ids',
      `/users?${filter(`id in (${Array.from({ length: 50 }, (_, index) => `'${id(index)}'`).join()})`)}`,
    ],
    [
      'a name or an address',
      `/users?${filter("startsWith(displayName,'x') or startsWith(mail,'x')")}`,
    ],
    ['some cities', `/users?${filter("city in ('x','y') and accountEnabled eq true")}`],
    ['what an object is in', `/users/${id(1)}/memberOf`],
  ])('sorts only the matching rows of %s', async (_, path) => {
    expect(new Set(await costlySteps('GET', path))).toEqual(
      new Set(['USE TEMP B-TREE FOR ORDER BY']),
    );
  });
});
