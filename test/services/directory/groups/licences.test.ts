import type { Caller } from '../../../../services/common/caller.js';
import { onEveryEngine } from '../support/engines.js';
import { TestDirectory, id, person, user } from '../support/directory.js';

const sku = id(900);
const group = id(50);

/**
 * Licences that come from groups: they leave with the group and come back with it, and can fail.
 */
onEveryEngine('licences of groups', (open) => {
  let directory: TestDirectory;
  beforeEach(async () => {
    const failedAssignment = {
      skuId: sku,
      disabledPlans: [],
      assignedByGroup: group,
      state: 'Error',
      error: 'CountViolation',
    };
    directory = await TestDirectory.start({
      database: await open(),
      seed: {
        users: [user(id(1)), user(id(2), { licenseAssignmentStates: [failedAssignment] })],
        groups: [{ id: group, displayName: 'Licensed', members: [id(1), id(2)] }],
      },
    });
    const change = { addLicenses: [{ skuId: sku, disabledPlans: [] }], removeLicenses: [] };
    expect((await directory.post(`/groups/${group}/assignLicense`, change)).status).toBe(202);
  });
  afterEach(async () => {
    await directory.stop();
    await directory.database.close();
  });
  const licences = async (number: number): Promise<unknown[]> =>
    (await directory.get(`/users/${id(number)}?$select=assignedLicenses`)).body.assignedLicenses;
  const groupsByErrors = async (hasErrors: boolean): Promise<string[]> =>
    (
      await directory.get(`/groups?$filter=hasMembersWithLicenseErrors eq ${hasErrors}&$select=id`)
    ).body.value.map((each: { id: string }) => each.id);

  it('report whose assignment has failed, until it is processed again', async () => {
    expect([(await licences(1)).length, (await licences(2)).length]).toEqual([1, 0]);
    expect([await groupsByErrors(true), await groupsByErrors(false)]).toEqual([[group], []]);
    const errorsPath = `/groups/${group}/membersWithLicenseErrors`;
    expect((await directory.get(`${errorsPath}?$select=id`)).body.value).toMatchObject([
      { id: id(2) },
    ]);
    expect((await directory.post(`/users/${id(2)}/reprocessLicenseAssignment`)).status).toBe(200);
    expect((await licences(2)).length).toBe(1);
    expect([await groupsByErrors(true), await groupsByErrors(false)]).toEqual([[], [group]]);
    expect((await directory.get(errorsPath)).body.value).toEqual([]);
    const withoutRole = person(id(1), ['Group.ReadWrite.All']);
    expect(
      (
        await directory.post(`/users/${id(2)}/reprocessLicenseAssignment`, undefined, {
          as: withoutRole,
        })
      ).status,
    ).toBe(403);
  });

  it('have a list of disabled plans, or none', async () => {
    const assign = async (disabledPlans: unknown): Promise<number> => {
      const addLicenses = [{ skuId: id(901), disabledPlans }];
      const change = { addLicenses, removeLicenses: [] };
      return (await directory.post(`/groups/${group}/assignLicense`, change)).status;
    };
    for (const wrong of ['all', id(902), ['all'], {}])
      expect([wrong, await assign(wrong)]).toEqual([wrong, 400]);
    for (const right of [null, [], [id(902)]])
      expect([right, await assign(right)]).toEqual([right, 202]);
  });

  it('are no error of the group after the member leaves', async () => {
    await directory.delete(`/groups/${group}/members/${id(2)}/$ref`);
    expect([await groupsByErrors(true), await groupsByErrors(false)]).toEqual([[], [group]]);
    expect(
      (await directory.get(`/users/${id(2)}?$select=licenseAssignmentStates`)).body
        .licenseAssignmentStates,
    ).toEqual([]);
  });

  it('are removed from the members when the group is deleted, and return when it is restored', async () => {
    await directory.delete(`/groups/${group}`);
    expect([(await licences(1)).length, (await licences(2)).length]).toEqual([0, 0]);
    await directory.post(`/directory/deletedItems/${group}/restore`);
    expect((await licences(1)).length).toBe(1);
  });

  it('are recalculated when a user is restored', async () => {
    await directory.delete(`/users/${id(1)}`);
    await directory.post(`/groups/${group}/assignLicense`, {
      addLicenses: [],
      removeLicenses: [sku],
    });
    await directory.post(`/directory/deletedItems/${id(1)}/restore`);
    expect(await licences(1)).toEqual([]);
  });
});

onEveryEngine('licences of one user', (open) => {
  let directory: TestDirectory;
  const [own, groups] = [id(901), sku];
  beforeEach(async () => {
    directory = await TestDirectory.start({
      database: await open(),
      seed: {
        users: [user(id(1), { usageLocation: 'CH' }), user(id(2))],
        groups: [{ id: group, displayName: 'Licensed', members: [id(1)] }],
      },
    });
    const change = { addLicenses: [{ skuId: groups, disabledPlans: [] }], removeLicenses: [] };
    await directory.post(`/groups/${group}/assignLicense`, change);
  });
  afterEach(async () => {
    await directory.stop();
    await directory.database.close();
  });
  const change = (number: number, added: string[], removed: string[] = [], as?: Caller) =>
    directory.post(
      `/users/${id(number)}/assignLicense`,
      { addLicenses: added.map((skuId) => ({ skuId })), removeLicenses: removed },
      as && { as },
    );
  const holders = async (): Promise<unknown> => {
    const path = `/users/${id(1)}?$select=licenseAssignmentStates`;
    const states = (await directory.get(path)).body.licenseAssignmentStates;
    return states.map((state: Record<string, unknown>) => [
      state['skuId'],
      state['assignedByGroup'],
    ]);
  };
  const idsIn = (answer: { body: { assignedLicenses: { skuId: string }[] } }): string[] =>
    answer.body.assignedLicenses.map(({ skuId }) => skuId).sort();

  it('are assigned and removed beside those of groups', async () => {
    const added = await change(1, [own, groups]);
    expect([added.status, added.body.id, idsIn(added)]).toEqual([200, id(1), [groups, own]]);
    expect(await holders()).toEqual([
      [own, null],
      [groups, null],
      [groups, group],
    ]);
    expect(idsIn(await change(1, [], [own, groups]))).toEqual([groups]);
    await directory.delete(`/groups/${group}/members/${id(1)}/$ref`);
    expect(await holders()).toEqual([]);
  });

  it('need a usage location, and cannot be removed where they come from a group', async () => {
    expect(await change(2, [own])).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('invalid usage location') } },
    });
    for (const removed of [groups, own]) expect((await change(1, [], [removed])).status).toBe(400);
    const reader = person(id(1), ['User.ReadWrite.All']);
    expect((await change(1, [own], [], reader)).status).toBe(403);
  });
});
