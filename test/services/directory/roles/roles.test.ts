import { TestDirectory, id, user } from '../support/directory.js';

const groupsAdministrator = 'fdd7a751-b60b-444a-984c-02652fe8fa1c';
const definitions = '/roleManagement/directory/roleDefinitions';
const assignments = '/roleManagement/directory/roleAssignments';

describe('directory roles', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1)), user(id(2))] },
    });
  });
  afterAll(() => directory.stop());

  /**
   * @claim role-activate: A directory role is activated from its template.
   * @source https://learn.microsoft.com/graph/api/directoryrole-post-directoryroles
   * @seen azuread
   */
  it('are activated from templates, even twice at once', async () => {
    const filter = `/directoryRoles?$filter=${encodeURIComponent(`roleTemplateId eq '${groupsAdministrator}'`)}`;
    expect((await directory.get(filter)).body.value).toEqual([]);
    const activations = await Promise.all(
      [1, 2].map(() => directory.post('/directoryRoles', { roleTemplateId: groupsAdministrator })),
    );
    expect(activations.map(({ status }) => status)).toEqual([201, 201]);
    expect(activations[0]?.body.id).toBe(activations[1]?.body.id);
    expect((await directory.get(filter)).body.value).toHaveLength(1);
    expect(
      (await directory.get(`/directoryRoles(roleTemplateId='${groupsAdministrator}')`)).body
        .displayName,
    ).toBe('Groups Administrator');
    expect((await directory.post('/directoryRoles', { roleTemplateId: id(404) })).status).toBe(400);
    expect((await directory.post('/directoryRoles', {})).body.error.message).toBe(
      "A value is required for property 'roleTemplateId'.",
    );
    expect((await directory.get('/directoryRoleTemplates')).body.value.length).toBeGreaterThan(20);
    expect((await directory.get(`/directoryRoleTemplates/${groupsAdministrator}`)).body.id).toBe(
      groupsAdministrator,
    );
  });

  it('are assigned to principals, whom $expand shows with the definition of the role', async () => {
    const { id: assignment } = (
      await directory.post(assignments, {
        roleDefinitionId: groupsAdministrator,
        principalId: id(2),
        directoryScopeId: '/',
      })
    ).body;
    const expand = '$expand=principal($select=id,displayName),roleDefinition';
    const one = `${assignments}/${assignment}`;
    for (const path of [one, assignments]) {
      const {
        '@odata.context': _context,
        value,
        ...single
      } = (await directory.get(`${path}?${expand}&$select=id`)).body;
      const listed = value?.find((each: { id: string }) => each.id === assignment);
      const view = path === one ? single : listed;
      expect(view).toEqual({
        id: assignment,
        principal: {
          '@odata.type': '#microsoft.graph.user',
          id: id(2),
          displayName: expect.any(String),
        },
        roleDefinition: expect.objectContaining({ displayName: 'Groups Administrator' }),
      });
      const wrong = await directory.get(`${path}?$expand=friends`);
      expect([path, wrong.status]).toEqual([path, 400]);
    }
    expect((await directory.delete(one)).status).toBe(204);
  });

  it('have members, which are the assignments of the built-in role over the whole directory', async () => {
    const role = (await directory.post('/directoryRoles', { roleTemplateId: groupsAdministrator }))
      .body.id;
    const created = await directory.post(assignments, {
      '@odata.type': '#x',
      roleDefinitionId: groupsAdministrator,
      principalId: id(1),
      directoryScopeId: '/',
    });
    expect(created.status).toBe(201);
    const members = async (): Promise<string[]> =>
      (await directory.get(`/directoryRoles/${role}/members`)).body.value.map(
        (each: { id: string }) => each.id,
      );
    expect(await members()).toEqual([id(1)]);
    expect(
      (
        await directory.post(assignments, {
          roleDefinitionId: groupsAdministrator,
          principalId: id(1),
          directoryScopeId: '/',
        })
      ).status,
    ).toBe(400);
    expect((await directory.delete(`${assignments}/${created.body.id}`)).status).toBe(204);
    expect(await members()).toEqual([]);
    await directory.post(`/directoryRoles/${role}/members/$ref`, {
      '@odata.id': `https://x/v1.0/directoryObjects/${id(2)}`,
    });
    const filter = encodeURIComponent(`principalId eq '${id(2)}'`);
    expect((await directory.get(`${assignments}?$filter=${filter}`)).body.value).toEqual([
      expect.objectContaining({ roleDefinitionId: groupsAdministrator }),
    ]);
    await directory.delete(`/users/${id(2)}`);
    expect((await directory.get(`${assignments}?$filter=${filter}`)).body.value).toEqual([]);
    await directory.post(`/directory/deletedItems/${id(2)}/restore`);
    expect((await directory.get(`${assignments}?$filter=${filter}`)).body.value).toHaveLength(1);
  });

  it('are assigned only to role-assignable groups', async () => {
    const plain = (await directory.group()).id;
    expect(
      (
        await directory.post(assignments, {
          roleDefinitionId: groupsAdministrator,
          principalId: plain,
          directoryScopeId: '/',
        })
      ).status,
    ).toBe(400);
    const assignable = (await directory.group({ isAssignableToRole: true })).id;
    expect(
      (
        await directory.post(assignments, {
          roleDefinitionId: groupsAdministrator,
          principalId: assignable,
          directoryScopeId: '/',
        })
      ).status,
    ).toBe(201);
  });

  it('are no longer assigned over an administrative unit that is deleted', async () => {
    const unit = (await directory.post('/directory/administrativeUnits', { displayName: 'West' }))
      .body.id;
    for (const scope of [
      `/administrativeUnits/${unit}`,
      `/${unit}`,
      `/administrativeUnits/${unit.toUpperCase()}`,
    ])
      expect(
        (
          await directory.post(assignments, {
            roleDefinitionId: groupsAdministrator,
            principalId: id(1),
            directoryScopeId: scope,
          })
        ).status,
      ).toBe(201);
    await directory.delete(`/directory/administrativeUnits/${unit}`);
    const scopes = (await directory.get(assignments)).body.value.map(
      (each: { directoryScopeId: string }) => each.directoryScopeId,
    );
    expect(scopes.filter((scope: string) => scope.toLowerCase().includes(unit))).toEqual([]);
  });

  it.each(['/administrativeUnits/', `/administrativeUnits/${id(2)}`, `/${id(404)}`, ''])(
    'are not assigned over "%s", which names no object',
    async (directoryScopeId) => {
      const refused = await directory.post(assignments, {
        roleDefinitionId: groupsAdministrator,
        principalId: id(1),
        directoryScopeId,
      });
      expect(refused.status).toBe(404);
    },
  );

  it.each([
    ['a scope in an application', { appScopeId: '/AccessPackageCatalog/1' }],
    ['a misspelt scope', { directoryScopeID: `/administrativeUnits/${id(2)}` }],
  ])('are not assigned over the whole directory because of %s', async (_what, scope) => {
    const before = (await directory.get(assignments)).text;
    const assignment = { roleDefinitionId: groupsAdministrator, principalId: id(1), ...scope };
    expect((await directory.post(assignments, assignment)).status).toBe(400);
    expect((await directory.get(assignments)).text).toBe(before);
  });

  /**
   * @claim role-custom: Own roles can be defined, built-in ones do not change.
   * @source https://learn.microsoft.com/graph/api/rbacapplication-post-roledefinitions
   * @seen azuread
   */
  it('can be defined, with a template id of the client, and built-in ones cannot change', async () => {
    const body = {
      displayName: 'Custom',
      isEnabled: true,
      rolePermissions: [{ allowedResourceActions: ['microsoft.directory/groups/create'] }],
      version: '1',
      templateId: id(200),
    };
    const created = await directory.post(definitions, body);
    expect([created.status, created.body.id, created.body.isBuiltIn]).toEqual([
      201,
      id(200),
      false,
    ]);
    expect((await directory.post(definitions, body)).status).toBe(400);
    expect(
      (await directory.patch(`${definitions}/${id(200)}`, { displayName: 'Renamed' })).status,
    ).toBe(204);
    expect(
      (
        await directory.get(
          `${definitions}?$filter=${encodeURIComponent("displayName eq 'renamed'")}`,
        )
      ).body.value,
    ).toHaveLength(1);
    const assignment = await directory.post(assignments, {
      roleDefinitionId: id(200),
      principalId: id(1),
      directoryScopeId: `/${id(2)}`,
    });
    expect(assignment.status).toBe(201);
    expect((await directory.delete(`${definitions}/${id(200)}`)).status).toBe(400);
    await directory.delete(`${assignments}/${assignment.body.id}`);
    expect((await directory.delete(`${definitions}/${id(200)}`)).status).toBe(204);
    expect(
      (await directory.patch(`${definitions}/${groupsAdministrator}`, { displayName: 'x' })).status,
    ).toBe(400);
    expect((await directory.get(`${definitions}/${groupsAdministrator}`)).body).toMatchObject({
      isBuiltIn: true,
      displayName: 'Groups Administrator',
    });
  });

  it.each([
    ['displayName', null],
    ['displayName', ''],
    ['description', 5],
    ['isEnabled', 'yes'],
    ['isEnabled', null],
    ['resourceScopes', '/'],
    ['version', 1],
    ['templateId', id(202)],
  ])('keep their definition when a change has a wrong %s: %j', async (property, value) => {
    const draft = { displayName: 'Typed', templateId: id(201), rolePermissions: [] };
    const created = await directory.post(definitions, draft);
    const path = `${definitions}/${created.body.id}`;
    const refused = await directory.patch(path, { [property]: value });
    expect([refused.status, refused.body.error?.message]).toEqual([
      400,
      expect.stringContaining(property),
    ]);
    const same = { templateId: id(201).toUpperCase(), version: null };
    expect((await directory.patch(path, same)).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject(draft);
    await directory.delete(path);
  });
});
