import { onEveryEngine } from '../support/engines.js';
import { TestDirectory, id, securityGroup } from '../support/directory.js';

const source = id(9000);
const rule = (group: string): string => `user.memberof -any (group.objectId -in ['${group}'])`;

/**
 * A tenant that is full: 500 role-assignable groups, and 500 with a memberOf rule. On PostgreSQL
 * just a few, to see that they are counted.
 */
onEveryEngine('the quotas of a tenant', (open, engine) => {
  const size = engine === 'sqlite' ? 500 : 5;
  let directory: TestDirectory;
  beforeAll(async () => {
    const groups = Array.from({ length: size }, (_, index) => [
      {
        id: id(index + 1),
        displayName: `R${index}`,
        mailNickname: `r${index}`,
        isAssignableToRole: true,
      },
      {
        id: id(index + 1001),
        displayName: `M${index}`,
        mailNickname: `m${index}`,
        groupTypes: ['DynamicMembership'],
        membershipRule: rule(source),
        membershipRuleProcessingState: 'Paused',
      },
    ]).flat();
    directory = await TestDirectory.start({
      database: await open(),
      seed: { groups: [{ id: source, displayName: 'Source', mailNickname: 'source' }, ...groups] },
    });
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });
  const create = async (properties: Record<string, unknown>): Promise<[number, string]> => {
    const { status, body } = await directory.post('/groups', securityGroup(properties));
    return [status, body.error?.code];
  };
  const dynamic = { groupTypes: ['DynamicMembership'], membershipRule: rule(source) };

  it('are enforced with 403', async () => {
    const expectedRefusal = size === 500 ? [403, 'Directory_QuotaExceeded'] : [201, undefined];
    expect(await create({ isAssignableToRole: true })).toEqual(expectedRefusal);
    expect(await create(dynamic)).toEqual(expectedRefusal);
    expect(
      (
        await create({
          groupTypes: ['DynamicMembership'],
          membershipRule: 'user.department -eq "x"',
        })
      )[0],
    ).toBe(201);
    const group = await directory.group();
    expect((await directory.patch(`/groups/${group['id']}`, dynamic)).status).toBe(
      size === 500 ? 403 : 204,
    );
  });

  it('leave no group with a memberOf rule that is a source of another', async () => {
    const { status, body } = await directory.patch(`/groups/${source}`, {
      ...dynamic,
      membershipRule: rule(id(2)),
    });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('is the source of a memberOf rule'),
    ]);
  });

  it('leave no group that is the source of its own memberOf rule', async () => {
    const group = await directory.group();
    const own = { ...dynamic, membershipRule: rule(String(group['id'])) };
    const { status, body } = await directory.patch(`/groups/${group['id']}`, own);
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('cannot be the source of its own rule'),
    ]);
  });

  it('do not affect existing groups, and have room again after a deletion', async () => {
    expect((await directory.patch(`/groups/${id(1)}`, { description: 'x' })).status).toBe(204);
    expect(
      (
        await directory.patch(`/groups/${id(1001)}`, {
          description: 'x',
          membershipRule: `${rule(source)} `,
        })
      ).status,
    ).toBe(204);
    for (const number of [1, 1001])
      expect((await directory.delete(`/groups/${id(number)}`)).status).toBe(204);
    expect((await create({ isAssignableToRole: true }))[0]).toBe(201);
    expect((await create({ ...dynamic, membershipRule: rule(id(1002)) }))[0]).toBe(400);
    expect((await create(dynamic))[0]).toBe(201);
  });
});
