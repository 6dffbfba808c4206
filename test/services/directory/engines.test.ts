import type { Database } from '../../../services/common/database.js';
import { TestDirectory, id, user } from './support/directory.js';
import { onEveryEngine } from './support/engines.js';

const password = { password: 'Secret123!' };

onEveryEngine('the objects of the directory', (open) => {
  let database: Database;
  let directory: TestDirectory;
  const names = async (path: string): Promise<string[]> => {
    const answer = await directory.advanced(path);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.value.map((each: { displayName: string }) => each.displayName);
  };
  const namesFilteredBy = (collection: string, filter: string): Promise<string[]> =>
    names(`/${collection}?$count=true&$filter=${encodeURIComponent(filter)}`);
  beforeAll(async () => {
    database = await open();
    directory = await TestDirectory.start({
      dialect: 'azure',
      database,
      seed: {
        users: [
          user(id(1), {
            displayName: 'Ada',
            department: 'Sales',
            employeeId: 'E1',
            otherMails: ['a@x.org'],
          }),
          user(id(2), {
            displayName: 'Émile',
            accountEnabled: false,
            employeeHireDate: '2026-01-10T00:00:00Z',
          }),
        ],
        servicePrincipals: [{ id: id(3), displayName: 'Robot', tags: ['HideApp'] }],
      },
    });
  });
  afterAll(async () => {
    await directory.stop();
    await database.close();
  });

  it.each([
    ['users', "department eq 'sales'", ['Ada']],
    ['users', "department ne 'sales'", ['Émile']],
    ['users', 'accountEnabled eq false', ['Émile']],
    ['users', 'not (accountEnabled eq false)', ['Ada']],
    ['users', "startsWith(displayName,'é')", ['Émile']],
    ['users', "displayName in ('ADA','nobody')", ['Ada']],
    ['users', "otherMails/any(m:m eq 'A@x.org')", ['Ada']],
    ['users', "not otherMails/any(m:endsWith(m,'x.org'))", ['Émile']],
    ['users', "employeeId eq 'e1'", ['Ada']],
    ['users', 'employeeHireDate ge 2026-01-09T23:00:00-01:00', ['Émile']],
    ['users', 'mail eq null and department eq null', ['Émile']],
    ['servicePrincipals', "displayName eq 'robot' and tags/any(t:t eq 'HideApp')", ['Robot']],
  ])('%s are found by %s', async (collection, filter, expected) => {
    expect(await namesFilteredBy(collection, filter)).toEqual(expected);
  });

  it('are found by words, sorted and counted', async () => {
    expect(await names('/users?$search="displayName:ad"')).toEqual(['Ada']);
    expect(await names('/users?$orderby=displayName desc')).toEqual(['Émile', 'Ada']);
    expect((await directory.advanced('/users/$count')).text).toBe('2');
  });

  it('are created, linked, changed, deleted and restored', async () => {
    const created = await directory.post('/users', {
      displayName: 'New',
      userPrincipalName: 'new@castellan.example',
      passwordProfile: password,
    });
    expect(created.status).toBe(201);
    expect(
      (
        await directory.ask('PUT', `/users/${created.body.id}/manager/$ref`, {
          '@odata.id': `https://x/v1.0/users/${id(1)}`,
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(`/users/${id(1)}/directReports`)).body.value).toHaveLength(1);
    await directory.delete(`/users/${created.body.id}`);
    expect((await directory.get(`/users/${id(1)}/directReports`)).body.value).toEqual([]);
    expect(
      (await directory.post(`/directory/deletedItems/${created.body.id}/restore`)).status,
    ).toBe(200);
    expect((await directory.get(`/users/${id(1)}/directReports`)).body.value).toHaveLength(1);
  });

  it('depend on each other: application, principal, role, grant, unit', async () => {
    const role = {
      id: id(100),
      allowedMemberTypes: ['User'],
      displayName: 'R',
      description: 'R',
      isEnabled: true,
      value: 'R',
    };
    const application = (
      await directory.post('/applications', {
        displayName: 'App',
        appRoles: [role],
        identifierUris: ['api://engines'],
      })
    ).body;
    expect(
      (
        await directory.post('/applications', {
          displayName: 'Other',
          identifierUris: ['api://engines'],
        })
      ).status,
    ).toBe(400);
    const principal = (await directory.post('/servicePrincipals', { appId: application.appId }))
      .body;
    await directory.patch(`/applications/${application.id}`, { displayName: 'Renamed' });
    expect((await directory.get(`/servicePrincipals/${principal.id}`)).body.displayName).toBe(
      'Renamed',
    );
    expect(
      (
        await directory.post(`/applications/${application.id}/addPassword`, {
          passwordCredential: {},
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await directory.post(`/servicePrincipals/${principal.id}/appRoleAssignedTo`, {
          appRoleId: role.id,
          principalId: id(1),
          resourceId: principal.id,
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await directory.post('/oauth2PermissionGrants', {
          clientId: principal.id,
          resourceId: id(3),
          consentType: 'AllPrincipals',
          scope: 'x',
        })
      ).status,
    ).toBe(201);
    const unit = (await directory.post('/directory/administrativeUnits', { displayName: 'Unit' }))
      .body.id;
    await directory.post(`/directory/administrativeUnits/${unit}/members/$ref`, {
      '@odata.id': `https://x/v1.0/users/${id(1)}`,
    });
    expect(
      (await directory.get(`/users/${id(1)}/memberOf`)).body.value.map(
        (each: { id: string }) => each.id,
      ),
    ).toEqual([unit]);
    await directory.delete(`/users/${id(1)}`);
    expect(
      (await directory.get(`/servicePrincipals/${principal.id}/appRoleAssignedTo`)).body.value,
    ).toEqual([]);
    expect(
      (await directory.get(`/directory/administrativeUnits/${unit}/members`)).body.value,
    ).toEqual([]);
  });

  it('refuse characters that one of the databases cannot store', async () => {
    for (const displayName of ['a\u0000b', 'a\ud800b'])
      expect(
        (
          await directory.post('/devices', {
            displayName,
            deviceId: 'x',
            operatingSystem: 'x',
            operatingSystemVersion: '1',
          })
        ).status,
      ).toBe(400);
    expect((await directory.get('/users/%00')).status).toBe(400);
    expect(
      (await directory.get(`/users?$filter=${encodeURIComponent("displayName eq 'a\u0000'")}`))
        .status,
    ).toBe(400);
    expect((await directory.get('/users')).status).toBe(200);
  });

  it('list what someone owns, and drop annotations at any depth', async () => {
    const { id: application } = (
      await directory.post('/applications', {
        displayName: 'Owned',
        web: { '@odata.type': '#x', redirectUris: [] },
      })
    ).body;
    await directory.post(`/applications/${application}/owners/$ref`, {
      '@odata.id': `https://x/v1.0/users/${id(2)}`,
    });
    expect(
      (await directory.get(`/users/${id(2)}/ownedObjects`)).body.value.map(
        (each: { id: string }) => each.id,
      ),
    ).toEqual([application]);
    expect(
      (await directory.get(`/users/${id(2)}/ownedObjects/microsoft.graph.group`)).body.value,
    ).toEqual([]);
    expect((await directory.get(`/applications/${application}`)).text).not.toContain('#x');
  });

  it('keep names unique when several request the same one at once', async () => {
    const draft = {
      displayName: 'Same',
      userPrincipalName: 'same@castellan.example',
      passwordProfile: password,
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => directory.post('/users', draft)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(7).fill(400),
    ]);
    const application = (await directory.post('/applications', { displayName: 'Busy' })).body.id;
    const secrets = await Promise.all(
      Array.from({ length: 6 }, () =>
        directory.post(`/applications/${application}/addPassword`, { passwordCredential: {} }),
      ),
    );
    expect(secrets.every(({ status }) => status === 200)).toBe(true);
    expect(
      (await directory.get(`/applications/${application}`)).body.passwordCredentials,
    ).toHaveLength(6);
  });
});
