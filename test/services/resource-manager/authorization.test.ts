import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

// Locks, roles and their assignments, as the official providers write and read them.

let manager: Harness;
const groupPrincipal = 'aaaaaaaa-0000-4000-8000-000000000001';
beforeEach(async () => {
  manager = await startManager({
    principalTypeOf: (id) => Promise.resolve(id === groupPrincipal ? 'Group' : undefined),
  });
  await withEnvironment(manager);
  await manager.send('PUT', app1, appBody());
});
afterEach(() => manager.close());

const subscriptionScope = `/subscriptions/${subscription}`;
const authorization = '/providers/Microsoft.Authorization';
const statusAndCode = async (...request: [string, string, unknown?]): Promise<unknown[]> => {
  const { status, body } = await manager.send(...request);
  return [status, body?.error?.code];
};

describe('a lock', () => {
  const lockPath = (scope: string): string => `${scope}${authorization}/locks/keep`;
  const lockedAnswer = [409, 'ScopeLocked'];

  test.each([
    ['the resource', app1],
    ['its group', group],
    ['its subscription', subscriptionScope],
  ])(
    'against deletion of %s protects it, and what contains it, until the lock is deleted',
    async (_, owner) => {
      const properties = { level: 'CanNotDelete', notes: 'ours' };
      const created = await manager.send('PUT', lockPath(owner), { properties });
      expect([created.status, created.body.properties]).toEqual([
        201,
        expect.objectContaining(properties),
      ]);
      for (const path of [app1, app1.replace('containerApps', 'CONTAINERAPPS'), group])
        expect(await statusAndCode('DELETE', path)).toEqual(lockedAnswer);
      expect((await manager.send('PUT', app1, appBody())).status).toBe(200);
      expect((await manager.send('PATCH', group, { tags: { a: 'b' } })).status).toBe(200);
      expect((await manager.send('DELETE', lockPath(owner))).status).toBe(200);
      expect((await manager.send('DELETE', app1)).status).toBe(200);
      expect((await manager.send('DELETE', group)).status).toBe(200);
    },
  );

  /**
   * @claim locks: A locked resource is not deleted: 409 ScopeLocked names scope and lock.
   * @source https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
   * @seen azurerm
   */
  test('reports which scope is locked, and by which lock', async () => {
    await manager.send('PUT', lockPath(group), { properties: { level: 'CanNotDelete' } });
    expect((await manager.send('DELETE', app1)).body.error.message).toBe(
      `The scope '${app1}' cannot perform delete operation because following scope(s) are locked: '${group}'. Please remove the lock and try again.`,
    );
  });

  test('does not affect other scopes', async () => {
    const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id`;
    await manager.send('PUT', `${identity}1`, { location: 'westeurope' }, '2024-11-30');
    await manager.send('PUT', `${identity}12`, { location: 'westeurope' }, '2024-11-30');
    await manager.send('PUT', lockPath(`${identity}1`), { properties: { level: 'CanNotDelete' } });
    expect((await manager.send('DELETE', `${identity}12`, undefined, '2024-11-30')).status).toBe(
      200,
    );
    expect((await manager.send('DELETE', `${identity}1`, undefined, '2024-11-30')).status).toBe(
      409,
    );
  });

  /**
   * @claim locks-read-only: A lock for reading only refuses changes and actions that POST.
   * @source https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
   */
  test('for reading only refuses every change and action, and allows reads', async () => {
    await manager.send('PUT', lockPath(group), { properties: { level: 'ReadOnly' } });
    for (const [method, path, body] of [
      ['PUT', app1, appBody()],
      ['PUT', app1.replace('app1', 'app2'), appBody()],
      ['PATCH', app1, { tags: {} }],
      ['POST', `${app1}/listSecrets`, undefined],
      ['PATCH', group, { tags: {} }],
      ['PUT', group, { location: 'westeurope' }],
      ['DELETE', environment, undefined],
    ] as const)
      expect([method, path, ...(await statusAndCode(method, path, body))]).toEqual([
        method,
        path,
        ...lockedAnswer,
      ]);
    expect((await manager.send('GET', app1)).status).toBe(200);
    expect(
      (await manager.send('PUT', lockPath(group), { properties: { level: 'CanNotDelete' } }))
        .status,
    ).toBe(200);
    expect((await manager.send('PATCH', app1, { tags: {} })).status).toBe(200);
  });

  test('requires a valid level', async () => {
    expect(await statusAndCode('PUT', lockPath(group), { properties: { level: 'Never' } })).toEqual(
      [400, 'InvalidRequestContent'],
    );
    expect(await statusAndCode('PUT', lockPath(group), {})).toEqual([400, 'InvalidRequestContent']);
  });
});

describe('roles', () => {
  const reader = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
  const filteredRoles = (scope: string, filter: string): string =>
    `${scope}${authorization}/roleDefinitions?$filter=${encodeURIComponent(filter)}`;

  test.each([subscriptionScope, group, app1, ''])(
    'that are built in are found by their name at %s',
    async (scope) => {
      const { value } = (await manager.send('GET', filteredRoles(scope, "roleName eq 'acrpull'")))
        .body;
      expect(value).toEqual([
        expect.objectContaining({
          id: `${scope === '' ? '' : subscriptionScope}${authorization}/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d`,
          type: 'Microsoft.Authorization/roleDefinitions',
          properties: expect.objectContaining({
            roleName: 'AcrPull',
            type: 'BuiltInRole',
            assignableScopes: ['/'],
          }),
        }),
      ]);
      expect((await manager.send('GET', value[0].id)).body).toEqual(value[0]);
      expect(
        (await manager.send('GET', filteredRoles(scope, "roleName eq 'Nothing'"))).body.value,
      ).toEqual([]);
    },
  );

  test('that are built in cannot be changed', async () => {
    const path = `${subscriptionScope}${authorization}/roleDefinitions/${reader}`;
    const properties = { roleName: 'Mine', assignableScopes: [subscriptionScope], permissions: [] };
    expect(await statusAndCode('PUT', path, { properties })).toEqual([
      409,
      'RoleDefinitionUpdateNotPermitted',
    ]);
    expect(await statusAndCode('DELETE', path)).toEqual([409, 'RoleDefinitionUpdateNotPermitted']);
  });

  test('that are custom are written at any scope and have an id below their subscription', async () => {
    const id = '11111111-0000-4000-8000-00000000000a';
    const properties = {
      roleName: 'Operators',
      description: 'restart apps',
      type: 'CustomRole',
      permissions: [
        {
          actions: ['Microsoft.App/containerApps/read'],
          notActions: [],
          dataActions: [],
          notDataActions: [],
        },
      ],
      assignableScopes: [group],
    };
    const created = await manager.send('PUT', `${group}${authorization}/roleDefinitions/${id}`, {
      properties,
    });
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        id: `${subscriptionScope}${authorization}/roleDefinitions/${id}`,
        properties: expect.objectContaining({
          ...properties,
          createdOn: expect.any(String),
          updatedOn: expect.any(String),
        }),
      }),
    ]);
    for (const scope of [group, app1, subscriptionScope])
      expect(
        (await manager.send('GET', `${scope}${authorization}/roleDefinitions/${id}`)).body,
      ).toEqual(created.body);
    const nameFilter = "roleName eq 'Operators'";
    expect((await manager.send('GET', filteredRoles(app1, nameFilter))).body.value).toHaveLength(1);
    expect(
      (await manager.send('GET', filteredRoles(subscriptionScope, nameFilter))).body.value,
    ).toHaveLength(0);
    expect(
      (await manager.send('GET', filteredRoles(subscriptionScope, `type eq 'CustomRole'`))).body
        .value,
    ).toHaveLength(0);
    const otherRole = `${subscriptionScope}${authorization}/roleDefinitions/11111111-0000-4000-8000-00000000000b`;
    expect(await statusAndCode('PUT', otherRole, { properties })).toEqual([
      409,
      'RoleDefinitionWithSameNameExists',
    ]);
    const assignment = `${group}${authorization}/roleAssignments/22222222-0000-4000-8000-000000000001`;
    await manager.send('PUT', assignment, {
      properties: { roleDefinitionId: created.body.id, principalId: groupPrincipal },
    });
    expect(await statusAndCode('DELETE', created.body.id)).toEqual([
      400,
      'RoleDefinitionHasAssignments',
    ]);
    await manager.send('DELETE', assignment);
    expect((await manager.send('DELETE', created.body.id)).status).toBe(200);
    expect((await manager.send('DELETE', created.body.id)).status).toBe(204);
    expect((await manager.send('GET', created.body.id)).status).toBe(404);
  });
});

describe('an assignment of a role', () => {
  const role = `${subscriptionScope}${authorization}/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d`;
  const name = '33333333-0000-4000-8000-000000000001';
  const path = `${group}${authorization}/roleAssignments/${name}`;
  const properties = { roleDefinitionId: role, principalId: groupPrincipal, description: '' };

  test('returns its scope and the type of its principal', async () => {
    const created = await manager.send('PUT', path, { properties }, '2022-04-01');
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        id: path,
        name,
        type: 'Microsoft.Authorization/roleAssignments',
        properties: expect.objectContaining({
          ...properties,
          scope: group,
          principalType: 'Group',
        }),
      }),
    ]);
    expect((await manager.send('GET', path)).body).toEqual(created.body);
    const changed = await manager.send('PUT', path, {
      properties: { ...properties, description: 'pulls' },
    });
    expect([changed.status, changed.body.properties.description]).toEqual([200, 'pulls']);
  });

  /**
   * @claim role-assignment-filter: Role assignments are listed by principalId, and at or below a
   *   scope.
   * @source https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-scope
   * @seen azurerm
   */
  test('is found by its principal, at its scope or below it', async () => {
    const assignmentBelow = `${app1}${authorization}/roleAssignments/33333333-0000-4000-8000-000000000002`;
    const servicePrincipal = 'bbbbbbbb-0000-4000-8000-000000000001';
    await manager.send('PUT', path, { properties });
    const { body } = await manager.send('PUT', assignmentBelow, {
      properties: { ...properties, principalId: servicePrincipal },
    });
    expect(body.properties).toMatchObject({ scope: app1, principalType: 'ServicePrincipal' });
    /** The last characters of the assignments' names. */
    const foundSuffixes = async (scope: string, filter?: string): Promise<unknown> =>
      (
        await manager.send(
          'GET',
          `${scope}${authorization}/roleAssignments${filter === undefined ? '' : `?$filter=${encodeURIComponent(filter)}`}`,
        )
      ).body.value.map(({ name: each }: { name: string }) => each.at(-1));
    expect(await foundSuffixes(group)).toEqual(['2', '1']);
    expect(await foundSuffixes(group, 'atScope()')).toEqual(['1']);
    expect(await foundSuffixes(app1, 'atScope()')).toEqual(['2', '1']);
    const assignedToGroup = `assignedTo('${groupPrincipal}')`;
    expect(await foundSuffixes(app1, `atScope() and ${assignedToGroup}`)).toEqual(['1']);
    expect(
      await foundSuffixes(group, `atScope() AND principalId eq '${servicePrincipal}'`),
    ).toEqual([]);
    expect(await foundSuffixes(subscriptionScope, `principalId eq '${servicePrincipal}'`)).toEqual([
      '2',
    ]);
    expect(await foundSuffixes(subscriptionScope, `assignedTo('${groupPrincipal}')`)).toEqual([
      '1',
    ]);
    expect(
      await statusAndCode(
        'GET',
        `${subscriptionScope}${authorization}/roleAssignments?$filter=colour`,
      ),
    ).toEqual([400, 'InvalidFilterInQueryString']);
  });

  test.each<[string, string, object, number, string]>([
    [
      'under a name that is no GUID',
      `${group}${authorization}/roleAssignments/mine`,
      properties,
      400,
      'InvalidRoleAssignmentId',
    ],
    [
      'of a role that is not there',
      path,
      { ...properties, roleDefinitionId: role.replace('7', '8') },
      400,
      'RoleDefinitionDoesNotExist',
    ],
    ['to no principal', path, { roleDefinitionId: role }, 400, 'InvalidRequestContent'],
    [
      'that is there under another name',
      path.replace(/1$/, '9'),
      properties,
      409,
      'RoleAssignmentExists',
    ],
    [
      'with another principal',
      path.replace(/1$/, '8'),
      { ...properties, principalId: name },
      400,
      'RoleAssignmentUpdateNotPermitted',
    ],
  ])('%s is refused', async (_, scope, requestProperties, status, code) => {
    if (status === 409) await manager.send('PUT', path, { properties });
    if (code === 'RoleAssignmentUpdateNotPermitted')
      await manager.send('PUT', scope, { properties });
    expect(await statusAndCode('PUT', scope, { properties: requestProperties })).toEqual([
      status,
      code,
    ]);
  });

  test('is deleted with its group', async () => {
    await manager.send('PUT', path, { properties });
    await manager.send('DELETE', group);
    expect(await statusAndCode('GET', path)).toEqual([404, 'ResourceGroupNotFound']);
  });
});
