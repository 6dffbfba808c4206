import { TestDirectory, id, person, user } from '../support/directory.js';

interface Page {
  readonly value: Record<string, unknown>[];
  readonly '@odata.deltaLink': string;
}

/** Every type of objects has its delta, with the references that belong to it. */
describe('delta of types other than groups', () => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      seed: {
        users: [user(id(1)), user(id(2))],
        devices: [{ id: id(10), displayName: 'laptop', deviceId: id(110) }],
        contacts: [{ id: id(20), displayName: 'supplier' }],
        applications: [{ id: id(30), displayName: 'shop', appId: id(130) }],
        servicePrincipals: [{ id: id(40), displayName: 'shop', appId: id(130) }],
      },
    });
  });
  afterAll(() => directory.stop());

  const page = async (path: string): Promise<Page> => {
    const answer = await directory.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body as Page;
  };
  const reference = (target: string): unknown => ({
    '@odata.id': `http://directory.test/v1.0/directoryObjects/${target}`,
  });

  it.each([
    ['users', id(1), { displayName: 'Renamed' }],
    ['devices', id(10), { displayName: 'Renamed' }],
    ['applications', id(30), { displayName: 'Renamed' }],
    ['servicePrincipals', id(40), { notes: 'changed' }],
  ])('%s are returned completely, then as they change', async (collection, object, change) => {
    const first = await page(`/${collection}/delta`);
    expect(first.value.map((each) => each['id'])).toContain(object);
    expect((await directory.patch(`/${collection}/${object}`, change)).status).toBe(204);
    const second = await page(first['@odata.deltaLink']);
    expect(second.value.find((each) => each['id'] === object)).toMatchObject(change);
    expect((await page(second['@odata.deltaLink'])).value).toEqual([]);
  });

  it('follows managers of users, owners of devices and members of units', async () => {
    const unit = (await directory.post('/directory/administrativeUnits', { displayName: 'North' }))
      .body.id as string;
    const starts = await Promise.all(
      ['users', 'devices', 'directory/administrativeUnits'].map((each) => page(`/${each}/delta`)),
    );
    expect(
      (await directory.ask('PUT', `/users/${id(1)}/manager/$ref`, reference(id(2)))).status,
    ).toBe(204);
    expect(
      (await directory.post(`/devices/${id(10)}/registeredOwners/$ref`, reference(id(1)))).status,
    ).toBe(204);
    expect(
      (
        await directory.post(
          `/directory/administrativeUnits/${unit}/members/$ref`,
          reference(id(1)),
        )
      ).status,
    ).toBe(204);
    const [users, devices, units] = await Promise.all(
      starts.map((each) => page(each['@odata.deltaLink'])),
    );
    const addedUser = [{ '@odata.type': '#svc.directory.user', id: id(1) }];
    expect(users?.value).toMatchObject([{ id: id(1), 'manager@delta': [{ id: id(2) }] }]);
    expect(devices?.value).toMatchObject([{ id: id(10), 'registeredOwners@delta': addedUser }]);
    expect(units?.value).toMatchObject([{ id: unit, 'members@delta': addedUser }]);
  });

  it('returns deleted users and activated roles, and no secrets', async () => {
    const deletedId = (
      await directory.post('/users', {
        displayName: 'Gone',
        userPrincipalName: 'gone@castellan.example',
        passwordProfile: { password: 'Secret123!' },
      })
    ).body.id as string;
    const start = await page('/users/delta?$deltatoken=latest');
    await directory.delete(`/users/${deletedId}`);
    expect((await page(start['@odata.deltaLink'])).value).toEqual([
      { id: deletedId, '@removed': { reason: 'changed' } },
    ]);
    const secret = (
      await directory.post(`/applications/${id(30)}/addPassword`, { passwordCredential: {} })
    ).body;
    const text = JSON.stringify((await page('/applications/delta')).value);
    expect(text).toContain(secret.keyId);
    expect(text).not.toContain(secret.secretText);
    expect((await page('/directoryRoles/delta')).value).toEqual(expect.any(Array));
  });

  it('is not available to guests', async () => {
    const guest = person(id(2), ['User.Read.All'], [], { isGuest: true });
    expect((await directory.get('/users/delta', { as: guest })).status).toBe(403);
  });
});
