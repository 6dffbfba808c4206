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
