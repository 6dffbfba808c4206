import { application, id, person, type TestDirectory } from '../support/directory.js';
import { caller, startWithCaller } from '../applications/draft.js';

const headers = { prefer: 'create-if-missing' };

describe.each(['neutral', 'azure'] as const)('upserts in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeAll(async () => (directory = await startWithCaller(dialect)));
  afterAll(() => directory.stop());

  /**
   * @claim application-upsert: A PATCH of an application by uniqueName creates it with
   *   `Prefer: create-if-missing`, and changes it when it exists.
   * @source https://learn.microsoft.com/graph/api/application-upsert
   * @guess described on the page only
   */
  it('create an application by its uniqueName, then change it', async () => {
    const path = "/applications(uniqueName='shop')";
    const created = await directory.patch(path, { displayName: 'Shop' }, { headers });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ displayName: 'Shop', uniqueName: 'shop' });
    expect(created.headers['location']).toContain(`/applications/${created.body.id}`);
    const changes = { uniqueName: 'shop', notes: 'changed' };
    expect((await directory.patch(path, changes, { headers })).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({ id: created.body.id, ...changes });
  });

  it('need the header, a name, and what a new application needs', async () => {
    const path = "/applications(uniqueName='missing')";
    const body = { displayName: 'Missing' };
    expect((await directory.patch(path, body)).status).toBe(404);
    expect((await directory.patch(path, { notes: 'x' }, { headers })).status).toBe(400);
    expect(
      (await directory.patch(path, { ...body, uniqueName: 'other' }, { headers })).status,
    ).toBe(400);
    expect((await directory.patch("/applications(uniqueName='')", body, { headers })).status).toBe(
      400,
    );
    expect(
      (await directory.patch(`/applications(appId='${id(900)}')`, body, { headers })).status,
    ).toBe(404);
  });

  it('keep a deleted application from being restored while another has its uniqueName', async () => {
    const path = "/applications(uniqueName='twice')";
    const upsert = (): Promise<{ body: { id: string } }> =>
      directory.patch(path, { displayName: 'Twice' }, { headers });
    const first = (await upsert()).body;
    await directory.delete(path);
    const second = (await upsert()).body;
    const restore = `/directory/deletedItems/${first.id}/restore`;
    expect((await directory.post(restore)).status).toBe(400);
    await directory.delete(`/applications/${second.id}`);
    expect((await directory.post(restore)).status).toBe(200);
  });

  it('create the service principal of an appId, then change it', async () => {
    const { appId } = (await directory.post('/applications', { displayName: 'Backed' })).body;
    const path = `/servicePrincipals(appId='${appId}')`;
    const created = await directory.patch(path, { displayName: 'Backed' }, { headers });
    expect([created.status, created.body.appId]).toEqual([201, appId]);
    expect((await directory.patch(path, { notes: 'changed' }, { headers })).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({
      id: created.body.id,
      notes: 'changed',
    });
    expect(
      (await directory.patch(`/servicePrincipals(appId='${id(900)}')`, {}, { headers })).status,
    ).toBe(400);
  });

  it('create a federated identity credential by its name, then change it', async () => {
    const { id: applicationId } = (await directory.post('/applications', { displayName: 'Built' }))
      .body;
    const path = `/applications/${applicationId}/federatedIdentityCredentials(name='main')`;
    const credential = { issuer: 'https://issuer.example', subject: 'main', audiences: ['api'] };
    expect((await directory.patch(path, credential)).status).toBe(404);
    const created = await directory.patch(path, credential, { headers });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: 'main', ...credential });
    expect((await directory.patch(path, { subject: 'next' }, { headers })).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({
      id: created.body.id,
      subject: 'next',
    });
  });

  it('never create a user', async () => {
    const path = "/users(userPrincipalName='new@castellan.example')";
    expect((await directory.patch(path, { displayName: 'New' }, { headers })).status).toBe(404);
  });

  it('make people and applications that change only what they own owners of what they create', async () => {
    const ada = person(id(1), ['Application.ReadWrite.All']);
    const grace = person(id(2), ['Application.ReadWrite.All']);
    const ownedBy = application(caller, ['Application.ReadWrite.OwnedBy']);
    const others = application(id(2), ['Application.ReadWrite.OwnedBy']);
    for (const [name, owner, stranger] of [
      ['by-a-person', ada, grace],
      ['by-an-application', ownedBy, others],
    ] as const) {
      const path = `/applications(uniqueName='${name}')`;
      const patchAs = async (as: typeof ada): Promise<number> =>
        (await directory.patch(path, { displayName: name }, { as, headers })).status;
      expect([await patchAs(owner), await patchAs(owner), await patchAs(stranger)]).toEqual([
        201, 204, 403,
      ]);
    }
    const guest = { ...ada, isGuest: true };
    const path = "/applications(uniqueName='by-a-guest')";
    expect((await directory.patch(path, { displayName: 'x' }, { as: guest, headers })).status).toBe(
      403,
    );
  });
});
