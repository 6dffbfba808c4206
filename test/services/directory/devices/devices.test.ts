import { openDatabase } from '../../../../services/common/database.js';
import { TestDirectory, id, person, user } from '../support/directory.js';

describe('devices', () => {
  /**
   * @claim device-by-device-id: A device is found by its deviceId, too.
   * @source https://learn.microsoft.com/graph/api/device-get
   */
  it('are created, found by deviceId, changed and deleted, with owners', async () => {
    const directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
    const draft = {
      accountEnabled: true,
      deviceId: id(40),
      displayName: 'Laptop',
      operatingSystem: 'Linux',
      operatingSystemVersion: '1',
    };
    const created = await directory.post('/devices', draft);
    expect(created.status).toBe(201);
    expect((await directory.post('/devices', draft)).body.error.message).toContain(
      'property deviceId already exists',
    );
    expect((await directory.post('/devices', { displayName: 'x' })).status).toBe(400);
    expect((await directory.get(`/devices(deviceId='${id(40)}')`)).body.id).toBe(created.body.id);
    expect(
      (await directory.get(`/devices?$filter=${encodeURIComponent(`deviceId eq '${id(40)}'`)}`))
        .body.value,
    ).toHaveLength(1);
    expect(
      (
        await directory.patch(`/devices/${created.body.id}`, {
          extensionAttributes: { extensionAttribute1: 'lab' },
        })
      ).status,
    ).toBe(204);
    expect(
      (
        await directory.patch(`/devices/${created.body.id}`, {
          extensionAttributes: { extensionAttribute2: 'x' },
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(`/devices/${created.body.id}`)).body.extensionAttributes).toEqual({
      extensionAttribute1: 'lab',
      extensionAttribute2: 'x',
    });
    expect(
      (
        await directory.post(`/devices/${created.body.id}/registeredOwners/$ref`, {
          '@odata.id': `https://x/v1.0/users/${id(1)}`,
        })
      ).status,
    ).toBe(204);
    expect(
      (await directory.get(`/devices/${created.body.id}/registeredOwners`)).body.value,
    ).toHaveLength(1);
    expect((await directory.delete(`/devices/${created.body.id}`)).status).toBe(204);
    await directory.stop();
  });
});

describe('contacts', () => {
  it('are created by seed files and read-only', async () => {
    const directory = await TestDirectory.start({
      seed: { contacts: [{ id: id(30), displayName: 'Supplier', mail: 's@supplier.example' }] },
    });
    expect((await directory.get(`/contacts/${id(30)}`)).body).toMatchObject({
      displayName: 'Supplier',
      mail: 's@supplier.example',
    });
    expect((await directory.post('/contacts', { displayName: 'x' })).status).toBe(405);
    expect((await directory.delete(`/contacts/${id(30)}`)).status).toBe(405);
    await directory.stop();
  });
});

describe('seed lists', () => {
  it('can be applied again without creating duplicates, with and without ids', async () => {
    const database = await openDatabase('memory:');
    const seed = {
      users: [
        user(id(1)),
        { userPrincipalName: 'noid@contoso.com', displayName: 'No id', manager: id(1) },
      ],
      devices: [{ displayName: 'Kiosk', operatingSystem: 'Linux' }],
      contacts: [{ displayName: 'C' }],
      applications: [
        {
          id: id(60),
          displayName: 'App',
          appId: id(61),
          owners: [id(1)],
          appRoles: [
            {
              id: id(62),
              allowedMemberTypes: ['User'],
              value: 'x',
              displayName: 'x',
              description: 'x',
            },
          ],
        },
      ],
      servicePrincipals: [{ id: id(63), appId: id(61) }, { displayName: 'lone' }],
    };
    const first = await TestDirectory.start({ database, seed });
    await first.stop();
    const second = await TestDirectory.start({ database, seed });
    const counts = await Promise.all(
      ['users', 'devices', 'contacts', 'applications', 'servicePrincipals'].map(
        async (list) => (await second.get(`/${list}`)).body.value.length,
      ),
    );
    expect(counts).toEqual([2, 1, 1, 1, 2]);
    expect((await second.get(`/servicePrincipals/${id(63)}`)).body).toMatchObject({
      displayName: 'App',
      appRoles: [expect.objectContaining({ id: id(62), isEnabled: true })],
    });
    expect((await second.get(`/applications/${id(60)}/owners`)).body.value).toHaveLength(1);
    expect((await second.get('/users/noid@contoso.com/manager')).body.id).toBe(id(1));
    await second.stop();
    await database.close();
  });

  it('are refused with the wrong entry', async () => {
    await expect(
      TestDirectory.start({ seed: { users: [{ id: 'x', userPrincipalName: 'a@b.example' }] } }),
    ).rejects.toMatchObject({
      code: 'CAS4002',
    });
    await expect(
      TestDirectory.start({ seed: { users: [user(id(1), { manager: 'nobody@b.example' })] } }),
    ).rejects.toMatchObject({
      code: 'CAS4002',
    });
  });
});

describe('a caller without the permission', () => {
  it.each([
    '/users',
    '/devices',
    '/contacts',
    '/domains',
    '/applications',
    '/servicePrincipals',
    '/directory/administrativeUnits',
    '/directoryRoles',
    '/oauth2PermissionGrants',
    '/policies/claimsMappingPolicies',
  ])('cannot read %s', async (path) => {
    const directory = await TestDirectory.start();
    const answer = await directory.get(path, { as: person(id(1), ['openid']) });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'Authorization_RequestDenied']);
    await directory.stop();
  });
});
