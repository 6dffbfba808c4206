import { application, id, person, TestDirectory, user } from '../support/directory.js';

const referenceTo = (target: string): string =>
  `http://directory.test/beta/directoryObjects/${target}`;

describe.each(['neutral', 'azure'] as const)('deleted groups in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  const ns = dialect === 'neutral' ? 'svc.directory' : 'microsoft.graph';
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: { users: [user(id(1)), user(id(2))] },
    });
  });
  afterAll(() => directory.stop());

  /**
   * @claim group-deleted-30-days: A deleted group stays among the deleted items for 30 days, can
   *   be restored with its members and owners, and is then gone.
   * @source https://learn.microsoft.com/graph/api/directory-deleteditems-restore
   */
  it('lists, gets, restores and purges deleted groups for 30 days', async () => {
    const group = await directory.group({
      'owners@odata.bind': [referenceTo(id(1))],
      'members@odata.bind': [referenceTo(id(2))],
    });
    await directory.delete(`/groups/${group['id']}`);
    expect(
      (await directory.get(`/users/${id(2)}/memberOf`)).body.value.map(
        (each: { id: string }) => each.id,
      ),
    ).not.toContain(group['id']);
    const path = `/directory/deletedItems/${group['id']}`;
    expect((await directory.get(path)).body).toMatchObject({
      '@odata.type': `#${ns}.group`,
      deletedDateTime: '2026-01-15T10:00:00Z',
    });
    const listed = await directory.get(
      `/Directory/DeletedItems/${ns}.Group?$filter=displayName eq '${group['displayName']}'`,
    );
    expect(listed.body.value).toMatchObject([
      { id: group['id'], deletedDateTime: '2026-01-15T10:00:00Z' },
    ]);
    expect((await directory.get('/directory/deletedItems')).status).toBe(400);
    const owned = await directory.post('/directory/deletedItems/getUserOwnedObjects', {
      userId: id(1),
      type: 'Group',
    });
    expect(owned.body.value.map((each: { id: string }) => each.id)).toContain(group['id']);
    const sorted = await directory.advanced(
      `/directory/deletedItems/${ns}.group?$orderby=deletedDateTime desc&$count=true&$top=1`,
    );
    expect(sorted.status).toBe(200);
    const read = { as: application(id(600), ['Group.Read.All']) };
    expect((await directory.get(path, read)).status).toBe(200);
    expect((await directory.post(`${path}/restore`, undefined, read)).status).toBe(403);
    const restored = await directory.post(`${path}/restore`, undefined, {
      as: application(id(600), ['Group.ReadWrite.All']),
    });
    expect([restored.status, restored.body.deletedDateTime]).toEqual([200, null]);
    expect((await directory.get(`/groups/${group['id']}/owners`)).body.value).toHaveLength(1);
    expect((await directory.get(`/groups/${group['id']}/members`)).body.value).toHaveLength(1);
    await directory.delete(`/groups/${group['id']}`);
    directory.passTime({ days: 30, seconds: 1 });
    expect((await directory.get(path)).status).toBe(404);
    expect((await directory.post(`${path}/restore`)).status).toBe(404);
  });

  it('refuses to restore a group whose unique name is taken meanwhile', async () => {
    const first = await directory.group({ uniqueName: 'payroll' });
    await directory.delete(`/groups/${first['id']}`);
    const second = await directory.group({ uniqueName: 'Payroll' });
    const path = `/directory/deletedItems/${first['id']}`;
    const refused = await directory.post(`${path}/restore`);
    expect([refused.status, refused.body.error.code]).toEqual([
      400,
      'Request_MultipleObjectsWithSameKeyValue',
    ]);
    expect((await directory.get("/groups(uniqueName='payroll')")).body.id).toBe(second['id']);
    await directory.delete(`/groups/${second['id']}`);
    expect((await directory.post(`${path}/restore`)).status).toBe(200);
  });

  it('lets only those restore and purge role-assignable groups who may manage roles', async () => {
    const group = await directory.group({ isAssignableToRole: true });
    await directory.delete(`/groups/${group['id']}`);
    const path = `/directory/deletedItems/${group['id']}`;
    const groupsAdministrator = person(id(1), ['Group.ReadWrite.All'], ['groupsAdministrator']);
    const groupsApplication = application(id(600), ['Group.ReadWrite.All']);
    for (const as of [groupsAdministrator, groupsApplication]) {
      expect((await directory.post(`${path}/restore`, undefined, { as })).status).toBe(403);
      expect((await directory.delete(path, { as })).status).toBe(403);
    }
    const roleAdministrator = person(
      id(1),
      ['Group.ReadWrite.All', 'RoleManagement.ReadWrite.Directory'],
      ['privilegedRoleAdministrator'],
    );
    const restored = await directory.post(`${path}/restore`, undefined, { as: roleAdministrator });
    expect(restored.status).toBe(200);
    await directory.delete(`/groups/${group['id']}`);
    expect((await directory.delete(path, { as: roleAdministrator })).status).toBe(204);
  });
});
