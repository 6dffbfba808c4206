import { membershipMatrix } from '../../../../kinds/group/membership-matrix.js';
import {
  TestDirectory,
  id,
  person,
  securityGroup,
  unifiedGroup,
  user,
} from '../support/directory.js';

const addressOf = (target: string): string =>
  `http://directory.test/beta/directoryObjects/${target}`;
const reference = (target: string): unknown => ({ '@odata.id': addressOf(target) });

describe.each(['neutral', 'azure'] as const)('group relationships in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  const namespace = dialect === 'neutral' ? 'svc.directory' : 'microsoft.graph';
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: {
        users: Array.from({ length: 110 }, (_, index) => user(id(index + 1))),
        devices: [{ id: id(500), displayName: 'laptop', deviceId: id(501) }],
        servicePrincipals: [{ id: id(600), displayName: 'robot', appId: id(601) }],
        contacts: [{ id: id(700), displayName: 'Contact', mail: 'c@x.example' }],
        groups: [
          {
            id: id(800),
            displayName: 'List',
            mailEnabled: true,
            securityEnabled: false,
            mail: 'list@x.example',
          },
          {
            id: id(801),
            displayName: 'Guards',
            mailEnabled: true,
            securityEnabled: true,
            mail: 'guards@x.example',
            members: [id(1)],
          },
        ],
      },
    });
  });
  afterAll(() => directory.stop());

  it('refuses a group as a member of a role-assignable group, and accepts a user', async () => {
    const { body: group } = await directory.post(
      '/groups',
      securityGroup({ isAssignableToRole: true }),
    );
    const { body: inner } = await directory.post('/groups', securityGroup());
    const path = `/groups/${String(group['id'])}/members/$ref`;
    const refusal = await directory.post(path, reference(String(inner['id'])));
    expect([refusal.status, JSON.stringify(refusal.body)]).toEqual([
      400,
      expect.stringContaining('A group cannot be a member of a role-assignable group.'),
    ]);
    expect((await directory.post(path, reference(id(2)))).status).toBe(204);
  });

  describe.each(['security', 'unified'] as const)('a %s group', (container) => {
    it.each(Object.keys(membershipMatrix) as (keyof typeof membershipMatrix)[])(
      'accepts a %s or not, as the table says',
      async (kind) => {
        const { body: group } = await directory.post(
          '/groups',
          container === 'security' ? securityGroup() : unifiedGroup(),
        );
        const members = {
          user: id(1),
          device: id(500),
          servicePrincipal: id(600),
          contact: id(700),
          securityGroup: String((await directory.group())['id']),
          unifiedGroup: (await directory.post('/groups', unifiedGroup())).body.id as string,
        };
        const answer = await directory.post(
          `/groups/${group.id}/members/$ref`,
          reference(members[kind]),
        );
        expect(answer.status).toBe(membershipMatrix[kind][container] ? 204 : 400);
      },
    );
  });

  /**
   * @claim member-errors: Adding a member twice is 400, an unknown one 404, removing one that is
   *   not there 404, each with the message that providers look for.
   * @source https://learn.microsoft.com/graph/api/group-post-members
   * @seen azuread
   */
  it('answers with the messages that clients look for when a member is added twice, is unknown, or is missing', async () => {
    const group = `/groups/${(await directory.group())['id']}`;
    expect((await directory.post(`${group}/members/$ref`, reference(id(1)))).status).toBe(204);
    const messages = [
      await directory.post(`${group}/members/$ref`, reference(id(1))),
      await directory.post(`${group}/members/$ref`, reference(id(9999))),
      await directory.delete(`${group}/members/${id(2)}/$ref`),
      await directory.delete(`${group}/members/${id(9999)}/$ref`),
      await directory.post(`${group}/members/$ref`, { id: id(1) }),
      await directory.post(`${group}/members`, reference(id(1))),
    ].map(({ status, body }) => [status, body.error.message]);
    expect(messages).toEqual([
      [
        400,
        "One or more added object references already exist for the following modified properties: 'members'.",
      ],
      [
        404,
        `Resource '${id(9999)}' does not exist or one of its queried reference-property objects are not present.`,
      ],
      [
        404,
        "One or more removed object references do not exist for the following modified properties: 'members'.",
      ],
      [
        404,
        `Resource '${id(9999)}' does not exist or one of its queried reference-property objects are not present.`,
      ],
      [400, expect.stringContaining('Not a valid reference update')],
      [400, expect.stringContaining('Write requests are only supported on contained entities')],
    ]);
    const empty = await directory.ask('POST', `${group}/members/$ref`, undefined, {
      headers: { 'content-type': 'application/json' },
    });
    expect([empty.status, empty.body.error.message]).toEqual([
      400,
      expect.stringContaining('unexpected end of input'),
    ]);
    const garbled = await directory.post(`${group}/members/$ref`, {
      '@odata.id': 'http://directory.test/v1.0/users/%E0%A4%A',
    });
    expect([garbled.status, garbled.body.error.message]).toEqual([
      400,
      expect.stringContaining('Not a valid reference update'),
    ]);
  });

  it('returns the address of one member or owner, or 404', async () => {
    const group = `/groups/${(await directory.group({ 'owners@odata.bind': [`http://directory.test/v1.0/users/${id(2)}`] }))['id']}`;
    await directory.post(`${group}/members/$ref`, reference(id(1)));
    for (const [list, member] of [
      ['members', id(1)],
      ['transitiveMembers', id(1)],
      ['owners', id(2)],
    ] as const) {
      const { status, body } = await directory.get(`${group}/${list}/${member}/$ref`);
      expect([status, body['@odata.id']]).toEqual([
        200,
        `http://directory.test/v1.0/directoryObjects/${member}`,
      ]);
      expect((await directory.get(`${group}/${list}/${id(3)}/$ref`)).status).toBe(404);
    }
    expect(
      (await directory.get(`/users/${id(1)}/memberOf/${group.slice('/groups/'.length)}/$ref`))
        .status,
    ).toBe(200);
  });

  /**
   * @claim group-owners-100: A group has 100 owners at most: users and service principals.
   * @source https://learn.microsoft.com/graph/api/group-post-owners
   */
  it('has users and service principals as owners, at most 100', async () => {
    const group = `/groups/${(await directory.group())['id']}`;
    expect((await directory.post(`${group}/owners/$ref`, reference(id(600)))).status).toBe(204);
    expect((await directory.post(`${group}/owners/$ref`, reference(id(500)))).status).toBe(400);
    for (let number = 1; number <= 99; number++)
      expect((await directory.post(`${group}/owners/$ref`, reference(id(number)))).status).toBe(
        204,
      );
    const overLimit = await directory.post(`${group}/owners/$ref`, reference(id(100)));
    expect([overLimit.status, overLimit.body.error.code]).toEqual([403, 'Directory_QuotaExceeded']);
    expect(overLimit.body.error.message).toContain('forward-link owners');
    expect((await directory.advanced(`${group}/owners/$count`)).text).toBe('100');
  });

  /**
   * @claim group-last-owner: The last owner of a unified group cannot be removed.
   * @source https://learn.microsoft.com/graph/api/group-delete-owners
   */
  it('keeps the last owner of a unified group, but not of a security group', async () => {
    const owners = { 'owners@odata.bind': [addressOf(id(1))] };
    const unified = `/groups/${(await directory.post('/groups', unifiedGroup(owners))).body.id}`;
    const refusal = await directory.delete(`${unified}/owners/${id(1)}/$ref`);
    expect([refusal.status, refusal.body.error.message]).toEqual([
      400,
      expect.stringContaining('at least one owner'),
    ]);
    await directory.post(`${unified}/owners/$ref`, reference(id(2)));
    expect((await directory.delete(`${unified}/owners/${id(1)}/$ref`)).status).toBe(204);
    const security = `/groups/${(await directory.group(owners))['id']}`;
    expect((await directory.delete(`${security}/owners/${id(1)}/$ref`)).status).toBe(204);
  });

  /**
   * @claim member-of-transitive: memberOf is direct, transitiveMemberOf follows nesting; both
   *   take casts and $count.
   * @source https://learn.microsoft.com/graph/api/group-list-transitivememberof
   * @seen azuread
   */
  it('follows nesting in both directions, with casts and counts', async () => {
    const [inner, middle, outer] = [
      await directory.group(),
      await directory.group(),
      await directory.group(),
    ];
    await directory.post(`/groups/${inner['id']}/members/$ref`, reference(id(50)));
    await directory.post(`/groups/${middle['id']}/members/$ref`, reference(String(inner['id'])));
    await directory.post(`/groups/${outer['id']}/members/$ref`, reference(String(middle['id'])));
    const ids = async (path: string): Promise<string[]> =>
      (await directory.get(path)).body.value.map((each: { id: string }) => each.id);
    expect(await ids(`/groups/${outer['id']}/members`)).toEqual([middle['id']]);
    expect((await ids(`/groups/${outer['id']}/transitiveMembers`)).sort()).toEqual(
      [id(50), inner['id'], middle['id']].sort(),
    );
    expect(await ids(`/groups/${outer['id']}/transitiveMembers/${namespace}.user`)).toEqual([
      id(50),
    ]);
    expect((await directory.advanced(`/groups/${outer['id']}/transitiveMembers/$count`)).text).toBe(
      '3',
    );
    expect(
      (
        await directory.advanced(
          `/groups/${outer['id']}/transitiveMembers/${namespace}.group/$count`,
        )
      ).text,
    ).toBe('2');
    expect((await directory.get(`/groups/${outer['id']}/members/$count`)).status).toBe(400);
    expect(await ids(`/users/${id(50)}/memberOf`)).toEqual([inner['id']]);
    expect((await ids(`/users/${id(50)}/transitiveMemberOf`)).sort()).toEqual(
      [inner['id'], middle['id'], outer['id']].sort(),
    );
    expect(await ids(`/groups/${inner['id']}/memberOf/${namespace}.group`)).toEqual([middle['id']]);
    const check = await directory.post(`/users/${id(50)}/checkMemberGroups`, {
      groupIds: [outer['id'], id(9999), inner['id']],
    });
    expect(check.body).toEqual({
      '@odata.context': 'http://directory.test/v1.0/$metadata#Collection(Edm.String)',
      value: [outer['id'], inner['id']],
    });
    expect(
      (
        await directory.post(`/directoryObjects/${id(50)}/checkMemberObjects`, {
          ids: [middle['id']],
        })
      ).body.value,
    ).toEqual([middle['id']]);
    expect(
      (
        await directory.post(`/groups/${inner['id']}/getMemberGroups`, {
          securityEnabledOnly: false,
        })
      ).body.value.sort(),
    ).toEqual([middle['id'], outer['id']].sort());
    expect(
      (
        await directory.post(`/groups/${inner['id']}/getMemberGroups`, {
          securityEnabledOnly: true,
        })
      ).status,
    ).toBe(400);
    const many = Array.from({ length: 21 }, (_, index) => id(index));
    expect(
      (await directory.post(`/users/${id(50)}/checkMemberGroups`, { groupIds: many })).status,
    ).toBe(400);
    expect(
      (
        await directory.post(
          '/me/checkMemberGroups',
          { groupIds: [outer['id']] },
          { as: person(id(50), ['User.Read', 'GroupMember.Read.All']) },
        )
      ).body.value,
    ).toEqual([outer['id']]);
  });

  /**
   * @claim get-member-groups: getMemberGroups with securityEnabledOnly leaves out the groups
   *   that are not.
   * @source https://learn.microsoft.com/graph/api/directoryobject-getmembergroups
   */
  it('counts only security-enabled groups on request', async () => {
    const unified = await directory.post(
      '/groups',
      unifiedGroup({ 'members@odata.bind': [addressOf(id(60))] }),
    );
    const security = await directory.group({ 'members@odata.bind': [addressOf(id(60))] });
    const get = async (securityEnabledOnly: boolean): Promise<string[]> =>
      (await directory.post(`/users/${id(60)}/getMemberGroups`, { securityEnabledOnly })).body
        .value;
    expect((await get(false)).sort()).toEqual([unified.body.id, security['id']].sort());
    expect(await get(true)).toEqual([security['id']]);
  });

  /**
   * @claim get-by-ids: getByIds returns objects of any type with their `@odata.type`.
   * @source https://learn.microsoft.com/graph/api/directoryobject-getbyids
   * @seen azuread
   */
  it('returns objects of any type by id, always with their type', async () => {
    const group = await directory.group();
    const types = await Promise.all(
      [group['id'], id(1), id(500), id(600), id(700)].map(
        async (each) => (await directory.get(`/directoryObjects/${each}`)).body['@odata.type'],
      ),
    );
    expect(types).toEqual(
      ['group', 'user', 'device', 'servicePrincipal', 'orgContact'].map(
        (name) => `#${namespace}.${name}`,
      ),
    );
    const foundObjects = await directory.post('/directoryObjects/getByIds', {
      ids: [group['id'], id(1), id(9999)],
      types: ['group'],
    });
    expect(foundObjects.body.value.map((each: { id: string }) => each.id)).toEqual([group['id']]);
    expect(
      (
        await directory.post('/directoryObjects/getByIds', {
          ids: Array.from({ length: 1001 }, () => id(1)),
        })
      ).status,
    ).toBe(400);
  });

  /**
   * @claim expand-20: $expand returns 20 objects of one relationship.
   * @source https://learn.microsoft.com/graph/query-parameters
   */
  it('expands one relationship with at most 20 entries and a nested select', async () => {
    const group = await directory.group({
      'members@odata.bind': Array.from({ length: 20 }, (_, index) => addressOf(id(index + 1))),
    });
    await directory.post(`/groups/${group['id']}/members/$ref`, reference(id(30)));
    const { body } = await directory.get(
      `/groups/${group['id']}?$select=id&$expand=members($select=id)`,
    );
    expect(body.members).toHaveLength(20);
    expect(body.members[0]).toEqual({ '@odata.type': `#${namespace}.user`, id: id(1) });
    for (const path of ['/groups', `/groups/${group['id']}`, `/users/${id(1)}`])
      for (const expansions of [
        'members,owners',
        'manager,memberOf',
        'members($select=id),members',
        'members($expand=owners)',
        '*',
      ])
        expect([
          path,
          expansions,
          (await directory.get(`${path}?$expand=${expansions}`)).status,
        ]).toEqual([path, expansions, 400]);
    const ownerless = await directory.advanced(
      `/groups?$filter=owners/$count eq 0 and id eq '${group['id']}'&$count=true&$select=id`,
    );
    expect(ownerless.body['@odata.count']).toBe(1);
  });

  /**
   * @claim group-mail-enabled-read-only: Mail-enabled security groups and distribution lists can
   *   be read and not changed.
   * @source https://learn.microsoft.com/graph/groups-overview
   */
  it('has read-only mail-enabled security and distribution groups', async () => {
    for (const each of [id(800), id(801)]) {
      expect((await directory.get(`/groups/${each}`)).body).toMatchObject({ mailEnabled: true });
      const change = await directory.patch(`/groups/${each}`, { description: 'x' });
      expect([change.status, change.body.error.message]).toEqual([
        400,
        expect.stringContaining('external service'),
      ]);
      expect((await directory.post(`/groups/${each}/members/$ref`, reference(id(2)))).status).toBe(
        400,
      );
    }
    expect((await directory.delete(`/groups/${id(800)}`)).status).toBe(
      dialect === 'neutral' ? 403 : 204,
    );
    if (dialect === 'azure')
      expect((await directory.get(`/directory/deletedItems/${id(800)}`)).status).toBe(404);
  });

  it('has a sender in one list at most', async () => {
    const group = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}`;
    expect(
      (
        await directory.post(`${group}/acceptedSenders/$ref`, {
          '@odata.id': `http://x/v1.0/users/${id(1)}`,
        })
      ).status,
    ).toBe(204);
    expect((await directory.post(`${group}/acceptedSenders/$ref`, reference(id(1)))).status).toBe(
      400,
    );
    expect((await directory.post(`${group}/rejectedSenders/$ref`, reference(id(1)))).status).toBe(
      400,
    );
    expect((await directory.post(`${group}/rejectedSenders/$ref`, reference(id(500)))).status).toBe(
      400,
    );
    expect((await directory.get(`${group}/acceptedSenders`)).body.value).toHaveLength(1);
    expect(
      (await directory.delete(`${group}/acceptedSenders/$ref?$id=${addressOf(id(1))}`)).status,
    ).toBe(204);
    expect(
      (await directory.delete(`${group}/acceptedSenders/$ref?$id=${addressOf(id(1))}`)).status,
    ).toBe(404);
  });

  it('assigns app roles to a group', async () => {
    const group = await directory.group();
    const role = {
      principalId: group['id'],
      resourceId: id(600),
      appRoleId: '00000000-0000-0000-0000-000000000000',
    };
    const created = await directory.post(`/groups/${group['id']}/appRoleAssignments`, role);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      ...role,
      principalType: 'Group',
      resourceDisplayName: 'robot',
      principalDisplayName: group['displayName'],
    });
    expect((await directory.post(`/groups/${group['id']}/appRoleAssignments`, role)).status).toBe(
      400,
    );
    expect(
      (
        await directory.post(`/groups/${group['id']}/appRoleAssignments`, {
          ...role,
          principalId: id(1),
        })
      ).status,
    ).toBe(400);
    expect(
      (await directory.get(`/groups/${group['id']}/appRoleAssignments`)).body.value,
    ).toHaveLength(1);
    expect(
      (await directory.delete(`/groups/${group['id']}/appRoleAssignments/${created.body.id}`))
        .status,
    ).toBe(204);
    expect((await directory.get(`/groups/${group['id']}/appRoleAssignments`)).body.value).toEqual(
      [],
    );
  });
});
