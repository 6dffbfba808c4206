import {
  type Answer,
  application,
  id,
  person,
  securityGroup,
  TestDirectory,
  user,
} from '../support/directory.js';

const bind = (number: number): string => `http://directory.test/v1.0/users/${id(number)}`;

describe.each(['neutral', 'azure'] as const)(
  'labels and binds of groups in the %s dialect',
  (dialect) => {
    let directory: TestDirectory;
    beforeAll(async () => {
      directory = await TestDirectory.start({
        dialect,
        seed: { users: Array.from({ length: 30 }, (_, index) => user(id(index + 1))) },
      });
    });
    afterAll(() => directory.stop());

    const expectRefused = (answer: Answer, property?: string): void => {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(property ?? '')]);
      expect(answer.body.error.code).toBe('Request_BadRequest');
    };

    it('are changed by administrators in person, and on security groups once', async () => {
      const admin = person(id(1), ['Group.ReadWrite.All'], ['groupsAdministrator']);
      const label = { assignedLabels: [{ labelId: id(70), displayName: 'Secret' }] };
      const group = await directory.group();
      const path = `/groups/${group['id']}`;
      expect(
        (await directory.patch(path, label, { as: application(id(90), ['Group.ReadWrite.All']) }))
          .status,
      ).toBe(403);
      expect((await directory.patch(path, label, { as: admin })).status).toBe(204);
      expectRefused(
        await directory.patch(path, { assignedLabels: [] }, { as: admin }),
        'assignedLabels',
      );
      expect((await directory.get(`${path}?$select=assignedLabels`)).body.assignedLabels).toEqual(
        label.assignedLabels,
      );
    });

    it('have the names that the seed lists', async () => {
      await directory.service.seed({
        sensitivityLabels: [{ id: id(71), displayName: 'Confidential' }],
      });
      const label = { assignedLabels: [{ labelId: id(71) }] };
      const group = await directory.group(label);
      const path = `/groups/${group['id']}`;
      const labelWithName = [{ labelId: id(71), displayName: 'Confidential' }];
      expect((await directory.get(`${path}?$select=assignedLabels`)).body.assignedLabels).toEqual(
        labelWithName,
      );
      expect((await directory.patch(path, label)).status).toBe(204);
      expect((await directory.patch(path, { assignedLabels: [{ labelId: id(72) }] })).status).toBe(
        400,
      );
    });

    it('creates a group with owners and members that its body lists by id, address or object', async () => {
      const answer = await directory.post(
        '/groups',
        securityGroup({
          owners: [id(1), bind(2)],
          members: [{ id: id(3) }, { '@odata.id': bind(4) }],
        }),
      );
      expect(answer.status).toBe(dialect === 'neutral' ? 201 : 400);
      if (dialect === 'azure') return expectRefused(answer, 'owners');
      const related = async (name: string): Promise<unknown> =>
        (await directory.get(`/groups/${answer.body.id}/${name}?$select=id`)).body.value.map(
          (each: { id: string }) => each.id,
        );
      expect(await related('owners')).toEqual([id(1), id(2)]);
      expect(await related('members')).toEqual([id(3), id(4)]);
      expect(answer.body).not.toHaveProperty('owners');
    });

    it.each([
      ['an unknown owner', { owners: [id(404)] }, 404],
      ['an owner that is a number', { owners: [1] }, 400],
      ['owners both ways', { owners: [id(1)], 'owners@odata.bind': [bind(2)] }, 400],
      ['another relationship', { acceptedSenders: [id(1)] }, 400],
    ])('creates no group with %s', async (_what, relationship, status) => {
      const answer = await directory.post('/groups', securityGroup(relationship));
      expect(answer.status).toBe(dialect === 'azure' ? 400 : status);
    });

    it('changes no relationship by a property of its name', async () => {
      const group = await directory.group();
      for (const name of ['owners', 'members', 'memberOf'])
        expectRefused(await directory.patch(`/groups/${group['id']}`, { [name]: [id(1)] }), name);
      expectRefused(await directory.patch(`/users/${id(1)}`, { manager: id(2) }), 'manager');
    });

    /**
     * @claim group-binds-20: A body binds 20 owners and members at most, none twice, all or
     *   none.
     * @source https://learn.microsoft.com/graph/api/group-post-members
     * @seen azuread
     */
    it('binds at most 20 objects in one request, without duplicates, only existing ones', async () => {
      const bindMany = (count: number): string[] =>
        Array.from({ length: count }, (_, index) => bind(index + 1));
      expect(
        (await directory.post('/groups', securityGroup({ 'members@odata.bind': bindMany(20) })))
          .status,
      ).toBe(201);
      expectRefused(
        await directory.post('/groups', securityGroup({ 'members@odata.bind': bindMany(21) })),
        '20',
      );
      expectRefused(
        await directory.post(
          '/groups',
          securityGroup({ 'members@odata.bind': bindMany(20), 'owners@odata.bind': bindMany(1) }),
        ),
        '20',
      );
      expectRefused(
        await directory.post('/groups', securityGroup({ 'owners@odata.bind': [bind(1), bind(1)] })),
        'Request contains a property with duplicate values',
      );
      const unknown = await directory.post(
        '/groups',
        securityGroup({ 'owners@odata.bind': [bind(999)] }),
      );
      expect([unknown.status, unknown.body.error.message]).toEqual([
        404,
        `Resource '${id(999)}' does not exist or one of its queried reference-property objects are not present.`,
      ]);
      const group = await directory.group();
      expect(
        (await directory.patch(`/groups/${group['id']}`, { 'members@odata.bind': bindMany(20) }))
          .status,
      ).toBe(204);
      const again = await directory.patch(`/groups/${group['id']}`, {
        'members@odata.bind': [bind(25), bind(1)],
      });
      expectRefused(
        again,
        "One or more added object references already exist for the following modified properties: 'members'.",
      );
      expect((await directory.advanced(`/groups/${group['id']}/members/$count`)).text).toBe('20');
    });
  },
);
