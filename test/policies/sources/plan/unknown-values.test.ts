import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

describe('checking what a plan shows as known only after apply', () => {
  const unified = {
    display_name: 'A',
    mail_enabled: true,
    mail_nickname: 'a',
    types: ['Unified'],
    security_enabled: true,
  };
  const configured = (expressions: object) => ({
    configuration: {
      root_module: { resources: [{ address: 'azuread_group.a', mode: 'managed', expressions }] },
    },
  });
  const findingLines = async (after: object, unknown: object, expressions: object) =>
    (
      await check(
        undefined,
        [change('azuread_group', 'a', { ...unified, ...after }, unknown)],
        {},
        configured(expressions),
      )
    ).map(({ verdict, ruleId, path }) => `${verdict} ${ruleId} ${(path ?? []).slice(2).join('.')}`);

  it('reads an empty list of owners from the configuration, whatever the provider shows', async () => {
    expect(await findingLines({}, { owners: true }, { owners: { constant_value: [] } })).toContain(
      'fail plan-endless-difference owners',
    );
    expect(await findingLines({}, { owners: true }, {})).toEqual([]);
  });

  it('checks the default visibility of a role-assignable unified group', async () => {
    const assignable = { assignable_to_role: true };
    expect(await findingLines(assignable, { visibility: true }, {})).toEqual([
      'fail group-role-assignable visibility',
    ]);
    expect(
      await findingLines(
        assignable,
        { visibility: true },
        { visibility: { references: ['local.v'] } },
      ),
    ).toContain('unknown group-role-assignable visibility');
    expect(await findingLines({ ...assignable, visibility: 'Private' }, {}, {})).toEqual([]);
  });

  it('knows that values set only by variables are left to the provider, since Terraform knows variables when it plans', async () => {
    const fail = ['fail group-role-assignable visibility'];
    const assignable = { assignable_to_role: true };
    expect(
      await findingLines(
        assignable,
        { visibility: true },
        { visibility: { references: ['var.v'] } },
      ),
    ).toEqual(fail);
    expect(
      await findingLines(
        assignable,
        { visibility: true },
        { visibility: { constant_value: null } },
      ),
    ).toEqual(fail);
    expect(
      await findingLines(
        {},
        { mail_nickname: true },
        { mail_nickname: { references: ['each.value.mail', 'each.value'] } },
      ),
    ).toEqual([]);
    const owner = { owners: ['11111111-2222-4333-8444-555555555555'] };
    expect(await findingLines(owner, {}, { owners: { references: ['var.owners'] } })).toEqual([
      'fail group-two-owners owners',
    ]);
  });

  it('leaves the member types of a unified group unknown, unless the configuration has them', async () => {
    const member = '11111111-2222-4333-8444-555555555555';
    expect(
      await findingLines({ members: [member] }, {}, { members: { constant_value: [member] } }),
    ).toEqual(['unknown group-member-kind members']);
    expect(
      await findingLines(
        { members: [member] },
        {},
        { members: { references: ['data.azuread_user.ada.object_id', 'data.azuread_user.ada'] } },
      ),
    ).toEqual([]);
    expect(
      await findingLines(
        {},
        { members: true },
        { members: { references: ['azuread_group.other.object_id'] } },
      ),
    ).toContain('fail group-member-kind members');
  });

  it('asks the configuration whether a role-assignable group has groups as members', async () => {
    const security = { types: [], mail_enabled: false, assignable_to_role: true };
    const member = '11111111-2222-4333-8444-555555555555';
    const linesFor = (references: readonly string[]) =>
      findingLines(security, { members: true }, { members: { references } });
    expect(await linesFor(['azuread_group.other.object_id', 'azuread_group.other'])).toEqual([
      'fail group-role-assignable members',
    ]);
    expect(await linesFor(['local.members'])).toEqual(['unknown group-role-assignable members']);
    expect(
      await findingLines(
        { ...security, members: [member] },
        {},
        { members: { constant_value: [member] } },
      ),
    ).toEqual(['unknown group-role-assignable members']);
    expect(
      await linesFor([
        'data.azuread_user.ada.object_id',
        'data.azuread_user.ada',
        'azuread_service_principal.till.object_id',
        'azuread_service_principal.till',
      ]),
    ).toEqual([]);
  });
});
