import type { Caller } from '../../../../services/common/caller.js';
import {
  TestDirectory,
  application,
  id,
  person,
  unifiedGroup,
  user,
} from '../support/directory.js';

describe.each(['neutral', 'azure'] as const)('HiddenMembership in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  let group: string;
  const readPermissions = ['Group.Read.All', 'User.Read.All'];
  const [member, fellow, owner, stranger] = [2, 3, 4, 5].map((each) =>
    person(id(each), readPermissions),
  ) as [Caller, Caller, Caller, Caller];
  const admin = person(id(6), readPermissions, ['groupsAdministrator']);
  const guest = person(id(7), readPermissions, [], { isGuest: true });
  const robot = application(id(8), readPermissions);
  const hiddenMemberReader = application(id(8), [...readPermissions, 'Member.Read.Hidden']);
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: {
        users: [2, 3, 4, 5, 6, 7].map((each) =>
          user(id(each), each === 7 ? { userType: 'Guest' } : {}),
        ),
      },
    });
    const { body } = await directory.post(
      '/groups',
      unifiedGroup({
        visibility: 'HiddenMembership',
        resourceProvisioningOptions: ['Team'],
        'members@odata.bind': [2, 3].map((each) => `http://x/v1.0/users/${id(each)}`),
        'owners@odata.bind': [`http://x/v1.0/users/${id(4)}`],
      }),
    );
    group = body.id as string;
  });
  afterAll(() => directory.stop());

  const everyone: readonly [string, Caller, boolean][] = [
    ['the member', member, true],
    ['a fellow member', fellow, true],
    ['an owner', owner, true],
    ['an administrator', admin, true],
    ['an application with Member.Read.Hidden', hiddenMemberReader, true],
    ['someone else', stranger, false],
    ['another application', robot, false],
    ['a guest', guest, false],
  ];

  it.each(everyone)('%s sees the group among memberships: %s', async (_who, as, sees) => {
    const ids = ({ body }: { body: { value: { id: string }[] } }): string[] =>
      body.value.map((each) => each.id);
    const userPath = `/users/${id(2)}`;
    const expected = sees ? [group] : [];
    expect(ids(await directory.get(`${userPath}/memberOf`, { as }))).toEqual(expected);
    expect(ids(await directory.get(`${userPath}/transitiveMemberOf`, { as }))).toEqual(expected);
    expect(
      (await directory.post(`${userPath}/checkMemberGroups`, { groupIds: [group] }, { as })).body
        .value,
    ).toEqual(expected);
    expect(
      (await directory.post(`${userPath}/checkMemberObjects`, { ids: [group] }, { as })).body.value,
    ).toEqual(expected);
    expect(
      (await directory.post(`${userPath}/getMemberGroups`, { securityEnabledOnly: false }, { as }))
        .body.value,
    ).toEqual(expected);
    expect(
      (await directory.post(`${userPath}/getMemberObjects`, { securityEnabledOnly: false }, { as }))
        .body.value,
    ).toEqual(expected);
    expect(
      (await directory.get(`${userPath}?$expand=memberOf`, { as })).body.memberOf.map(
        (each: { id: string }) => each.id,
      ),
    ).toEqual(expected);
    const objects = `/directoryObjects/${id(2)}/checkMemberObjects`;
    expect((await directory.post(objects, { ids: [group] }, { as })).body.value).toEqual(expected);
  });

  it.each(everyone.filter(([, as]) => !as.isGuest))(
    '%s sees its members when they are expanded: %s',
    async (_who, as, sees) => {
      const { body } = await directory.get(`/groups/${group}?$expand=members($select=id)`, { as });
      expect(body.members.map((each: { id: string }) => each.id)).toEqual(
        sees ? [id(2), id(3)] : [],
      );
      const list = await directory.get(
        `/groups?$filter=id eq '${group}'&$expand=members($select=id)`,
        { as },
      );
      expect(list.body.value[0].members).toHaveLength(sees ? 2 : 0);
    },
  );

  it('refuses guests to read the group before any other error', async () => {
    for (const query of ['', '?$select=id', '?$select=nonsense', '?$expand=chairs', '?$top=1'])
      expect([
        query,
        (await directory.get(`/groups/${group}${query}`, { as: guest })).status,
      ]).toEqual([query, 403]);
  });

  it.each([
    'memberOf',
    'transitiveMemberOf',
    'appRoleAssignments',
    'extensions',
    'membersWithLicenseErrors',
  ])("refuses guests to read the group's %s", async (name) => {
    expect((await directory.get(`/groups/${group}/${name}`, { as: guest })).status).toBe(403);
    expect((await directory.get(`/groups/${group}/${name}`, { as: member })).status).toBe(200);
  });

  it.each(everyone)(
    '%s sees for which members a licence has failed: %s',
    async (_who, as, sees) => {
      const path = `/groups/${group}/membersWithLicenseErrors`;
      expect((await directory.get(path, { as })).status).toBe(sees ? 200 : 403);
    },
  );

  it('returns only the id of the group to guests, wherever it occurs', async () => {
    const idOnly = { id: group, displayName: null, mail: null };
    expect((await directory.get(`/directoryObjects/${group}`, { as: guest })).body).toMatchObject(
      idOnly,
    );
    const answer = await directory.post(
      '/directoryObjects/getByIds',
      { ids: [group] },
      { as: guest },
    );
    expect(answer.body.value).toMatchObject([idOnly]);
    expect((await directory.get(`/groups/${group}/team`, { as: guest })).status).toBe(403);
    expect(
      (await directory.get(`/users/${id(4)}/ownedObjects`, { as: guest })).body.value,
    ).toMatchObject([idOnly]);
  });

  it("hides other people's teams from users who may only read themselves", async () => {
    const self = person(id(5), ['User.Read']);
    expect((await directory.get('/me/joinedTeams', { as: self })).status).toBe(200);
    expect((await directory.get(`/users/${id(2)}/joinedTeams`, { as: self })).status).toBe(403);
    expect(
      (await directory.get(`/users/${id(2)}/joinedTeams`, { as: stranger })).body.value,
    ).toEqual([]);
    expect(
      (await directory.get(`/users/${id(2)}/joinedTeams`, { as: member })).body.value,
    ).toMatchObject([{ id: group }]);
  });
});
