import { TestDirectory, id, user } from '../support/directory.js';

const role = {
  id: id(100),
  allowedMemberTypes: ['User'],
  displayName: 'Reader',
  description: 'Reader',
  isEnabled: true,
  value: 'Reader',
};
const defaultRoleId = '00000000-0000-0000-0000-000000000000';

describe('app role assignments', () => {
  let directory: TestDirectory;
  let resource: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1), { displayName: 'Ada' }), user(id(2))] },
    });
    const { appId } = (
      await directory.post('/applications', { displayName: 'Portal', appRoles: [role] })
    ).body;
    resource = (await directory.post('/servicePrincipals', { appId })).body.id;
  });
  afterAll(() => directory.stop());

  /**
   * @claim app-role-both-sides: An assignment of an app role is listed at the principal and at
   *   the resource.
   * @source https://learn.microsoft.com/graph/api/serviceprincipal-post-approleassignedto
   * @seen azuread
   */
  it('have both names, on both sides, and are deleted from both', async () => {
    const body = {
      '@odata.type': '#microsoft.graph.appRoleAssignment',
      appRoleId: role.id,
      principalId: id(1),
      resourceId: resource,
    };
    const { status, body: created } = await directory.post(
      `/servicePrincipals/${resource}/appRoleAssignedTo`,
      body,
    );
    expect(status).toBe(201);
    expect(created).toMatchObject({
      appRoleId: role.id,
      principalId: id(1),
      principalDisplayName: 'Ada',
      principalType: 'User',
      resourceId: resource,
      resourceDisplayName: 'Portal',
    });
    expect(created.id).toMatch(/^[\w-]{20,}$/);
    expect(
      (await directory.get(`/servicePrincipals/${resource}/appRoleAssignedTo/${created.id}`)).body
        .id,
    ).toBe(created.id);
    expect((await directory.get(`/users/${id(1)}/appRoleAssignments`)).body.value).toHaveLength(1);
    expect(
      (await directory.post(`/servicePrincipals/${resource}/appRoleAssignedTo`, body)).status,
    ).toBe(400);
    expect(
      (await directory.delete(`/servicePrincipals/${resource}/appRoleAssignedTo/${created.id}`))
        .status,
    ).toBe(204);
    expect((await directory.get(`/users/${id(1)}/appRoleAssignments`)).body.value).toEqual([]);
    expect(
      (await directory.delete(`/servicePrincipals/${resource}/appRoleAssignedTo/${created.id}`))
        .status,
    ).toBe(404);
  });

  it.each([{}, { appRoleId: null }, { appRoleId: '' }, { appRoleId: 'reader' }])(
    'need their role: %j is refused',
    async (properties) => {
      const body = { principalId: id(2), resourceId: resource, ...properties };
      for (const path of [
        `/servicePrincipals/${resource}/appRoleAssignedTo`,
        `/users/${id(2)}/appRoleAssignments`,
      ]) {
        const answer = await directory.post(path, body);
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('appRoleId')]);
      }
    },
  );

  it('are created from the side of a group, whose id must be the principal', async () => {
    const group = (await directory.group()).id as string;
    const path = `/groups/${group}/appRoleAssignments`;
    expect(
      (
        await directory.post(path, {
          appRoleId: defaultRoleId,
          principalId: id(1),
          resourceId: resource,
        })
      ).status,
    ).toBe(400);
    const { status, body } = await directory.post(path, {
      appRoleId: defaultRoleId,
      principalId: group,
      resourceId: resource,
    });
    expect([status, body.principalType]).toEqual([201, 'Group']);
    for (const expandPath of [
      `/groups/${group}?$expand=appRoleAssignments`,
      `/groups?$expand=appRoleAssignments&$filter=id eq '${group}'`,
    ]) {
      const expanded = (await directory.get(expandPath)).body;
      expect((expanded.value?.[0] ?? expanded).appRoleAssignments).toEqual([
        expect.objectContaining({ id: body.id, resourceId: resource }),
      ]);
    }
    await directory.delete(`/groups/${group}`);
    expect(
      (await directory.get(`/servicePrincipals/${resource}/appRoleAssignedTo`)).body.value,
    ).toEqual([]);
  });

  it.each([
    [{ appRoleId: id(999) }, 400],
    [{ appRoleId: 'nonsense' }, 400],
    [{ principalId: id(404) }, 404],
    [{ resourceId: id(404) }, 400],
  ])('are refused with %j', async (properties, status) => {
    const body = { appRoleId: role.id, principalId: id(2), resourceId: resource, ...properties };
    expect(
      (await directory.post(`/servicePrincipals/${resource}/appRoleAssignedTo`, body)).status,
    ).toBe(status);
  });

  it('restrict a role to the types of principals that it allows', async () => {
    const answer = await directory.post(`/servicePrincipals/${resource}/appRoleAssignedTo`, {
      appRoleId: role.id,
      principalId: resource,
      resourceId: resource,
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      expect.stringContaining('it allows User'),
    ]);
  });
});

describe('delegated grants', () => {
  /**
   * @claim delegated-grants: A delegated grant is for all users or one, and changes in its scope
   *   only.
   * @source https://learn.microsoft.com/graph/api/oauth2permissiongrant-post
   * @seen azuread
   */
  it('are created for all users or for one, changed in scope only, and found by filter', async () => {
    const directory = await TestDirectory.start({
      seed: {
        users: [user(id(1))],
        servicePrincipals: [
          { id: id(50), displayName: 'client' },
          { id: id(51), displayName: 'api' },
        ],
      },
    });
    const grant = {
      '@odata.type': '#x',
      clientId: id(50),
      resourceId: id(51),
      scope: 'openid read',
    };
    const grantForAll = await directory.post('/oauth2PermissionGrants', {
      ...grant,
      consentType: 'AllPrincipals',
    });
    expect([grantForAll.status, grantForAll.body.principalId, grantForAll.body.scope]).toEqual([
      201,
      null,
      'openid read',
    ]);
    expect(
      (await directory.post('/oauth2PermissionGrants', { ...grant, consentType: 'AllPrincipals' }))
        .status,
    ).toBe(409);
    expect(
      (
        await directory.post('/oauth2PermissionGrants', {
          ...grant,
          consentType: 'Principal',
          principalId: id(1),
        })
      ).status,
    ).toBe(201);
    expect(
      (await directory.post('/oauth2PermissionGrants', { ...grant, consentType: 'Principal' }))
        .status,
    ).toBe(400);
    const unknownClient = await directory.post('/oauth2PermissionGrants', {
      ...grant,
      clientId: id(404),
      consentType: 'AllPrincipals',
    });
    expect([unknownClient.status, unknownClient.body.error.message]).toEqual([
      404,
      expect.stringContaining(
        'does not exist or one of its queried reference-property objects are not present',
      ),
    ]);
    expect(
      (await directory.patch(`/oauth2PermissionGrants/${grantForAll.body.id}`, { scope: 'openid' }))
        .status,
    ).toBe(204);
    expect(
      (
        await directory.patch(`/oauth2PermissionGrants/${grantForAll.body.id}`, {
          clientId: id(51),
        })
      ).status,
    ).toBe(400);
    expect((await directory.get(`/oauth2PermissionGrants/${grantForAll.body.id}`)).body.scope).toBe(
      'openid',
    );
    const filter = encodeURIComponent(`clientId eq '${id(50)}' and consentType eq 'Principal'`);
    expect(
      (await directory.get(`/oauth2PermissionGrants?$filter=${filter}`)).body.value,
    ).toHaveLength(1);
    await directory.delete(`/users/${id(1)}`);
    expect(
      (await directory.get(`/servicePrincipals/${id(50)}/oauth2PermissionGrants`)).body.value,
    ).toHaveLength(1);
    expect((await directory.delete(`/oauth2PermissionGrants/${grantForAll.body.id}`)).status).toBe(
      204,
    );
    expect((await directory.get(`/oauth2PermissionGrants/${grantForAll.body.id}`)).status).toBe(
      404,
    );
    await directory.stop();
  });
});
