import { application, id, person, type TestDirectory } from '../support/directory.js';
import { caller, applicationDraft, makeApplication, startWithCaller } from './draft.js';

describe.each(['neutral', 'azure'] as const)('applications in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeAll(async () => (directory = await startWithCaller(dialect)));
  afterAll(() => directory.stop());
  const make = (properties?: Record<string, unknown>): Promise<string> =>
    makeApplication(directory, properties);

  /**
   * @claim application-secret-once: addPassword shows a secret once; lists have its hint only.
   * @source https://learn.microsoft.com/graph/api/application-addpassword
   * @seen azuread
   */
  it('show a secret once, list it without its text, and refuse to remove an unknown one', async () => {
    const applicationId = await make();
    const addition = await directory.post(`/applications/${applicationId}/addPassword`, {
      passwordCredential: { displayName: 'ci', endDateTime: '2027-05-01T02:00:00+02:00' },
    });
    expect(addition.status).toBe(200);
    expect(addition.body).toMatchObject({
      displayName: 'ci',
      endDateTime: '2027-05-01T02:00:00+02:00',
      startDateTime: '2026-01-15T10:00:00Z',
    });
    expect(addition.body.secretText).toMatch(/^.{40,}$/);
    const defaultSecret = await directory.post(`/applications/${applicationId}/addPassword`, {
      passwordCredential: {},
    });
    expect(defaultSecret.body.endDateTime).toBe('2028-01-15T10:00:00Z');
    const { text, body } = await directory.get(`/applications/${applicationId}`);
    expect(text).not.toContain(addition.body.secretText);
    expect(body.passwordCredentials.map((secret: { keyId: string }) => secret.keyId)).toEqual([
      addition.body.keyId,
      defaultSecret.body.keyId,
    ]);
    expect(
      (
        await directory.post(`/applications/${applicationId}/removePassword`, {
          keyId: String(addition.body.keyId).toUpperCase(),
        })
      ).status,
    ).toBe(204);
    expect(
      (
        await directory.post(`/applications/${applicationId}/removePassword`, {
          keyId: addition.body.keyId,
        })
      ).status,
    ).toBe(400);
    const withoutId = await directory.post(`/applications/${applicationId}/removePassword`, {});
    expect(withoutId.body.error.message).toBe("A value is required for property 'keyId'.");
  });

  it.each([
    ['passwordCredential', 'secret'],
    ['passwordCredential', ['secret']],
    ['startDateTime', { startDateTime: 'tomorrow' }],
    ['startDateTime', { startDateTime: '1' }],
    ['endDateTime', { endDateTime: 1 }],
    ['endDateTime', { endDateTime: '2026-01-15T09:59:59Z' }],
    ['endDateTime', { startDateTime: '2027-01-01T00:00:00Z', endDateTime: '2026-06-01T00:00:00Z' }],
  ])('refuse a secret with the wrong %s: %j', async (property, passwordCredential) => {
    const path = `/applications/${await make()}`;
    const { status, body } = await directory.post(`${path}/addPassword`, { passwordCredential });
    expect([status, body.error?.details[0].target]).toEqual([400, property]);
    expect((await directory.get(path)).body.passwordCredentials).toEqual([]);
  });

  it('refuse new secrets in a change, and keep the ones that it repeats', async () => {
    const path = `/applications/${await make()}`;
    const { keyId } = (await directory.post(`${path}/addPassword`, {})).body;
    for (const secret of [{ displayName: 'new' }, { keyId: id(300) }, { keyId: null }]) {
      const refused = await directory.patch(path, { passwordCredentials: [{ keyId }, secret] });
      expect([refused.status, refused.body.error?.message]).toEqual([
        400,
        expect.stringContaining('addPassword'),
      ]);
    }
    const kept = { passwordCredentials: [{ keyId: keyId.toUpperCase() }] };
    expect((await directory.patch(path, kept)).status).toBe(204);
    expect((await directory.get(path)).body.passwordCredentials).toMatchObject([{ keyId }]);
  });

  it('return the secrets of passwordCredentials in the answer to the POST', async () => {
    const { body } = await directory.post(
      '/applications',
      applicationDraft({
        passwordCredentials: [{ displayName: 'embedded', endDateTime: '2027-01-01T00:00:00Z' }],
      }),
    );
    expect(body.passwordCredentials).toEqual([
      expect.objectContaining({
        displayName: 'embedded',
        secretText: expect.stringMatching(/.{40,}/),
      }),
    ]);
    expect((await directory.get(`/applications/${body.id}`)).body.passwordCredentials).toEqual([
      expect.objectContaining({ displayName: 'embedded', secretText: null }),
    ]);
  });

  /**
   * @claim federated-unique: Federated identity credentials have names of their own in an
   *   application.
   * @source
   *   https://learn.microsoft.com/graph/api/application-post-federatedidentitycredentials
   * @seen azuread
   */
  it('have federated identity credentials with unique names', async () => {
    const applicationId = await make();
    const path = `/applications/${applicationId}/federatedIdentityCredentials`;
    const credential = {
      name: 'ci',
      issuer: 'https://issuer.example',
      subject: 'repo:x',
      audiences: ['api://exchange'],
      description: '',
    };
    const { status, body } = await directory.post(path, credential);
    expect([status, body.description]).toEqual([201, '']);
    expect((await directory.post(path, credential)).status).toBe(409);
    expect(
      (
        await directory.patch(`${path}/${body.id}`, {
          ...credential,
          id: body.id,
          subject: 'repo:y',
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(`${path}/${body.id}`)).body).toMatchObject({
      id: body.id,
      subject: 'repo:y',
      audiences: ['api://exchange'],
    });
    expect((await directory.patch(`${path}/${body.id}`, { name: 'other' })).status).toBe(400);
    const flexible = await directory.post(`/beta${path}`, {
      name: 'flexible',
      issuer: 'https://i',
      audiences: ['a'],
      claimsMatchingExpression: { value: "claims['sub'] eq 'x'", languageVersion: 1 },
    });
    expect(flexible.body).toMatchObject({
      subject: null,
      claimsMatchingExpression: { languageVersion: 1 },
    });
    expect(
      (await directory.post(path, { ...credential, name: 'neither', subject: undefined })).status,
    ).toBe(400);
    expect((await directory.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await directory.get(`${path}/${body.id}`)).status).toBe(404);
  });

  it('have one federated identity credential for an issuer and subject', async () => {
    const path = `/applications/${await make()}/federatedIdentityCredentials`;
    const credential = (name: string, subject: string): Record<string, unknown> => ({
      name,
      issuer: 'https://issuer.example',
      subject,
      audiences: ['api://exchange'],
    });
    expect((await directory.post(path, credential('main', 'repo:x'))).status).toBe(201);
    const second = await directory.post(path, credential('second', 'repo:x'));
    expect([second.status, second.body.error.code]).toEqual([
      409,
      'Request_MultipleObjectsWithSameKeyValue',
    ]);
    expect((await directory.post(path, credential('other', 'repo:X'))).status).toBe(201);
    expect((await directory.patch(`${path}/other`, { subject: 'repo:x' })).status).toBe(409);
    expect((await directory.patch(`${path}/other`, { description: 'd' })).status).toBe(204);
  });

  it.each([
    ['subject', 'a'.repeat(601)],
    ['description', 5],
    ['description', 'a'.repeat(601)],
    ['claimsMatchingExpression', {}],
    ['claimsMatchingExpression', { value: '', languageVersion: 1 }],
    ['claimsMatchingExpression', { value: "claims['sub'] eq 'x'", languageVersion: '1' }],
  ])('refuse a federated identity credential with a wrong %s', async (property, value) => {
    const path = `/applications/${await make()}/federatedIdentityCredentials`;
    const refused = await directory.post(path, {
      name: 'ci',
      issuer: 'https://issuer.example',
      subject: property === 'claimsMatchingExpression' ? undefined : 'repo:x',
      audiences: ['api://exchange'],
      [property]: value,
    });
    expect([refused.status, refused.body.error?.message]).toEqual([
      400,
      expect.stringContaining(property),
    ]);
  });

  it('have a logo whose address is returned', async () => {
    const applicationId = await make();
    const png = Buffer.from('iVBORw0KGgo=', 'base64');
    expect(
      (
        await directory.ask('PUT', `/applications/${applicationId}/logo`, png, {
          headers: { 'content-type': 'image/png' },
        })
      ).status,
    ).toBe(204);
    const { info } = (await directory.get(`/applications/${applicationId}`)).body;
    expect(info.logoUrl).toBe(`http://directory.test/v1.0/applications/${applicationId}/logo`);
    expect((await directory.get(info.logoUrl)).headers['content-type']).toBe('image/png');
    await directory.patch(`/applications/${applicationId}`, {
      info: { supportUrl: 'https://help.example' },
    });
    expect((await directory.get(`/applications/${applicationId}`)).body.info).toMatchObject({
      logoUrl: info.logoUrl,
      supportUrl: 'https://help.example',
    });
  });

  it('are created from a template together with their service principal', async () => {
    const { body: templates } = await directory.get(
      `/applicationTemplates?$filter=${encodeURIComponent("displayName eq 'Custom'")}`,
    );
    const templateId = templates.value[0].id;
    const { status, body } = await directory.post(
      `/applicationTemplates/${templateId}/instantiate`,
      { displayName: 'From template' },
    );
    expect(status).toBe(201);
    expect(body.application.applicationTemplateId).toBe(templateId);
    expect(body.servicePrincipal).toMatchObject({
      applicationTemplateId: templateId,
      appId: body.application.appId,
      displayName: 'From template',
    });
    const filter = encodeURIComponent(
      `applicationTemplateId eq '${templateId}' and displayName eq 'From template'`,
    );
    expect((await directory.get(`/applications?$filter=${filter}`)).body.value).toHaveLength(1);
  });

  it('are registered by anyone and changed by owners and administrators', async () => {
    const ada = person(id(1), ['Application.ReadWrite.All']);
    const created = await directory.post('/applications', { displayName: 'Mine' }, { as: ada });
    expect(created.status).toBe(201);
    expect(
      (await directory.get(`/applications/${created.body.id}/owners`)).body.value.map(
        (owner: { id: string }) => owner.id,
      ),
    ).toEqual([id(1)]);
    expect(
      (await directory.patch(`/applications/${created.body.id}`, { notes: 'x' }, { as: ada }))
        .status,
    ).toBe(204);
    expect(
      (await directory.patch(`/applications/${await make()}`, { notes: 'x' }, { as: ada })).status,
    ).toBe(403);
    const ownedBy = application(caller, ['Application.ReadWrite.OwnedBy']);
    expect(
      (await directory.patch(`/applications/${await make()}`, { notes: 'x' }, { as: ownedBy }))
        .status,
    ).toBe(204);
    expect(
      (await directory.patch(`/applications/${created.body.id}`, { notes: 'x' }, { as: ownedBy }))
        .status,
    ).toBe(403);
  });
});
