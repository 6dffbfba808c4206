import type { Caller } from '../../../../services/common/caller.js';
import { TestDirectory, application, id, person, user } from '../support/directory.js';

const password = { password: 'Secret123!', forceChangePasswordNextSignIn: false };

/**
 * The body that the Terraform provider sends: every property, unset ones null, annotations beside
 * them.
 */
function draft(properties: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@odata.type': '#microsoft.graph.user',
    accountEnabled: true,
    ageGroup: null,
    city: null,
    department: 'Sales',
    displayName: 'Grace Hopper',
    employeeOrgData: {
      '@odata.type': '#microsoft.graph.employeeOrgData',
      costCenter: null,
      division: 'North',
    },
    mailNickname: 'grace',
    otherMails: [],
    passwordPolicies: null,
    passwordProfile: { '@odata.type': '#microsoft.graph.passwordProfile', ...password },
    usageLocation: null,
    userPrincipalName: 'Grace@castellan.example',
    ...properties,
  };
}

describe.each(['neutral', 'azure'] as const)('users in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: { users: [user(id(1), { userPrincipalName: 'ada@contoso.com' }), user(id(2))] },
    });
  });
  afterAll(() => directory.stop());

  /**
   * @claim azuread-user: The provider creates, reads, changes and deletes a user.
   * @source terraform-provider-azuread, conversation of azuread_user
   * @seen azuread
   */
  it("are created, read, changed and deleted in the Terraform provider's sequence of requests", async () => {
    const created = await directory.post('/v1.0/users', draft());
    expect(created.status).toBe(201);
    const { '@odata.context': context, id: userId, ...createdUser } = created.body;
    expect(context).toBe('http://directory.test/v1.0/$metadata#users/$entity');
    expect(createdUser).toEqual({
      businessPhones: [],
      displayName: 'Grace Hopper',
      givenName: null,
      jobTitle: null,
      mail: null,
      mobilePhone: null,
      officeLocation: null,
      preferredLanguage: null,
      surname: null,
      userPrincipalName: 'Grace@castellan.example',
    });
    expect(
      (
        await directory.patch(`/beta/users/${userId}`, {
          '@odata.type': '#microsoft.graph.user',
          showInAddressList: false,
        })
      ).status,
    ).toBe(204);
    const select =
      'accountEnabled,ageGroup,city,department,employeeOrgData,mailNickname,otherMails,passwordPolicies';
    expect((await directory.get(`/users/${userId}?$select=${select}`)).body).toEqual({
      '@odata.context': `http://directory.test/v1.0/$metadata#users(${select})/$entity`,
      accountEnabled: true,
      ageGroup: null,
      city: null,
      department: 'Sales',
      employeeOrgData: expect.objectContaining({ costCenter: null, division: 'North' }),
      mailNickname: 'grace',
      otherMails: [],
      passwordPolicies: null,
    });
    expect(
      (await directory.get(`/beta/users/${userId}?$select=showInAddressList`)).body
        .showInAddressList,
    ).toBe(false);
    expect((await directory.get(`/users/${userId}/manager`)).status).toBe(404);
    const { passwordProfile: _unchanged, ...changes } = draft({
      department: null,
      displayName: 'Grace B. Hopper',
    });
    expect((await directory.patch(`/users/${userId}`, changes)).status).toBe(204);
    expect(
      (await directory.get(`/users/${userId}?$select=department,displayName`)).body,
    ).toMatchObject({
      department: null,
      displayName: 'Grace B. Hopper',
    });
    expect((await directory.delete(`/users/${userId}`)).status).toBe(204);
    expect((await directory.get(`/users/${userId}`)).status).toBe(404);
    expect((await directory.delete(`/users/${userId}`)).status).toBe(404);
  });

  /**
   * @claim user-by-upn: A user is found by the principal name in the path, letter case ignored.
   * @source https://learn.microsoft.com/graph/api/user-get
   * @seen azuread
   */
  it('are found by user principal name in the path, in any letter case, and return the spelling that was sent', async () => {
    const answer = await directory.get('/users/ADA@contoso.com');
    expect(answer.body.userPrincipalName).toBe('ada@contoso.com');
    expect((await directory.get("/users(userPrincipalName='ada@contoso.com')")).body.id).toBe(
      id(1),
    );
  });

  it.each([
    ['ageGroup', 'Adult'],
    ['consentProvidedForMinor', 'NotRequired'],
  ])('have one of the words of %s', async (property, allowed) => {
    const patch = async (value: unknown) =>
      (await directory.patch(`/users/${id(1)}`, { [property]: value })).status;
    expect(await patch('Sometimes')).toBe(400);
    expect(await patch(allowed)).toBe(204);
    const user = await directory.get(`/users/${id(1)}?$select=${property}`);
    expect(user.body[property]).toBe(allowed);
    expect(await patch(null)).toBe(204);
  });

  it('have a userType in any letter case, stored as the description spells it', async () => {
    const { body } = await directory.post(
      '/users',
      draft({ userPrincipalName: 'lin@castellan.example', userType: 'guest' }),
    );
    const userType = async (): Promise<string> =>
      (await directory.get(`/users/${body.id}?$select=userType`)).body.userType;
    expect(await userType()).toBe('Guest');
    await directory.patch(`/users/${body.id}`, { userType: 'MEMBER' });
    expect(await userType()).toBe('Member');
  });

  it.each([
    "userPrincipalName eq 'O''NEIL@castellan.example'",
    "mailNickname eq 'o''neil'",
    "employeeId eq 'E7'",
  ])('are found by the filter %s', async (filter) => {
    const { body } = await directory.get(`/users?$filter=${encodeURIComponent(filter)}`);
    if (body.value.length === 0) {
      await directory.post(
        '/users',
        draft({
          userPrincipalName: "o'neil@castellan.example",
          mailNickname: "o'neil",
          employeeId: 'E7',
        }),
      );
    }
    const again = await directory.get(`/users?$filter=${encodeURIComponent(filter)}`);
    expect(again.body.value).toHaveLength(1);
  });

  it.each([
    [
      { userPrincipalName: 'x@elsewhere.org' },
      'The domain portion of the userPrincipalName property is invalid',
    ],
    [
      { userPrincipalName: 'Ada@CONTOSO.com' },
      'Another object with the same value for property userPrincipalName already exists.',
    ],
    [{ userPrincipalName: 'nobody' }, 'userPrincipalName'],
    [{ userType: 'Alien' }, "'userType'"],
    [{ passwordProfile: { password: 'weak' } }, 'password complexity requirements'],
    [{ passwordProfile: null }, "'passwordProfile'"],
    [{ displayName: undefined }, "'displayName'"],
    [{ passwordPolicies: 'DisableEverything' }, 'passwordPolicies'],
    [{ usageLocation: 'Germany' }, 'usageLocation'],
    [{ accountEnabled: 'yes' }, 'accountEnabled'],
    [{ createdDateTime: '2026-01-01T00:00:00Z' }, "'createdDateTime' is read-only"],
    [{ id: id(9) }, "'id' is read-only"],
  ])('are refused with %j', async (properties, message) => {
    const answer = await directory.post(
      '/users',
      draft({ userPrincipalName: 'new@castellan.example', ...properties }),
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('Request_BadRequest');
    expect(answer.body.error.message).toContain(message);
    expect(answer.body.error.message).not.toContain(
      'One or more property values specified are invalid',
    );
  });

  it('take a simple password where the stored policy allows it, and none where a change ends that', async () => {
    const { body } = await directory.post(
      '/users',
      draft({
        userPrincipalName: 'plain@castellan.example',
        passwordPolicies: 'DisableStrongPassword',
        passwordProfile: { password: 'simplepassword' },
      }),
    );
    const path = `/users/${body.id}`;
    const simple = { passwordProfile: { password: 'othersimpleone' } };
    expect((await directory.patch(path, simple)).status).toBe(204);
    expect((await directory.patch(path, { ...simple, passwordPolicies: null })).status).toBe(400);
    await directory.patch(path, { passwordPolicies: null });
    expect((await directory.patch(path, simple)).status).toBe(400);
  });

  it('keeps the flags of the password profile that a change leaves out', async () => {
    const created = await directory.post('/users', {
      displayName: 'Profile',
      userPrincipalName: 'profile@castellan.example',
      passwordProfile: { ...password, forceChangePasswordNextSignInWithMfa: true },
    });
    const path = `/users/${created.body.id}`;
    const changeTo = async (passwordProfile: object): Promise<unknown> => {
      expect((await directory.patch(path, { passwordProfile })).status).toBe(204);
      return (await directory.get(`${path}?$select=passwordProfile`)).body.passwordProfile;
    };
    const flags = (next: boolean, withMfa: boolean): object => ({
      password: null,
      forceChangePasswordNextSignIn: next,
      forceChangePasswordNextSignInWithMfa: withMfa,
    });
    expect(await changeTo({ forceChangePasswordNextSignInWithMfa: false })).toEqual(
      flags(false, false),
    );
    expect(await changeTo({ forceChangePasswordNextSignInWithMfa: true })).toEqual(
      flags(false, true),
    );
    expect(await changeTo({ forceChangePasswordNextSignIn: true })).toEqual(flags(true, true));
    expect(await changeTo({ forceChangePasswordNextSignIn: false })).toEqual(flags(false, true));
    // Who sets a new password wants it changed, unless the request says otherwise.
    expect(await changeTo({ password: 'Other123!' })).toEqual(flags(true, true));
  });

  it.each(['forceChangePasswordNextSignIn', 'forceChangePasswordNextSignInWithMfa'])(
    'have a %s that is true or false',
    async (name) => {
      const patch = async (value: unknown) =>
        directory.patch(`/users/${id(2)}`, { passwordProfile: { [name]: value } });
      for (const value of ['yes', 1, {}]) {
        const { status, body } = await patch(value);
        expect([status, body.error?.details[0].target]).toEqual([400, 'passwordProfile']);
      }
      expect((await patch(true)).status).toBe(204);
      const { body } = await directory.get(`/users/${id(2)}?$select=passwordProfile`);
      expect(body.passwordProfile[name]).toBe(true);
    },
  );

  it('keep the time of the last change of the password unless a change has one', async () => {
    const { body } = await directory.post(
      '/users',
      draft({ userPrincipalName: 'flags@castellan.example' }),
    );
    const path = `/users/${body.id}`;
    const changedAt = async (): Promise<unknown> =>
      (await directory.get(`${path}?$select=lastPasswordChangeDateTime`)).body
        .lastPasswordChangeDateTime;
    await directory.patch(path, { passwordProfile: password });
    const before = await changedAt();
    directory.passTime({ days: 1 });
    const flags = { passwordProfile: { forceChangePasswordNextSignIn: true } };
    expect((await directory.patch(path, flags)).status).toBe(204);
    expect(await changedAt()).toBe(before);
    await directory.patch(path, { passwordProfile: password });
    expect(await changedAt()).not.toBe(before);
  });

  /**
   * @claim user-no-password: A password is never returned.
   * @source https://learn.microsoft.com/graph/api/user-get
   * @seen azuread
   */
  it('accept both password policies in either order and never return a password', async () => {
    const { body } = await directory.post(
      '/users',
      draft({
        userPrincipalName: 'both@castellan.example',
        passwordPolicies: 'DisablePasswordExpiration, DisableStrongPassword',
        passwordProfile: { password: 'simplepassword' },
      }),
    );
    const read = await directory.get(`/users/${body.id}?$select=passwordProfile,passwordPolicies`);
    expect(read.body.passwordPolicies).toBe('DisablePasswordExpiration, DisableStrongPassword');
    expect(read.text).not.toContain('simplepassword');
    expect(read.body.passwordProfile.password).toBeNull();
  });

  /**
   * @claim user-manager: A user has one manager; removing one whose account is deleted is 204.
   * @source https://learn.microsoft.com/graph/api/user-delete-manager
   * @seen azuread
   */
  it('have one manager, who is replaced by another and removed with his account', async () => {
    const reference = (managerId: string): Record<string, unknown> => ({
      '@odata.id': `https://graph.example/v1.0/directoryObjects/${managerId}`,
    });
    const boss = (
      await directory.post('/users', draft({ userPrincipalName: 'boss@castellan.example' }))
    ).body.id;
    expect(
      (await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(id(1)))).status,
    ).toBe(204);
    expect(
      (await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(boss))).status,
    ).toBe(204);
    expect((await directory.get(`/users/${id(2)}/manager`)).body.id).toBe(boss);
    expect((await directory.get(`/users/${boss}/directReports`)).body.value).toHaveLength(1);
    await directory.delete(`/users/${boss}`);
    expect((await directory.get(`/users/${id(2)}/manager`)).status).toBe(404);
    expect((await directory.delete(`/users/${id(2)}/manager/$ref`)).status).toBe(204);
    expect((await directory.delete(`/users/${id(2)}/manager/$ref`)).status).toBe(404);
    expect((await directory.post(`/directory/deletedItems/${boss}/restore`)).status).toBe(200);
    expect((await directory.get(`/users/${id(2)}/manager`)).status).toBe(404);
    expect(
      (await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(id(99)))).status,
    ).toBe(404);
  });

  it('keep the manager who was set last, also when the earlier one is restored', async () => {
    const boss = (
      await directory.post('/users', draft({ userPrincipalName: 'former@castellan.example' }))
    ).body.id;
    const reference = (managerId: string): Record<string, unknown> => ({
      '@odata.id': `http://x/v1.0/directoryObjects/${managerId}`,
    });
    expect(
      (await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(boss))).status,
    ).toBe(204);
    await directory.delete(`/users/${boss}`);
    expect(
      (await directory.ask('PUT', `/users/${id(2)}/manager/$ref`, reference(id(1)))).status,
    ).toBe(204);
    expect((await directory.post(`/directory/deletedItems/${boss}/restore`)).status).toBe(200);
    expect((await directory.get(`/users/${id(2)}/manager`)).body.id).toBe(id(1));
    expect((await directory.get(`/users/${boss}/directReports`)).body.value).toEqual([]);
    expect((await directory.delete(`/users/${id(2)}/manager/$ref`)).status).toBe(204);
  });

  it('can have an organizational contact as manager', async () => {
    const contact = { id: id(7), displayName: 'Contact' };
    const withContact = await TestDirectory.start({
      dialect,
      seed: { users: [user(id(1))], contacts: [contact] },
    });
    for (const collection of ['directoryObjects', 'contacts'])
      expect(
        (
          await withContact.ask('PUT', `/users/${id(1)}/manager/$ref`, {
            '@odata.id': `https://graph.example/v1.0/${collection}/${contact.id}`,
          })
        ).status,
      ).toBe(204);
    expect((await withContact.get(`/users/${id(1)}/manager`)).body.id).toBe(contact.id);
    await withContact.stop();
  });

  it('return the manager as one object when it is expanded, and null if there is none', async () => {
    const employee = await directory.post(
      '/users',
      draft({ userPrincipalName: 'expanded@castellan.example', mailNickname: 'expanded' }),
    );
    await directory.ask('PUT', `/users/${employee.body.id}/manager/$ref`, {
      '@odata.id': `http://x/v1.0/directoryObjects/${id(1)}`,
    });
    const path = `/users/${employee.body.id}?$select=id&$expand=manager($select=id,displayName)`;
    expect((await directory.get(path)).body).toMatchObject({
      id: employee.body.id,
      manager: { id: id(1), displayName: expect.any(String) },
    });
    const { value } = (await directory.get(`/users?$select=id&$expand=manager($select=id)`)).body;
    expect(value.find((each: { id: string }) => each.id === id(1)).manager).toBeNull();
    expect(
      (await directory.get(`/users/${id(1)}?$expand=directReports($select=id)`)).body.directReports,
    ).toMatchObject([{ id: employee.body.id }]);
    await directory.delete(`/users/${employee.body.id}`);
  });

  it('have their managers up to the root within each other, by $levels', async () => {
    const ids: string[] = [];
    for (const name of ['top', 'middle', 'low']) {
      const { body } = await directory.post(
        '/users',
        draft({ userPrincipalName: `${name}@castellan.example`, displayName: name }),
      );
      ids.unshift(body.id);
    }
    const [low = '', middle = '', top = ''] = ids;
    const setManager = (of: string, manager: string) =>
      directory.ask('PUT', `/users/${of}/manager/$ref`, {
        '@odata.id': `http://x/v1.0/directoryObjects/${manager}`,
      });
    await setManager(low, middle);
    await setManager(middle, top);
    const managersOf = async (levels: string, consistencylevel = 'eventual', path = `/${low}`) => {
      const query = `$select=id&$expand=manager($levels=${levels};$select=displayName)`;
      const { status, body } = await directory.get(`/users${path}?${query}&$count=true`, {
        headers: { consistencylevel },
      });
      const names: string[] = [];
      for (let next = body.manager; next != null; next = next.manager) names.push(next.displayName);
      return status === 200 ? names : status;
    };
    expect(await managersOf('max')).toEqual(['middle', 'top']);
    expect(await managersOf('1')).toEqual(['middle']);
    await setManager(top, low); // a circle
    expect(await managersOf('max')).toEqual(['middle', 'top', 'low']);
    expect(await managersOf('1000')).toEqual(['middle', 'top', 'low']);
    for (const levels of ['0', '1001', 'all']) expect(await managersOf(levels)).toBe(400);
    expect(await managersOf('max', '')).toBe(400);
    expect(await managersOf('max', 'eventual', '')).toBe(400);
    for (const each of ids) await directory.delete(`/users/${each}`);
  });

  it('are restored, unless their name was taken', async () => {
    const firstId = (
      await directory.post('/users', draft({ userPrincipalName: 'again@castellan.example' }))
    ).body.id;
    await directory.delete(`/users/${firstId}`);
    const secondId = (
      await directory.post('/users', draft({ userPrincipalName: 'again@castellan.example' }))
    ).body.id;
    expect((await directory.post(`/directory/deletedItems/${firstId}/restore`)).status).toBe(400);
    await directory.delete(`/users/${secondId}`);
    expect((await directory.post(`/directory/deletedItems/${firstId}/restore`)).status).toBe(200);
    expect((await directory.get(`/users/${firstId}`)).status).toBe(200);
  });

  it('are restored under the new name of the request', async () => {
    const create = async (name: string): Promise<string> =>
      (await directory.post('/users', draft({ userPrincipalName: name }))).body.id;
    const userId = await create('moved@castellan.example');
    await directory.delete(`/users/${userId}`);
    await create('moved@castellan.example');
    const restoreAs = (newUserPrincipalName: unknown): ReturnType<TestDirectory['post']> =>
      directory.post(`/directory/deletedItems/${userId}/restore`, { newUserPrincipalName });
    for (const refused of ['moved@castellan.example', 'no name', 'a@elsewhere.example', 5])
      expect([refused, (await restoreAs(refused)).status]).toEqual([refused, 400]);
    expect((await restoreAs('moved.2@castellan.example')).status).toBe(200);
    expect((await directory.get('/users/moved.2@castellan.example')).body.id).toBe(userId);
  });

  it('are deleted, restored and purged by callers with User.DeleteRestore.All', async () => {
    const userId = (
      await directory.post('/users', draft({ userPrincipalName: 'brief@castellan.example' }))
    ).body.id;
    const as = application(id(50), ['User.DeleteRestore.All']);
    const ask = async (method: string, path: string, body?: object): Promise<number> =>
      (await directory.ask(method, path, body, { as })).status;
    expect(await ask('DELETE', `/users/${userId}`)).toBe(204);
    expect(await ask('POST', `/directory/deletedItems/${userId}/restore`)).toBe(200);
    expect(await ask('PATCH', `/users/${userId}`, {})).toBe(403);
    expect(await ask('GET', `/users/${userId}`)).toBe(403);
    expect(await ask('DELETE', `/users/${userId}`)).toBe(204);
    expect(await ask('DELETE', `/directory/deletedItems/${userId}`)).toBe(204);
  });

  it(
    dialect === 'azure'
      ? 'refuse unknown properties'
      : 'keep unknown properties and give them back',
    async () => {
      const answer = await directory.post(
        '/users',
        draft({ userPrincipalName: 'open@castellan.example', favouriteColour: 'Blue' }),
      );
      expect(answer.status).toBe(dialect === 'azure' ? 400 : 201);
      if (dialect === 'neutral')
        expect((await directory.get(`/users/${answer.body.id}`)).body.favouriteColour).toBe('Blue');
    },
  );

  it('are written with permission and role only; with User.Read users read themselves', async () => {
    const patchAs = (caller: ReturnType<typeof person>): Promise<number> =>
      directory
        .patch(`/users/${id(2)}`, { city: 'Rome' }, { as: caller })
        .then(({ status }) => status);
    expect(await patchAs(person(id(1), ['User.ReadWrite.All']))).toBe(403);
    expect(await patchAs(person(id(1), ['User.ReadWrite.All'], ['userAdministrator']))).toBe(204);
    expect(await patchAs(person(id(1), ['User.Read.All'], ['userAdministrator']))).toBe(403);
    expect(await patchAs(application(id(50), ['User.ReadWrite.All']))).toBe(204);
    const self = person(id(1), ['User.Read']);
    expect((await directory.get('/me', { as: self })).body.id).toBe(id(1));
    expect((await directory.get(`/users/${id(2)}`, { as: self })).status).toBe(403);
    expect(
      (
        await directory.get('/users', {
          as: person(id(1), ['User.Read.All'], [], { isGuest: true }),
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await directory.get(`/users/${id(1)}`, {
          as: person(id(1), ['User.Read.All'], [], { isGuest: true }),
        })
      ).status,
    ).toBe(200);
  });

  it.each([
    'manager',
    'manager/$ref',
    'directReports',
    'ownedObjects',
    'ownedDevices',
    'scopedRoleMemberOf',
  ])("show others' %s to nobody who may only read himself", async (list) => {
    await directory.ask('PUT', `/users/${id(1)}/manager/$ref`, {
      '@odata.id': `https://directory.test/v1.0/users/${id(2)}`,
    });
    const read = async (userId: string, scopes: readonly string[]): Promise<number> => {
      const as = person(id(1), scopes);
      return (await directory.get(`/users/${userId}/${list}`, { as })).status;
    };
    expect(await read(id(2), ['User.Read'])).toBe(403);
    // These callers find others to delete them, which is no permission to read them.
    expect(await read(id(2), ['User.Read', 'User.DeleteRestore.All'])).toBe(403);
    expect(await read(id(1), ['User.Read'])).toBe(200);
  });

  it('show their manager with the properties that the caller may read of others', async () => {
    await directory.ask('PUT', `/users/${id(1)}/manager/$ref`, {
      '@odata.id': `https://directory.test/v1.0/users/${id(2)}`,
    });
    const managerFor = async (scope: string): Promise<unknown> =>
      (
        await directory.get(`/users/${id(1)}/manager?$select=id,userPrincipalName`, {
          as: person(id(1), [scope]),
        })
      ).body;
    expect(await managerFor('User.Read')).toMatchObject({ id: id(2), userPrincipalName: null });
    expect(await managerFor('User.Read.All')).toMatchObject({
      id: id(2),
      userPrincipalName: expect.stringContaining('@') as unknown,
    });
  });
});

describe('domains', () => {
  it('are the default one and those of the seeded users; another one is usable once verified', async () => {
    const directory = await TestDirectory.start({
      seed: { users: [user(id(1), { userPrincipalName: 'ada@contoso.com' })] },
    });
    const { body } = await directory.get('/domains');
    expect(
      body.value.map(
        (domain: { id: string; isDefault: boolean; isInitial: boolean; isVerified: boolean }) => [
          domain.id,
          domain.isDefault,
          domain.isInitial,
          domain.isVerified,
        ],
      ),
    ).toEqual([
      ['castellan.example', true, true, true],
      ['contoso.com', false, false, true],
    ]);
    expect((await directory.post('/domains', { id: 'fabrikam.com' })).body.isVerified).toBe(false);
    expect(
      (await directory.post('/users', draft({ userPrincipalName: 'x@fabrikam.com' }))).status,
    ).toBe(400);
    expect((await directory.post('/domains/fabrikam.com/verify')).body.isVerified).toBe(true);
    expect(
      (await directory.post('/users', draft({ userPrincipalName: 'x@fabrikam.com' }))).status,
    ).toBe(201);
    expect((await directory.post('/domains/castellan.example/verify')).body).toMatchObject({
      isDefault: true,
      isInitial: true,
      isVerified: true,
    });
    expect((await directory.delete('/domains/castellan.example')).status).toBe(400);
    await directory.stop();
  });

  it('are deleted only when no live user signs in with them', async () => {
    const directory = await TestDirectory.start({
      seed: {
        users: [
          user(id(1), { userPrincipalName: 'Ada@Contoso.com' }),
          user(id(2), { userPrincipalName: 'bob@sub.contoso.com' }),
          user(id(3), { userPrincipalName: 'eve@my-contoso.com' }),
        ],
      },
    });
    const refused = await directory.delete('/domains/CONTOSO.com');
    expect([refused.status, refused.body?.error.message]).toEqual([
      400,
      "The domain 'contoso.com' cannot be deleted while users have it in their userPrincipalName.",
    ]);
    expect((await directory.get('/domains/contoso.com')).status).toBe(200);
    await directory.delete(`/users/${id(1)}`);
    expect((await directory.delete('/domains/contoso.com')).status).toBe(204);
    await directory.stop();
  });
});

describe('revokeSignInSessions', () => {
  it('says from when on sessions are valid, and ends those of the identity provider', async () => {
    const ended: string[] = [];
    const directory = await TestDirectory.start({
      seed: { users: [user(id(1)), user(id(2))] },
      endSessionsOf: (userId) => Promise.resolve(void ended.push(userId)),
    });
    const self = person(id(1), ['User.ReadWrite']);
    const revoke = (name: string, as?: Caller) =>
      directory.post(`${name}/revokeSignInSessions`, undefined, as && { as });
    const revoked = await revoke('/me', self);
    expect([revoked.status, revoked.body]).toEqual([
      200,
      { '@odata.context': 'http://directory.test/v1.0/$metadata#Edm.Boolean', value: true },
    ]);
    const { body } = await directory.get(`/users/${id(1)}?$select=signInSessionsValidFromDateTime`);
    expect(body.signInSessionsValidFromDateTime).toBe('2026-01-15T10:00:00Z');
    expect((await revoke(`/users/${id(2)}`, self)).status).toBe(403);
    const helpdesk = person(id(1), ['User.RevokeSessions.All'], ['helpdeskAdministrator']);
    expect((await revoke(`/users/${id(2)}`, helpdesk)).status).toBe(200);
    expect((await revoke(`/users/${id(9)}`, helpdesk)).status).toBe(404);
    expect(ended).toEqual([id(1), id(2)]);
    await directory.stop();
  });
});
