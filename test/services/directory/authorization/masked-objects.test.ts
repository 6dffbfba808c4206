import { onEveryEngine } from '../support/engines.js';
import {
  TestDirectory,
  application,
  id,
  person,
  unifiedGroup,
  user,
} from '../support/directory.js';

const ada = id(1);
const grace = id(2);
const guest = id(3);
const readsGroupsOnly = application(id(99), ['GroupMember.Read.All']);

onEveryEngine('objects that the caller may not read', (openDatabase) => {
  let directory: TestDirectory;
  let members: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      database: await openDatabase(),
      seed: {
        users: [
          user(ada, { displayName: 'Ada', department: 'Sales', accountEnabled: true }),
          user(grace, { displayName: 'Grace', department: 'Legal', mail: 'grace@x.example' }),
          user(guest, { displayName: 'Gast', userType: 'Guest' }),
        ],
      },
    });
    const team = await directory.group({
      displayName: 'Team',
      'members@odata.bind': [grace, ada].map((each) => `http://x/v1.0/users/${each}`),
    });
    members = `/groups/${team.id}/members`;
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });

  const asReader = { as: readsGroupsOnly, headers: { consistencylevel: 'eventual' } };

  it.each([
    ['a list', ''],
    ['a list of one type', '/svc.directory.user'],
    ['a selection', '/svc.directory.user?$select=id,displayName,department'],
  ])('have only their id in %s', async (_what, rest) => {
    for (const path of [members, members.replace('members', 'transitiveMembers')]) {
      const answer = await directory.get(path + rest, asReader);
      expect(answer.body.value.map((entry: Body) => entry.id)).toEqual([ada, grace]);
      expect(answer.text).not.toMatch(/Ada|Grace|Sales|castellan\.example/);
    }
  });

  it.each([
    "$filter=startsWith(displayName,'Ad')",
    "$filter=mail eq 'grace@x.example'",
    '$search="displayName:ada"',
    '$search="mail:grace"',
  ])('are not found by %s', async (query) => {
    const path = `${members}?$count=true&${query}`;
    expect((await directory.get(path, asReader)).body).toMatchObject({
      '@odata.count': 0,
      value: [],
    });
    expect((await directory.advanced(path)).body.value).toHaveLength(1);
  });

  it.each([
    "department eq 'Sales'",
    'accountEnabled eq true',
    "proxyAddresses/any(x:startsWith(x,'SMTP:grace'))",
  ])('are not found with a cast by the filter %s', async (filter) => {
    const path = `${members}/svc.directory.user?$count=true&$filter=${encodeURIComponent(filter)}`;
    expect((await directory.get(path, asReader)).body.value).toEqual([]);
    expect((await directory.advanced(path)).body.value).not.toEqual([]);
  });

  it('are found by their id', async () => {
    const answer = await directory.get(`${members}?$filter=id eq '${grace}'`, asReader);
    expect(answer.body.value).toHaveLength(1);
  });

  it('are not sorted by what is hidden, and page tokens do not have it', async () => {
    const query = '$count=true&$orderby=displayName desc&$top=1';
    const first = await directory.get(`${members}?${query}`, asReader);
    const link = String(first.body['@odata.nextLink']);
    const token = new URL(link).searchParams.get('$skiptoken') ?? '';
    expect(Buffer.from(token, 'base64url').toString()).not.toMatch(/ada|grace/i);
    const second = await directory.get(link, asReader);
    const ids = [first, second].flatMap(({ body }) => body.value.map((entry: Body) => entry.id));
    expect(ids.sort()).toEqual([ada, grace]);
    expect(second.body['@odata.nextLink']).toBeUndefined();
  });

  it('are shown to callers with the permission for their type', async () => {
    const reader = application(id(99), ['GroupMember.Read.All', 'User.Read.All']);
    const answer = await directory.get(
      `${members}/svc.directory.user?$select=displayName&$orderby=displayName&$count=true`,
      { as: reader, headers: { consistencylevel: 'eventual' } },
    );
    expect(answer.body.value).toEqual([{ displayName: 'Ada' }, { displayName: 'Grace' }]);
  });

  it('include hidden groups, for guests', async () => {
    const hidden = await directory.post(
      '/groups',
      unifiedGroup({
        displayName: 'Hidden',
        visibility: 'HiddenMembership',
        'members@odata.bind': [`http://x/v1.0/users/${guest}`],
      }),
    );
    expect(hidden.status).toBe(201);
    const asGuest = person(guest, ['User.Read', 'Group.Read.All'], [], { isGuest: true });
    const names = async (path: string): Promise<unknown[]> =>
      (
        await directory.get(path, { as: asGuest, headers: { consistencylevel: 'eventual' } })
      ).body.value.map((entry: { displayName: unknown }) => entry.displayName);
    expect(await names('/me/memberOf/svc.directory.group')).toEqual([null]);
    expect(
      await names("/me/memberOf?$count=true&$filter=startsWith(displayName,'Hidden')"),
    ).toEqual([]);
  });
});

interface Body {
  readonly id: string;
}
