import type { Caller } from '../../../../services/common/caller.js';
import {
  TestDirectory,
  application,
  id,
  person,
  securityGroup,
  unifiedGroup,
  user,
} from '../support/directory.js';

const writePermissions = ['Group.ReadWrite.All'];
const reference = (target: string): unknown => ({
  '@odata.id': `http://directory.test/v1.0/directoryObjects/${target}`,
});

describe.each(['neutral', 'azure'] as const)(
  'who may do what with groups in the %s dialect',
  (dialect) => {
    let directory: TestDirectory;
    let app: Caller;
    const admin = person(id(1), writePermissions, ['groupsAdministrator']);
    const reader = person(id(2), ['Group.Read.All']);
    const guest = person(id(3), ['Group.Read.All', 'GroupMember.Read.All'], [], { isGuest: true });
    beforeAll(async () => {
      directory = await TestDirectory.start({
        dialect,
        seed: {
          users: [1, 2, 3, 4].map((each) =>
            user(id(each), each === 3 ? { userType: 'Guest' } : {}),
          ),
          servicePrincipals: [{ id: id(50), displayName: 'robot', appId: id(150) }],
        },
      });
      app = application(id(50), [...writePermissions, 'User.Read.All']);
    });
    afterAll(() => directory.stop());
    const statuses = async (...answers: Promise<{ status: number }>[]): Promise<number[]> =>
      (await Promise.all(answers)).map(({ status }) => status);

    it('answers 401 before anything else', async () => {
      const answer = await directory.app.inject({ method: 'GET', url: '/v1.0/nowhere' });
      expect(answer.statusCode).toBe(401);
      expect(answer.json().error.code).toBe('InvalidAuthenticationToken');
      expect(answer.headers['request-id']).toBeDefined();
    });

    /**
     * @claim request-ids: Every answer has a request-id and echoes client-request-id.
     * @source https://learn.microsoft.com/graph/best-practices-concept
     */
    it('echoes client-request-id and gives every answer a request-id', async () => {
      const answer = await directory.get('/groups/unknown', {
        headers: { 'client-request-id': 'mine' },
      });
      expect(answer.headers['client-request-id']).toBe('mine');
      expect(answer.body.error.innerError).toEqual({
        date: '2026-01-15T10:00:00',
        'request-id': answer.headers['request-id'],
        'client-request-id': 'mine',
      });
    });

    it('refuses personal accounts everywhere', async () => {
      const personal = person(id(1), writePermissions, ['groupsAdministrator'], {
        isPersonal: true,
      });
      expect(
        await statuses(
          directory.get('/groups', { as: personal }),
          directory.post('/groups', securityGroup(), { as: personal }),
        ),
      ).toEqual([403, 403]);
    });

    /**
     * @claim group-permissions: Applications need the permission of an operation, people the
     *   permission and a role.
     * @source https://learn.microsoft.com/graph/permissions-reference
     */
    it('requires a permission to read, and permission and role to write', async () => {
      const nobody = person(id(2), ['User.Read']);
      expect(
        await statuses(
          directory.get('/groups', { as: nobody }),
          directory.get('/groups', { as: reader }),
        ),
      ).toEqual([403, 200]);
      const create = (as: Caller): Promise<{ status: number }> =>
        directory.post('/groups', securityGroup(), { as });
      expect(
        await statuses(
          create(reader),
          create(person(id(2), writePermissions)),
          create(person(id(2), [], ['groupsAdministrator'])),
          create(admin),
          create(app),
          create(application(id(50), ['Group.Create'])),
          create(application(id(50), ['Group.Read.All'])),
        ),
      ).toEqual([403, 403, 403, 201, 201, 201, 403]);
      for (const role of [
        'groupsAdministrator',
        'directoryWriters',
        'userAdministrator',
        'globalAdministrator',
        'exchangeAdministrator',
      ] as const)
        expect((await create(person(id(2), writePermissions, [role]))).status).toBe(201);
      expect((await create(person(id(2), writePermissions, ['globalReader']))).status).toBe(403);
    });

    /**
     * @claim role-assignable-permission: Role-assignable groups change by
     *   RoleManagement.ReadWrite.Directory only.
     * @source https://learn.microsoft.com/graph/api/group-update
     */
    it('lets only privileged callers change role-assignable groups, without another role', async () => {
      const roleManagingPermissions = [...writePermissions, 'RoleManagement.ReadWrite.Directory'];
      const create = async (as: Caller): Promise<number> =>
        (await directory.post('/groups', securityGroup({ isAssignableToRole: true }), { as }))
          .status;
      const privileged = person(id(1), roleManagingPermissions, ['privilegedRoleAdministrator']);
      expect(
        await Promise.all([
          create(privileged),
          create(person(id(1), roleManagingPermissions, ['groupsAdministrator'])),
          create(person(id(1), writePermissions, ['privilegedRoleAdministrator'])),
          create(application(id(50), roleManagingPermissions)),
          create(app),
        ]),
      ).toEqual([201, 403, 403, 201, 403]);
      const path = `/groups/${(await directory.group({ isAssignableToRole: true }))['id']}`;
      expect(
        await statuses(
          directory.patch(path, { description: 'x' }, { as: admin }),
          directory.patch(path, { description: 'x' }, { as: privileged }),
          directory.delete(path, { as: admin }),
          directory.delete(path, { as: app }),
        ),
      ).toEqual([403, 204, 403, 403]);
      expect((await directory.delete(path, { as: privileged })).status).toBe(204);
    });

    it('lets Group.Create only create', async () => {
      const group = await directory.group();
      const creator = application(id(50), ['Group.Create']);
      expect(
        await statuses(
          directory.patch(`/groups/${group['id']}`, { description: 'x' }, { as: creator }),
          directory.delete(`/groups/${group['id']}`, { as: creator }),
        ),
      ).toEqual([403, 403]);
    });

    it('lets guests read one group, but not list several', async () => {
      const group = await directory.group();
      expect(
        await statuses(
          directory.get('/groups', { as: guest }),
          directory.get('/groups/$count', { as: guest, headers: { consistencylevel: 'eventual' } }),
          directory.get('/groups/delta', { as: guest }),
          directory.get(`/groups/${group['id']}`, { as: guest }),
          directory.get(`/groups/${group['id']}/members`, { as: guest }),
        ),
      ).toEqual([403, 403, 403, 200, 200]);
    });

    /**
     * @claim hidden-membership: Members of a group with hidden membership are seen by its
     *   members and privileged callers.
     * @source https://learn.microsoft.com/graph/api/resources/group
     */
    it('hides the members of a HiddenMembership group from non-members, and the group from guests', async () => {
      const { body: group } = await directory.post(
        '/groups',
        unifiedGroup({
          visibility: 'HiddenMembership',
          'members@odata.bind': [`http://x/v1.0/users/${id(2)}`],
          'owners@odata.bind': [`http://x/v1.0/users/${id(4)}`],
        }),
      );
      const members = (as: Caller): Promise<{ status: number }> =>
        directory.get(`/groups/${group.id}/members`, { as });
      const readPermissions = ['Group.Read.All'];
      expect(
        await statuses(
          members(person(id(2), readPermissions)), // a member
          members(person(id(4), readPermissions)), // an owner
          members(person(id(1), readPermissions)), // neither
          members(person(id(1), readPermissions, ['groupsAdministrator'])),
          members(application(id(50), readPermissions)),
          members(application(id(50), [...readPermissions, 'Member.Read.Hidden'])),
          directory.get(`/groups/${group.id}/transitiveMembers`, {
            as: person(id(1), readPermissions),
          }),
          directory.get(`/groups/${group.id}/owners`, { as: person(id(1), readPermissions) }),
          directory.get(`/groups/${group.id}`, { as: person(id(1), readPermissions) }),
          directory.get(`/groups/${group.id}`, { as: guest }),
        ),
      ).toEqual([200, 200, 403, 200, 403, 200, 403, 200, 200, 403]);
      const showsMembership = async (as: Caller): Promise<boolean> =>
        (await directory.get(`/users/${id(2)}/memberOf`, { as })).body.value.some(
          (each: { id: string }) => each.id === group.id,
        );
      expect([
        await showsMembership(person(id(2), readPermissions)),
        await showsMembership(person(id(1), readPermissions)),
        await showsMembership(person(id(1), readPermissions, ['groupsAdministrator'])),
      ]).toEqual([true, false, true]);
    });

    it('lets an owner without a role manage the members of the owned group, and nothing else', async () => {
      const group = await directory.group({
        'owners@odata.bind': [`http://x/v1.0/users/${id(4)}`],
      });
      const other = await directory.group();
      const owner = { as: person(id(4), writePermissions) };
      expect(
        await statuses(
          directory.post(`/groups/${group['id']}/members/$ref`, reference(id(1)), owner),
          directory.patch(
            `/groups/${group['id']}`,
            { 'members@odata.bind': [`http://x/v1.0/users/${id(2)}`] },
            owner,
          ),
          directory.post(`/groups/${other['id']}/members/$ref`, reference(id(1)), owner),
          directory.patch(`/groups/${group['id']}`, { description: 'x' }, owner),
          directory.post(`/groups/${group['id']}/owners/$ref`, reference(id(1)), owner),
          directory.delete(`/groups/${group['id']}`, owner),
        ),
      ).toEqual([204, 204, 403, 403, 403, 403]);
      expect(
        (await directory.delete(`/groups/${group['id']}/members/${id(1)}/$ref`, owner)).status,
      ).toBe(204);
    });

    it('refuses a non-administrator who binds himself as owner, and makes him owner automatically', async () => {
      const writer = person(id(2), [...writePermissions, 'User.Read.All'], ['directoryWriters']);
      const self = { 'owners@odata.bind': [`http://x/v1.0/users/${id(2)}`] };
      for (const body of [securityGroup(self), unifiedGroup(self)]) {
        const answer = await directory.post('/groups', body, { as: writer });
        expect([answer.status, answer.body.error.message]).toEqual([
          400,
          'Request contains a property with duplicate values.',
        ]);
      }
      expect(
        (
          await directory.post('/groups', securityGroup(self), {
            as: person(id(2), writePermissions),
          })
        ).status,
      ).toBe(400);
      const owners = async (body: unknown, as: Caller): Promise<string[]> => {
        const created = await directory.post('/groups', body, { as });
        expect(created.status).toBe(201);
        return (await directory.get(`/groups/${created.body.id}/owners`)).body.value.map(
          (each: { id: string }) => each.id,
        );
      };
      expect(await owners(unifiedGroup(), writer)).toEqual([id(2)]);
      expect(await owners(unifiedGroup(), admin)).toEqual([id(1)]);
      expect(await owners(securityGroup(), admin)).toEqual([]);
      expect(await owners(unifiedGroup(), app)).toEqual([]);
      expect(
        await owners(
          securityGroup({ 'owners@odata.bind': [`http://x/v1.0/users/${id(1)}`] }),
          admin,
        ),
      ).toEqual([id(1)]);
    });

    it('records on whose behalf a group was created, unless an administrator did', async () => {
      const creator = async (as: Caller): Promise<unknown> => {
        const { body } = await directory.post('/groups', unifiedGroup(), { as });
        return (await directory.get(`/groups/${body.id}/createdOnBehalfOf`)).body.id;
      };
      expect(await creator(admin)).toBeUndefined();
      expect(await creator(person(id(2), writePermissions, ['directoryWriters']))).toBe(id(2));
    });

    it('lets an application bind objects that it may read, and always itself', async () => {
      const blind = application(id(50), writePermissions);
      const bind = (target: string): unknown =>
        securityGroup({ 'owners@odata.bind': [`http://x/v1.0/directoryObjects/${target}`] });
      expect(
        await statuses(
          directory.post('/groups', bind(id(1)), { as: blind }),
          directory.post('/groups', bind(id(50)), { as: blind }),
          directory.post('/groups', bind(id(1)), { as: app }),
        ),
      ).toEqual([403, 201, 201]);
    });

    it('returns only type and id of members that the caller may not read', async () => {
      const group = await directory.group({
        'members@odata.bind': [`http://x/v1.0/users/${id(1)}`],
      });
      const readMember = async (as: Caller): Promise<Record<string, unknown>> =>
        (await directory.get(`/groups/${group['id']}/members`, { as })).body.value[0];
      const masked = await readMember(application(id(50), ['GroupMember.Read.All']));
      expect(masked).toMatchObject({ id: id(1), displayName: null, userPrincipalName: null });
      expect(masked['@odata.type']).toMatch(/\.user$/);
      expect(
        await readMember(application(id(50), ['GroupMember.Read.All', 'User.Read.All'])),
      ).toMatchObject({
        displayName: `User ${id(1).slice(0, 4)}`,
      });
    });

    /**
     * @claim method-not-allowed: A known path with another method is 405.
     * @source https://learn.microsoft.com/graph/errors
     */
    it('answers 405 for a known path with another method and 404 for an unknown path, as JSON', async () => {
      const known = await directory.ask('PUT', '/groups');
      expect([known.status, known.headers['allow']]).toEqual([405, 'GET, POST']);
      const unknown = await directory.get('/grupps');
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'Request_ResourceNotFound']);
    });
  },
);
