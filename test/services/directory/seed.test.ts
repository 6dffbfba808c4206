import { openDatabase } from '../../../services/common/database.js';
import { TestDirectory, id, user } from './support/directory.js';

const seed = {
  users: [user(id(1), { userPrincipalName: 'ada@castellan.example' }), user(id(2))],
  groups: [
    {
      id: id(100),
      displayName: 'Named',
      members: [id(1), 'ada@castellan.example'],
      owners: [{ id: id(2) }],
    },
    {
      displayName: 'Bound',
      mailNickname: 'bound',
      'members@odata.bind': [`https://anywhere/v1.0/users/${id(1)}`],
    },
    {
      displayName: 'Old',
      groupTypes: ['Unified'],
      mailEnabled: true,
      mailNickname: 'old',
      renewedDateTime: '2020-01-01T00:00:00Z',
    },
  ],
};

describe('a seed', () => {
  it('creates groups with members and owners, and no duplicates', async () => {
    const directory = await TestDirectory.start({ seed });
    try {
      await directory.patch(`/groups/${id(100)}`, { description: 'changed since' });
      await directory.service.seed(seed);
      const { body } = await directory.get(
        '/groups?$orderby=displayName&$select=displayName,description,renewedDateTime',
      );
      expect(body.value).toMatchObject([
        { displayName: 'Bound' },
        { displayName: 'Named', description: 'changed since' },
        { displayName: 'Old', renewedDateTime: '2020-01-01T00:00:00Z' },
      ]);
      expect((await directory.get(`/groups/${id(100)}/members`)).body.value).toHaveLength(1);
      expect((await directory.get(`/groups/${id(100)}/owners`)).body.value).toMatchObject([
        { id: id(2) },
      ]);
    } finally {
      await directory.stop();
    }
  });

  it.each([
    ['names', [{ displayName: 'Ops' }, { displayName: 'Ops' }]],
    [
      'nicknames',
      [
        { displayName: 'Ops', mailNickname: 'ops' },
        { displayName: 'Operators', mailNickname: 'OPS' },
      ],
    ],
  ])('creates every group once, also those with equal %s', async (_what, entries) => {
    const groups = entries.map((entry, index) => ({ ...entry, members: [id(index + 1)] }));
    const directory = await TestDirectory.start({ seed: { ...seed, groups } });
    const membersOfGroups = async (): Promise<unknown> => {
      const { body } = await directory.get('/groups?$expand=members($select=id)');
      return body.value.map((group: { members: { id: string }[] }) =>
        group.members.map((member) => member.id),
      );
    };
    expect(await membersOfGroups()).toEqual([[id(1)], [id(2)]]);
    await directory.service.seed({ ...seed, groups });
    expect(await membersOfGroups()).toEqual([[id(1)], [id(2)]]);
    await directory.stop();
  });

  it.each([
    ['a group without a name', { groups: [{ mailNickname: 'x' }] }, 'displayName'],
    [
      'a name of two people, in another letter case',
      {
        users: [
          user(id(1), { userPrincipalName: 'ada@castellan.example' }),
          user(id(2), { userPrincipalName: 'ADA@castellan.example' }),
        ],
      },
      'is the user principal name of',
    ],
    ['an unknown member', { groups: [{ displayName: 'G', members: [id(9)] }] }, 'members'],
    [
      'an unknown kind of method',
      {
        users: [
          user(id(1), { authenticationMethods: [{ '@odata.type': '#svc.directory.telepathy' }] }),
        ],
      },
      'telepathy',
    ],
    [
      'two phones of one kind',
      {
        users: [
          user(id(1), {
            authenticationMethods: ['a', 'b'].map(() => ({
              'odata.type': 'phoneAuthenticationMethod',
              phoneType: 'mobile',
            })),
          }),
        ],
      },
      'one of that kind',
    ],
  ])('with %s is refused as a whole, naming the entry', async (_name, broken, message) => {
    await expect(TestDirectory.start({ seed: broken })).rejects.toMatchObject({
      code: 'CAS4002',
      message: expect.stringContaining(message),
    });
  });
});

describe('seed lists', () => {
  it('can be applied again without creating duplicates, with and without ids', async () => {
    const database = await openDatabase('memory:');
    const seed = {
      users: [
        user(id(1)),
        { userPrincipalName: 'noid@contoso.com', displayName: 'No id', manager: id(1) },
      ],
      devices: [{ displayName: 'Kiosk', operatingSystem: 'Linux' }],
      contacts: [{ displayName: 'C' }],
      applications: [
        {
          id: id(60),
          displayName: 'App',
          appId: id(61),
          owners: [id(1)],
          appRoles: [
            {
              id: id(62),
              allowedMemberTypes: ['User'],
              value: 'x',
              displayName: 'x',
              description: 'x',
            },
          ],
        },
      ],
      servicePrincipals: [{ id: id(63), appId: id(61) }, { displayName: 'lone' }],
    };
    const first = await TestDirectory.start({ database, seed });
    await first.stop();
    const second = await TestDirectory.start({ database, seed });
    const counts = await Promise.all(
      ['users', 'devices', 'contacts', 'applications', 'servicePrincipals'].map(
        async (list) => (await second.get(`/${list}`)).body.value.length,
      ),
    );
    expect(counts).toEqual([2, 1, 1, 1, 2]);
    expect((await second.get(`/servicePrincipals/${id(63)}`)).body).toMatchObject({
      displayName: 'App',
      appRoles: [expect.objectContaining({ id: id(62), isEnabled: true })],
    });
    expect((await second.get(`/applications/${id(60)}/owners`)).body.value).toHaveLength(1);
    expect((await second.get('/users/noid@contoso.com/manager')).body.id).toBe(id(1));
    await second.stop();
    await database.close();
  });

  it('are refused if an entry is invalid', async () => {
    await expect(
      TestDirectory.start({ seed: { users: [{ id: 'x', userPrincipalName: 'a@b.example' }] } }),
    ).rejects.toMatchObject({
      code: 'CAS4002',
    });
    await expect(
      TestDirectory.start({ seed: { users: [user(id(1), { manager: 'nobody@b.example' })] } }),
    ).rejects.toMatchObject({
      code: 'CAS4002',
    });
  });
});
