import type { Caller } from '../../../../services/common/caller.js';
import { TestDirectory, id, person, user } from '../support/directory.js';

const days = (count: number): object => ({
  expiration: { type: 'afterDuration', duration: `P${count}D` },
});

describe('a time-limited role', () => {
  let directory: TestDirectory;
  beforeEach(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1)), user(id(2))] },
    });
  });
  afterEach(() => directory.stop());

  const printers = '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f';
  const roles = '/roleManagement/directory/roleAssignment';
  const request = (action: string, overrides: object = {}, caller?: Caller) =>
    directory.ask(
      'POST',
      `${roles}ScheduleRequests`,
      {
        action,
        roleDefinitionId: printers,
        principalId: id(1),
        directoryScopeId: '/',
        scheduleInfo: days(2),
        ...overrides,
      },
      caller && { as: caller },
    );
  const roleHolders = async (): Promise<unknown[]> =>
    (await directory.get(`${roles}s`)).body.value.map(
      ({ principalId }: { principalId: string }) => principalId,
    );
  const valuesAt = async (path: string): Promise<Record<string, unknown>[]> =>
    (await directory.get(path)).body.value;

  it('shows its principal and its role where they are expanded', async () => {
    const { body } = await request('adminAssign');
    const query = '$expand=roleDefinition($select=displayName)';
    const expected = [{ roleDefinition: { displayName: 'Printer Administrator' } }];
    for (const path of ['Schedules', 'ScheduleInstances', 'ScheduleRequests'])
      expect(await valuesAt(`${roles}${path}?${query}`)).toMatchObject(expected);
    const one = `${roles}Schedules/${body.targetScheduleId}?$expand=principal($select=id)`;
    const as = person(id(2), ['RoleManagement.Read.Directory']);
    expect((await directory.get(one, { as })).body.principal).toEqual({
      '@odata.type': '#microsoft.graph.user',
      id: id(1),
    });
    const masked = await directory.get(`${roles}Schedules?$expand=principal`, { as });
    expect(masked.body.value[0].principal).toMatchObject({ id: id(1), displayName: null });
    expect((await directory.get(`${roles}Schedules?$expand=owner`)).status).toBe(400);
  });

  it('is assigned for its period: as an assignment, a membership and an instance', async () => {
    const { status: created, body } = await request('adminAssign');
    expect([created, body]).toEqual([
      201,
      expect.objectContaining({ status: 'Provisioned', targetScheduleId: body.id }),
    ]);
    expect(await roleHolders()).toEqual([id(1)]);
    const [role] = await valuesAt("/directoryRoles?$filter=displayName eq 'Printer Administrator'");
    expect(await valuesAt(`/directoryRoles/${String(role?.['id'])}/members`)).toMatchObject([
      { id: id(1) },
    ]);
    expect(await valuesAt(`${roles}ScheduleInstances`)).toEqual([
      expect.objectContaining({
        principalId: id(1),
        roleDefinitionId: printers,
        directoryScopeId: '/',
        memberType: 'Direct',
        assignmentType: 'Assigned',
        roleAssignmentScheduleId: body.targetScheduleId,
        endDateTime: new Date(directory.clock.now + 2 * 86_400_000).toISOString(),
      }),
    ]);
    const query = `$filter=principalId eq '${id(2)}'`;
    expect(await valuesAt(`${roles}ScheduleInstances?${query}`)).toEqual([]);
    directory.passTime({ days: 2 });
    expect([
      await roleHolders(),
      await valuesAt(`${roles}ScheduleInstances`),
      await valuesAt(`${roles}Schedules`),
    ]).toEqual([[], [], []]);
  });

  /**
   * @claim schedule-activate: selfActivate is for eligible principals only.
   * @source
   *   https://learn.microsoft.com/graph/api/rbacapplication-post-roleassignmentschedulerequests
   */
  it('is activated by eligible principals only', async () => {
    const eligiblePerson = person(id(1), ['RoleAssignmentSchedule.ReadWrite.Directory']);
    expect((await request('selfActivate', {}, eligiblePerson)).body.error.code).toBe(
      'RoleAssignmentDoesNotExist',
    );
    const eligible = {
      action: 'adminAssign',
      roleDefinitionId: printers,
      principalId: id(1),
      directoryScopeId: '/',
    };
    const created = await directory.post(
      '/roleManagement/directory/roleEligibilityScheduleRequests',
      {
        ...eligible,
        scheduleInfo: days(30),
      },
    );
    expect(
      await valuesAt('/roleManagement/directory/roleEligibilityScheduleInstances'),
    ).toMatchObject([
      { roleEligibilityScheduleId: created.body.targetScheduleId, principalId: id(1) },
    ]);
    expect((await request('selfActivate', { principalId: id(2) }, eligiblePerson)).status).toBe(
      403,
    );
    expect((await request('adminAssign', {}, eligiblePerson)).status).toBe(403);
    expect([
      (await request('selfActivate', {}, eligiblePerson)).status,
      await roleHolders(),
    ]).toEqual([201, [id(1)]]);
    expect((await valuesAt(`${roles}Schedules`))[0]).toMatchObject({ assignmentType: 'Activated' });
    expect([
      (await request('selfDeactivate', {}, eligiblePerson)).status,
      await roleHolders(),
    ]).toEqual([201, []]);
  });

  it('is activated only while the eligibility runs', async () => {
    const eligiblePerson = person(id(2), ['RoleAssignmentSchedule.ReadWrite.Directory']);
    const activate = async (): Promise<number> =>
      (await request('selfActivate', { principalId: id(2) }, eligiblePerson)).status;
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    await directory.post('/roleManagement/directory/roleEligibilityScheduleRequests', {
      action: 'adminAssign',
      roleDefinitionId: printers,
      principalId: id(2),
      directoryScopeId: '/',
      scheduleInfo: { startDateTime, expiration: { type: 'afterDuration', duration: 'P1D' } },
    });
    expect(await activate()).toBe(400);
    directory.passTime({ days: 1 });
    expect(await activate()).toBe(201);
    await request('selfDeactivate', { principalId: id(2) }, eligiblePerson);
    directory.clock.now += 86_400_000;
    expect(await activate()).toBe(400);
  });

  it('is withdrawn before its end by its requester or an administrator only', async () => {
    const startDateTime = new Date(directory.clock.now + 86_400_000).toISOString();
    const later = { scheduleInfo: { startDateTime, expiration: { type: 'noExpiration' } } };
    const createPendingRequest = async (): Promise<string> =>
      (await request('adminAssign', later)).body.id as string;
    const cancel = async (requestId: string, caller?: Caller): Promise<number> =>
      (
        await directory.ask(
          'POST',
          `${roles}ScheduleRequests/${requestId}/cancel`,
          undefined,
          caller && { as: caller },
        )
      ).status;
    const permission = ['RoleAssignmentSchedule.ReadWrite.Directory'];
    const created = await createPendingRequest();
    expect(await cancel(created, person(id(2), permission))).toBe(403);
    expect(await valuesAt(`${roles}Schedules`)).toHaveLength(1);
    expect(await cancel(created, person(id(2), permission, ['privilegedRoleAdministrator']))).toBe(
      204,
    );
    expect([
      await cancel(await createPendingRequest()),
      await valuesAt(`${roles}Schedules`),
    ]).toEqual([204, []]);
  });

  it('ends with its assignment, and so does its schedule', async () => {
    await request('adminAssign');
    const [assignment] = await valuesAt(`${roles}s`);
    await directory.ask('DELETE', `${roles}s/${String(assignment?.['id'])}`);
    expect(await valuesAt(`${roles}Schedules`)).toEqual([]);
    await request('adminAssign');
    expect([(await request('adminRemove')).status, await roleHolders()]).toEqual([201, []]);
    expect((await request('adminAssign', { principalId: id(7) })).body.error.code).toBe(
      'SubjectNotFound',
    );
  });

  it('ends with the administrative unit that it is over, as an eligibility does', async () => {
    const unit = (await directory.post('/directory/administrativeUnits', { displayName: 'West' }))
      .body.id;
    const directoryScopeId = `/administrativeUnits/${unit}`;
    expect((await request('adminAssign', { directoryScopeId })).status).toBe(201);
    const eligibility = {
      action: 'adminAssign',
      roleDefinitionId: printers,
      principalId: id(2),
      directoryScopeId: `/administrativeUnits/${unit.toUpperCase()}`,
      scheduleInfo: days(2),
    };
    const eligibilities = '/roleManagement/directory/roleEligibilitySchedule';
    expect((await directory.post(`${eligibilities}Requests`, eligibility)).status).toBe(201);
    await directory.delete(`/directory/administrativeUnits/${unit}`);
    for (const path of [`${roles}Schedules`, `${eligibilities}s`, `${roles}s`])
      expect([path, await valuesAt(path)]).toEqual([path, []]);
  });

  it('is not granted over an object that does not exist', async () => {
    const wrong = [`/administrativeUnits/${id(9)}`, 'West', 5];
    for (const path of [roles, '/roleManagement/directory/roleEligibility'])
      for (const directoryScopeId of wrong) {
        const { status } = await directory.post(`${path}ScheduleRequests`, {
          action: 'adminAssign',
          roleDefinitionId: printers,
          principalId: id(1),
          directoryScopeId,
          scheduleInfo: days(2),
        });
        expect([directoryScopeId, status]).toEqual([
          directoryScopeId,
          typeof directoryScopeId === 'string' ? 404 : 400,
        ]);
      }
  });

  it('is granted over no scope of an application', async () => {
    for (const path of [roles, '/roleManagement/directory/roleEligibility']) {
      const { status, body } = await directory.post(`${path}ScheduleRequests`, {
        action: 'adminAssign',
        roleDefinitionId: printers,
        principalId: id(1),
        appScopeId: '/AccessPackageCatalog/1',
        scheduleInfo: days(2),
      });
      expect([status, body.error.details[0].target]).toEqual([400, 'appScopeId']);
    }
  });
});
