import { unrestrictedCaller } from '../../../../services/common/caller.js';
import {
  TestDirectory,
  application,
  id,
  person,
  securityGroup,
  user,
} from '../support/directory.js';

const base = '/identityGovernance/privilegedAccess/group';
const days = (count: number): object => ({
  expiration: { type: 'afterDuration', duration: `P${count}D` },
});

/**
 * As the official provider declares azuread_privileged_access_group_… and
 * azuread_directory_role_eligibility_schedule_request.
 */
describe('time-limited access', () => {
  const as = application(id(90), [
    'PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup',
    'PrivilegedEligibilitySchedule.ReadWrite.AzureADGroup',
  ]);
  let directory: TestDirectory;
  let group: string;
  beforeEach(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1)), user(id(2)), user(id(10))] },
    });
    group = (await directory.post('/groups', securityGroup())).body.id;
  });
  afterEach(() => directory.stop());

  const members = async (relation = 'members'): Promise<string[]> =>
    (await directory.get(`/groups/${group}/${relation}`)).body.value.map(
      (each: { id: string }) => each.id,
    );
  const ask = async (
    kind: 'assignment' | 'eligibility',
    action: string,
    overrides: object = {},
  ) => {
    const body = { accessId: 'member', principalId: id(1), groupId: group, action, ...overrides };
    return directory.ask('POST', `${base}/${kind}ScheduleRequests`, body, { as });
  };
  const latest = async (kind: string, schedule: string) => {
    const query = `$filter=groupId eq '${group}' and targetScheduleId eq '${schedule}'&$orderby=createdDateTime desc`;
    return (
      await directory.ask('GET', `${base}/${kind}ScheduleRequests?${query}`, undefined, { as })
    ).body.value[0];
  };
  const status = async (path: string): Promise<number> =>
    (await directory.ask('GET', path, undefined, { as })).status;

  /**
   * @claim schedule-update-new-id: An update of a schedule makes a schedule with another id.
   * @guess the provider reads the id of the answer, and would take an unchanged one as well
   */
  it.each(['assignment', 'eligibility'] as const)(
    '%s: requested, read, changed and removed as the provider does',
    async (kind) => {
      const created = await ask(kind, 'adminAssign', {
        justification: 'on call',
        scheduleInfo: days(30),
        ticketInfo: { ticketNumber: '7', ticketSystem: 'desk' },
      });
      const schedule = created.body.targetScheduleId as string;
      expect([created.status, created.body]).toEqual([
        201,
        expect.objectContaining({
          status: 'Provisioned',
          groupId: group,
          principalId: id(1),
          accessId: 'member',
        }),
      ]);
      expect(schedule).toMatch(new RegExp(`^${group}_member_[0-9a-f-]{36}$`));
      expect(
        (await directory.ask('GET', `${base}/${kind}Schedules/${schedule}`, undefined, { as }))
          .body,
      ).toMatchObject({
        id: schedule,
        createdUsing: created.body.id,
        status: 'Provisioned',
        scheduleInfo: {
          startDateTime: expect.any(String),
          expiration: { type: 'afterDuration', duration: 'P30D', endDateTime: null },
        },
      });
      expect(await latest(kind, schedule)).toMatchObject({
        justification: 'on call',
        ticketInfo: { ticketNumber: '7', ticketSystem: 'desk' },
      });
      expect(await members()).toEqual(kind === 'assignment' ? [id(1)] : []);

      const changed = await ask(kind, 'adminUpdate', {
        scheduleInfo: { expiration: { type: 'noExpiration' } },
      });
      const next = changed.body.targetScheduleId as string;
      expect([
        await status(`${base}/${kind}Schedules/${schedule}`),
        await status(`${base}/${kind}Schedules/${next}`),
      ]).toEqual([404, 200]);
      expect((await latest(kind, next)).scheduleInfo.expiration).toEqual({
        type: 'noExpiration',
        endDateTime: null,
        duration: null,
      });
      expect(await members()).toEqual(kind === 'assignment' ? [id(1)] : []);

      expect((await ask(kind, 'adminRemove')).body).toMatchObject({
        status: 'Revoked',
        targetScheduleId: next,
        scheduleInfo: null,
      });
      expect([
        await status(`${base}/${kind}Schedules/${next}`),
        (await latest(kind, next)).status,
        await members(),
      ]).toEqual([404, 'Revoked', []]);
      expect((await ask(kind, 'adminRemove')).status).toBe(404);
    },
  );

  /**
   * @claim schedule-remove: adminRemove ends an eligibility; removing what is not there is 404.
   * @guess the error of the second removal is not documented
   */
  it('makes a principal eligible for a role, until another request removes it', async () => {
    const path = '/roleManagement/directory/roleEligibilityScheduleRequests';
    const body = {
      roleDefinitionId: '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f',
      principalId: id(1),
      directoryScopeId: '/',
      justification: 'printers',
    };
    const scheduleInfo = {
      startDateTime: directory.now.toISOString(),
      expiration: { type: 'noExpiration' },
    };
    const { status: created, body: eligibilityRequest } = await directory.post(path, {
      ...body,
      action: 'adminAssign',
      scheduleInfo,
    });
    expect([created, eligibilityRequest]).toEqual([
      201,
      expect.objectContaining({
        ...body,
        targetScheduleId: eligibilityRequest.id,
        status: 'Provisioned',
      }),
    ]);
    for (const each of [path, path.replace('Requests', 's')])
      expect((await directory.get(`${each}/${eligibilityRequest.id}`)).body).toMatchObject({
        principalId: id(1),
        directoryScopeId: '/',
      });
    expect(
      (await directory.post(path, { ...body, action: 'adminAssign', scheduleInfo })).body.error
        .code,
    ).toBe('RoleAssignmentExists');
    for (const startDateTime of [4_102_444_800_000, '1/2/2031', '2031']) {
      const start = { ...scheduleInfo, startDateTime };
      const answer = await directory.post(path, {
        ...body,
        principalId: id(2),
        action: 'adminAssign',
        scheduleInfo: start,
      });
      expect([startDateTime, answer.status]).toEqual([startDateTime, 400]);
    }
    expect((await directory.post(path, { ...body, action: 'adminRemove' })).body.status).toBe(
      'Revoked',
    );
    expect(
      (await directory.get(`${path.replace('Requests', 's')}/${eligibilityRequest.id}`)).status,
    ).toBe(404);
    const unknown = { ...body, action: 'adminAssign', scheduleInfo };
    expect((await directory.post(path, { ...unknown, principalId: id(7) })).body.error.code).toBe(
      'SubjectNotFound',
    );
    expect(
      (await directory.post(path, { ...unknown, roleDefinitionId: id(7) })).body.error.code,
    ).toBe('RoleNotFound');
  });

  it('lists active schedules as instances of groups', async () => {
    await ask('assignment', 'adminAssign', {
      scheduleInfo: { expiration: { type: 'noExpiration' } },
    });
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    await ask('assignment', 'adminAssign', {
      accessId: 'owner',
      scheduleInfo: { startDateTime, expiration: { type: 'noExpiration' } },
    });
    const read = async () =>
      (
        await directory.ask(
          'GET',
          `${base}/assignmentScheduleInstances?$filter=groupId eq '${group}'`,
          undefined,
          { as },
        )
      ).body.value;
    expect(await read()).toMatchObject([
      { groupId: group, accessId: 'member', principalId: id(1), endDateTime: null },
    ]);
    directory.passTime({ days: 1 });
    expect(await read()).toHaveLength(2);
  });

  /**
   * @claim schedule-created: A membership by schedule begins and ends at its time; one that
   *   begins later has the status ScheduleCreated.
   * @guess the type lists the status; when the service uses it was not observed
   */
  it('ends membership, and starts ownership, in time', async () => {
    await ask('assignment', 'adminAssign', { scheduleInfo: days(2) });
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const later = await ask('assignment', 'adminAssign', {
      accessId: 'owner',
      scheduleInfo: { startDateTime, expiration: { type: 'noExpiration' } },
    });
    expect([later.body.status, await members('owners')]).toEqual(['ScheduleCreated', []]);
    directory.passTime({ days: 1 });
    expect([await members('owners'), await members()]).toEqual([[id(1)], [id(1)]]);
    directory.passTime({ days: 1 });
    expect([await members('owners'), await members()]).toEqual([[id(1)], []]);
  });

  it('fails a request whose schedule cannot start, without hindering others', async () => {
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const later = { startDateTime, expiration: { type: 'noExpiration' } };
    const { body } = await ask('assignment', 'adminAssign', { scheduleInfo: later });
    await ask('assignment', 'adminAssign', { principalId: id(2), scheduleInfo: later });
    await directory.post(`/groups/${group}/members/$ref`, {
      '@odata.id': `https://graph.microsoft.com/v1.0/users/${id(1)}`,
    });
    directory.passTime({ days: 1 });
    expect((await members()).sort()).toEqual([id(1), id(2)]);
    const request = `${base}/assignmentScheduleRequests/${body.id}`;
    expect((await directory.ask('GET', request, undefined, { as })).body.status).toBe('Failed');
    directory.passTime({ days: 1 });
    expect((await members()).sort()).toEqual([id(1), id(2)]);
  });

  it('ends a membership that is put off until it begins again', async () => {
    await ask('assignment', 'adminAssign', { scheduleInfo: days(10) });
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const { body } = await ask('assignment', 'adminUpdate', {
      scheduleInfo: { startDateTime, ...days(2) },
    });
    expect([body.status, await members()]).toEqual(['ScheduleCreated', []]);
    directory.passTime({ days: 1 });
    expect(await members()).toEqual([id(1)]);
    directory.passTime({ days: 3 });
    expect(await members()).toEqual([]);
  });

  it('leaves a membership that it did not begin, when it is removed and when it ends', async () => {
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const reference = { '@odata.id': `https://graph.microsoft.com/v1.0/users/${id(1)}` };
    await ask('assignment', 'adminAssign', {
      scheduleInfo: { startDateTime, expiration: { type: 'noExpiration' } },
    });
    await directory.post(`/groups/${group}/members/$ref`, reference);
    await ask('assignment', 'adminRemove');
    expect(await members()).toEqual([id(1)]);
    await directory.ask('DELETE', `/groups/${group}/members/${id(1)}/$ref`);
    await ask('assignment', 'adminAssign', { scheduleInfo: { startDateTime, ...days(1) } });
    await directory.post(`/groups/${group}/members/$ref`, reference);
    directory.passTime({ days: 5 });
    expect(await members()).toEqual([id(1)]);
  });

  /**
   * @claim schedule-cancel: A request that begins later is cancelled by 204, and once only.
   * @source
   *   https://learn.microsoft.com/graph/api/privilegedaccessgroupassignmentschedulerequest-cancel
   */
  it('cancels only a request that has not started', async () => {
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const { body } = await ask('assignment', 'adminAssign', {
      scheduleInfo: { startDateTime, expiration: { type: 'noExpiration' } },
    });
    const cancel = `${base}/assignmentScheduleRequests/${body.id}/cancel`;
    expect((await directory.ask('POST', cancel, undefined, { as })).status).toBe(204);
    expect((await directory.ask('POST', cancel, undefined, { as })).status).toBe(400);
    directory.passTime({ days: 2 });
    expect(await members()).toEqual([]);
  });

  it('lets eligible principals activate the membership, for themselves only', async () => {
    const requestForSelf = (principal: string, action = 'selfActivate') =>
      directory.ask(
        'POST',
        `${base}/assignmentScheduleRequests`,
        {
          accessId: 'member',
          principalId: principal,
          groupId: group,
          action,
          scheduleInfo: { expiration: { type: 'afterDuration', duration: 'PT2H' } },
        },
        { as: person(id(1), ['PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup']) },
      );
    expect((await requestForSelf(id(1))).body.error.code).toBe('RoleAssignmentDoesNotExist');
    await ask('eligibility', 'adminAssign', { scheduleInfo: days(30) });
    await ask('eligibility', 'adminAssign', { principalId: id(2), scheduleInfo: days(30) });
    expect((await requestForSelf(id(2))).status).toBe(403);
    expect([(await requestForSelf(id(1))).status, await members()]).toEqual([201, [id(1)]]);
    expect([(await requestForSelf(id(1), 'selfDeactivate')).status, await members()]).toEqual([
      201,
      [],
    ]);
    await requestForSelf(id(1));
    directory.passTime({ seconds: 7200 });
    expect(await members()).toEqual([]);
  });

  it('knows the principal whose token has the id in capital letters', async () => {
    const self = person(id(10).toUpperCase(), [
      'PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup',
    ]);
    await ask('eligibility', 'adminAssign', { principalId: id(10), scheduleInfo: days(30) });
    const { status: activated } = await directory.post(
      `${base}/assignmentScheduleRequests`,
      {
        accessId: 'member',
        principalId: id(10),
        groupId: group,
        action: 'selfActivate',
        scheduleInfo: { expiration: { type: 'afterDuration', duration: 'PT2H' } },
      },
      { as: self },
    );
    expect([activated, await members()]).toEqual([201, [id(10)]]);
  });

  it('deletes a schedule with its group, its principal, or the membership', async () => {
    const schedules = async (): Promise<unknown[]> =>
      (await directory.get(`${base}/assignmentSchedules`)).body.value;
    await ask('assignment', 'adminAssign', { scheduleInfo: days(2) });
    await directory.ask('DELETE', `/groups/${group}/members/${id(1)}/$ref`);
    expect(await schedules()).toEqual([]);
    await ask('assignment', 'adminAssign', { scheduleInfo: days(2) });
    await directory.ask('DELETE', `/users/${id(1)}`);
    expect(await schedules()).toEqual([]);
    await directory.post(`/directory/deletedItems/${id(1)}/restore`, {});
    expect(await members()).toEqual([]);
  });

  it.each<[string, object]>([
    ['no period', {}],
    ['no type of end', { scheduleInfo: { expiration: {} } }],
    [
      'a duration that is none',
      { scheduleInfo: { expiration: { type: 'afterDuration', duration: 'soon' } } },
    ],
    [
      'an end in the past',
      {
        scheduleInfo: {
          expiration: { type: 'afterDateTime', endDateTime: '2020-01-01T00:00:00Z' },
        },
      },
    ],
    ['a start that is none', { scheduleInfo: { startDateTime: 'now', ...days(1) } }],
    ['another part', { accessId: 'guest', scheduleInfo: days(1) }],
    ['another action', { action: 'grant', scheduleInfo: days(1) }],
    ['no principal', { principalId: null, scheduleInfo: days(1) }],
  ])('is refused with %s', async (_mistake, overrides) => {
    expect((await ask('assignment', 'adminAssign', overrides)).status).toBe(400);
    expect(await members()).toEqual([]);
  });

  it.each(['assignment', 'eligibility'] as const)(
    'grants no %s of a group that is read-only here',
    async (kind) => {
      await directory.service.seed({
        groups: [{ id: id(70), displayName: 'List', mailEnabled: true, mail: 'list@a.example' }],
      });
      const { status } = await ask(kind, 'adminAssign', {
        groupId: id(70),
        scheduleInfo: days(1),
      });
      const { value } = (await directory.get(`/groups/${id(70)}/members`)).body;
      expect([status, value]).toEqual([400, []]);
    },
  );

  it('refuses duplicates, changes nothing in a validation, and needs authorization', async () => {
    const scheduleInfo = days(1);
    expect(
      (await ask('assignment', 'adminAssign', { scheduleInfo, isValidationOnly: true })).status,
    ).toBe(201);
    expect(await members()).toEqual([]);
    // The cloud's own examples begin with a capital
    expect((await ask('assignment', 'AdminAssign', { scheduleInfo })).status).toBe(201);
    expect((await ask('assignment', 'adminAssign', { scheduleInfo })).body.error.code).toBe(
      'RoleAssignmentExists',
    );
    const body = {
      accessId: 'member',
      principalId: id(2),
      groupId: group,
      action: 'adminAssign',
      scheduleInfo,
    };
    const path = `${base}/assignmentScheduleRequests`;
    for (const [caller, expected] of [
      [application(id(91), ['PrivilegedAssignmentSchedule.Read.AzureADGroup']), 403],
      [person(id(2), ['PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup']), 403],
      [unrestrictedCaller, 201],
    ] as const)
      expect((await directory.ask('POST', path, body, { as: caller })).status).toBe(expected);
  });
});
