import { TestDirectory, id, user } from './support/directory.js';

const groupsAdministrator = 'fdd7a751-b60b-444a-984c-02652fe8fa1c';

describe('what names a deleted object by its id', () => {
  let directory: TestDirectory;
  let resource: string;
  let client: string;
  let unit: string;
  beforeEach(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1)), user(id(2))] },
    });
    [resource, client] = [await makePrincipal('Portal'), await makePrincipal('Client')];
    unit = await create('/directory/administrativeUnits', { displayName: 'West' });
  });
  afterEach(() => directory.stop());

  const create = async (path: string, body: object): Promise<string> => {
    const answer = await directory.post(path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body.id;
  };
  const makePrincipal = async (displayName: string): Promise<string> => {
    const { appId } = (await directory.post('/applications', { displayName })).body;
    return create('/servicePrincipals', { appId });
  };
  const remove = async (path: string): Promise<void> =>
    expect((await directory.delete(path)).status).toBe(204);
  const restore = async (objectId: string): Promise<void> =>
    expect((await directory.post(`/directory/deletedItems/${objectId}/restore`)).status).toBe(200);
  const idsOf = async (path: string): Promise<string[]> =>
    (await directory.get(path)).body.value.map((each: { id: string }) => each.id);

  const assignRole = (principalId: string, directoryScopeId: string): Promise<string> =>
    create('/roleManagement/directory/roleAssignments', {
      roleDefinitionId: groupsAdministrator,
      principalId,
      directoryScopeId,
    });
  const addScopedRole = async (principalId: string): Promise<string> => {
    const roleTemplateId = groupsAdministrator;
    const roleId = await create('/directoryRoles', { roleTemplateId });
    const body = { roleId, roleMemberInfo: { id: principalId } };
    return create(`/directory/administrativeUnits/${unit}/scopedRoleMembers`, body);
  };
  const assignAppRole = (principalId: string): Promise<string> =>
    create(`/servicePrincipals/${resource}/appRoleAssignedTo`, {
      appRoleId: '00000000-0000-0000-0000-000000000000',
      principalId,
      resourceId: resource,
    });
  const grant = (principalId: string): Promise<string> =>
    create('/oauth2PermissionGrants', {
      clientId: client,
      resourceId: resource,
      consentType: 'Principal',
      principalId,
      scope: 'read',
    });

  /** The ids of all records that tests make, by the lists that show them. */
  const shown = async (): Promise<Record<string, string[]>> => ({
    assignments: await idsOf('/roleManagement/directory/roleAssignments'),
    scopedRoles: await idsOf(`/directory/administrativeUnits/${unit}/scopedRoleMembers`),
    appRoles: await idsOf(`/servicePrincipals/${resource}/appRoleAssignedTo`),
    grants: await idsOf('/oauth2PermissionGrants'),
  });

  it('is gone with a user, and back when the user is restored', async () => {
    const before = {
      assignments: [
        await assignRole(id(1), '/'),
        await assignRole(id(1), `/administrativeUnits/${unit}`),
      ].sort(),
      scopedRoles: [await addScopedRole(id(1))],
      appRoles: [await assignAppRole(id(1))],
      grants: [await grant(id(1))],
    };
    expect(await shown()).toEqual(before);
    await remove(`/users/${id(1)}`);
    expect(await shown()).toEqual({ assignments: [], scopedRoles: [], appRoles: [], grants: [] });
    await restore(id(1));
    expect(await shown()).toEqual(before);
    expect(await idsOf(`/users/${id(1)}/scopedRoleMemberOf`)).toEqual(before.scopedRoles);
    expect(await idsOf(`/users/${id(1)}/appRoleAssignments`)).toEqual(before.appRoles);
  });

  it('is back only when all that it names are', async () => {
    const scopedRoles = [await addScopedRole(id(1))];
    const assignments = [await assignRole(id(1), `/administrativeUnits/${unit.toUpperCase()}`)];
    await remove(`/users/${id(1)}`);
    await remove(`/directory/administrativeUnits/${unit}`);
    await restore(id(1));
    expect(await idsOf('/roleManagement/directory/roleAssignments')).toEqual([]);
    expect(await idsOf(`/users/${id(1)}/scopedRoleMemberOf`)).toEqual([]);
    await restore(unit);
    expect(await shown()).toMatchObject({ scopedRoles, assignments });
  });

  it('is gone for good with an object that is permanently deleted', async () => {
    await grant(id(1));
    await remove(`/users/${id(1)}`);
    await remove(`/servicePrincipals/${client}`);
    await remove(`/directory/deletedItems/${client}`);
    await restore(id(1));
    expect(await idsOf('/oauth2PermissionGrants')).toEqual([]);
  });
});
