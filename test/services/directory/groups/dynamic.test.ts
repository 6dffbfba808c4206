import { TestDirectory, application, id, unifiedGroup, user } from '../support/directory.js';

const members = async (directory: TestDirectory, group: string): Promise<string[]> =>
  (await directory.get(`/groups/${group}/members?$select=id`)).body.value.map(
    (each: { id: string }) => each.id,
  );

describe('dynamic membership', () => {
  let directory: TestDirectory;
  let group: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      seed: {
        users: [
          user(id(1), { department: 'Sales' }),
          user(id(2), { department: 'Ops' }),
          user(id(3), { department: 'sales' }),
        ],
        devices: [{ id: id(10), displayName: 'd1', deviceId: id(110), deviceOwnership: 'Company' }],
      },
    });
    const created = await directory.post(
      '/groups',
      unifiedGroup({
        groupTypes: ['Unified', 'DynamicMembership'],
        membershipRule: 'user.department -eq "Sales"',
        membershipRuleProcessingState: 'On',
      }),
    );
    expect(created.status).toBe(201);
    expect(created.body.membershipRuleProcessingState).toBe('On');
    group = created.body.id;
  });
  afterAll(() => directory.stop());

  /**
   * @claim dynamic-members: A dynamic group has the members that its rule matches.
   * @source https://learn.microsoft.com/entra/identity/users/groups-dynamic-membership
   */
  it('has the members that the rule matches', async () => {
    expect(await members(directory, group)).toEqual([id(1), id(3)]);
  });

  it('follows changes of users', async () => {
    expect((await directory.patch(`/users/${id(2)}`, { department: 'Sales' })).status).toBe(204);
    expect(await members(directory, group)).toEqual([id(1), id(2), id(3)]);
    expect((await directory.patch(`/users/${id(1)}`, { department: null })).status).toBe(204);
    expect(await members(directory, group)).toEqual([id(2), id(3)]);
  });

  /**
   * @claim dynamic-no-direct-members: Members of a dynamic group cannot be changed directly.
   * @source https://learn.microsoft.com/graph/api/group-post-members
   */
  it('refuses direct changes of members with 403', async () => {
    const body = { '@odata.id': `http://directory.test/v1.0/directoryObjects/${id(1)}` };
    expect((await directory.post(`/groups/${group}/members/$ref`, body)).status).toBe(403);
    expect((await directory.delete(`/groups/${group}/members/${id(2)}/$ref`)).status).toBe(403);
    const create = unifiedGroup({
      groupTypes: ['Unified', 'DynamicMembership'],
      membershipRule: 'user.objectId -ne null',
      'members@odata.bind': [`http://directory.test/v1.0/users/${id(1)}`],
    });
    expect((await directory.post('/groups', create)).status).toBe(403);
  });

  /**
   * @claim dynamic-paused: A paused dynamic group keeps its members, and catches up when
   *   processing goes on.
   * @source https://learn.microsoft.com/entra/identity/users/groups-dynamic-membership
   */
  it('does nothing while the processing is paused and catches up when it resumes', async () => {
    await directory.patch(`/groups/${group}`, { membershipRuleProcessingState: 'Paused' });
    await directory.patch(`/users/${id(1)}`, { department: 'Sales' });
    expect(await members(directory, group)).toEqual([id(2), id(3)]);
    await directory.patch(`/groups/${group}`, { membershipRuleProcessingState: 'On' });
    expect(await members(directory, group)).toEqual([id(1), id(2), id(3)]);
  });

  /**
   * @claim dynamic-to-static: A dynamic group that becomes static keeps its members; one that
   *   becomes dynamic gets those of its rule.
   * @source https://learn.microsoft.com/entra/identity/users/groups-change-type
   */
  it('keeps the members of a group that becomes static, and replaces them when it becomes dynamic again', async () => {
    expect((await directory.patch(`/groups/${group}`, { groupTypes: ['Unified'] })).status).toBe(
      204,
    );
    const body = (await directory.get(`/groups/${group}`)).body;
    expect(body).toMatchObject({
      groupTypes: ['Unified'],
      membershipRule: null,
      membershipRuleProcessingState: null,
    });
    expect(await members(directory, group)).toEqual([id(1), id(2), id(3)]);
    const rule = {
      groupTypes: ['Unified', 'DynamicMembership'],
      membershipRule: `user.objectId -eq "${id(2)}"`,
    };
    expect((await directory.patch(`/groups/${group}`, rule)).status).toBe(204);
    expect(await members(directory, group)).toEqual([id(2)]);
  });

  it('judges bound members by the kind of membership that the same request sets', async () => {
    const bound = { 'members@odata.bind': [`http://directory.test/v1.0/users/${id(1)}`] };
    const dynamicMembership = {
      groupTypes: ['DynamicMembership'],
      membershipRule: `user.objectId -eq "${id(2)}"`,
    };
    const { id: changedGroup = '' } = await directory.group();
    const toDynamic = { ...dynamicMembership, ...bound };
    expect((await directory.patch(`/groups/${changedGroup}`, toDynamic)).status).toBe(403);
    expect(await members(directory, changedGroup)).toEqual([]);
    await directory.patch(`/groups/${changedGroup}`, dynamicMembership);
    const toStatic = { groupTypes: [], ...bound };
    expect((await directory.patch(`/groups/${changedGroup}`, toStatic)).status).toBe(204);
    expect(await members(directory, changedGroup)).toEqual([id(1), id(2)]);
  });

  it('leaves out the processing state of a static group, when it is created as when it changes', async () => {
    const processing = { membershipRuleProcessingState: 'On' };
    const created = await directory.group(processing);
    expect(created['membershipRuleProcessingState']).toBeNull();
    const path = `/groups/${created['id']}`;
    expect((await directory.patch(path, processing)).status).toBe(204);
    expect((await directory.get(path)).body.membershipRuleProcessingState).toBeNull();
  });

  it('refuses an invalid rule, with the position, and a missing one', async () => {
    const withInvalidRule = await directory.post(
      '/groups',
      unifiedGroup({
        groupTypes: ['Unified', 'DynamicMembership'],
        membershipRule: 'user.department -eq',
      }),
    );
    expect(withInvalidRule.status).toBe(400);
    expect(withInvalidRule.body.error.message).toMatch(/position \d+/);
    expect(withInvalidRule.body.error.details[0].target).toBe('membershipRule');
    const withoutRule = await directory.post(
      '/groups',
      unifiedGroup({ groupTypes: ['Unified', 'DynamicMembership'] }),
    );
    expect(withoutRule.status).toBe(400);
  });

  /**
   * @claim dynamic-devices: Rules about devices are for security groups only.
   * @source https://learn.microsoft.com/entra/identity/users/groups-dynamic-membership
   */
  it('adds devices to security groups and refuses device rules for unified ones', async () => {
    const rule = {
      groupTypes: ['DynamicMembership'],
      membershipRule: 'device.deviceOwnership -eq "Company"',
    };
    const deviceGroup = await directory.group(rule);
    expect(await members(directory, String(deviceGroup['id']))).toEqual([id(10)]);
    const refused = await directory.post(
      '/groups',
      unifiedGroup({ ...rule, groupTypes: ['Unified', 'DynamicMembership'] }),
    );
    expect(refused.status).toBe(400);
  });

  it('follows the direct members of other groups and the reports of a manager', async () => {
    const source = await directory.group({
      'members@odata.bind': [`http://directory.test/v1.0/users/${id(1)}`],
    });
    const copy = await directory.group({
      groupTypes: ['DynamicMembership'],
      membershipRule: `user.memberof -any (group.objectId -in ['${source['id']}'])`,
    });
    expect(await members(directory, String(copy['id']))).toEqual([id(1)]);
    await directory.post(`/groups/${source['id']}/members/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(3)}`,
    });
    expect(await members(directory, String(copy['id']))).toEqual([id(1), id(3)]);
    await directory.delete(`/groups/${source['id']}`);
    expect(await members(directory, String(copy['id']))).toEqual([]);
    const reportsGroup = await directory.group({
      groupTypes: ['DynamicMembership'],
      membershipRule: `Direct Reports for "${id(1)}"`,
    });
    await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(1)}`,
    });
    expect(await members(directory, String(reportsGroup['id']))).toEqual([id(2)]);
  });

  it('has the members again when the group or the manager of its rule is restored', async () => {
    const restored = await TestDirectory.start({ seed: { users: [user(id(1)), user(id(2))] } });
    const reference = (userId: string) => ({ '@odata.id': `http://x/v1.0/users/${userId}` });
    const source = await restored.group();
    await restored.post(`/groups/${source['id']}/members/$ref`, reference(id(2)));
    await restored.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(id(1)));
    const rules = [
      `user.memberof -any (group.objectId -in ['${source['id']}'])`,
      `Direct Reports for "${id(1)}"`,
    ];
    const groups: string[] = [];
    for (const membershipRule of rules) {
      const created = await restored.group({ groupTypes: ['DynamicMembership'], membershipRule });
      groups.push(String(created['id']));
    }
    const allMembers = () => Promise.all(groups.map((each) => members(restored, each)));
    expect(await allMembers()).toEqual([[id(2)], [id(2)]]);
    await restored.delete(`/groups/${source['id']}`);
    await restored.delete(`/users/${id(1)}`);
    expect(await allMembers()).toEqual([[], []]);
    for (const deleted of [source['id'], id(1)])
      await restored.post(`/directory/deletedItems/${deleted}/restore`);
    expect(await allMembers()).toEqual([[id(2)], [id(2)]]);
    await restored.stop();
  });

  /**
   * @claim dynamic-evaluate: evaluateDynamicMembership says whether a rule matches, with a tree
   *   of its parts.
   * @source https://learn.microsoft.com/graph/api/group-evaluatedynamicmembership
   */
  it('explains a rule', async () => {
    const answer = await directory.post('/beta/groups/evaluateDynamicMembership', {
      memberId: id(1),
      membershipRule: 'user.department -eq "Sales"',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      membershipRule: 'user.department -eq "Sales"',
      membershipRuleEvaluationResult: true,
    });
    const evaluationOfGroup = await directory.post(
      `/beta/groups/${group}/evaluateDynamicMembership`,
      {
        memberId: id(1),
      },
    );
    expect(evaluationOfGroup.body.membershipRuleEvaluationResult).toBe(false);
  });

  it('explains a rule to those only who may read the people whose values it shows', async () => {
    const evaluateAs = async (...permissions: readonly string[]): Promise<number> =>
      (
        await directory.post(
          '/beta/groups/evaluateDynamicMembership',
          { memberId: id(1), membershipRule: 'user.department -eq "Sales"' },
          { as: application(id(50), permissions) },
        )
      ).status;
    expect(await evaluateAs('GroupMember.Read.All')).toBe(403);
    expect(await evaluateAs('GroupMember.Read.All', 'User.Read.All')).toBe(200);
    expect(await evaluateAs('Directory.Read.All')).toBe(200);
  });
});
