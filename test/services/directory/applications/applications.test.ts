import { TestDirectory, application, id, person, user } from '../support/directory.js';

const caller = id(70);
const bind = (objectId: string): string => `https://graph.example/v1.0/directoryObjects/${objectId}`;
const adminRole = {
  id: id(100),
  allowedMemberTypes: ['User'],
  description: 'Admins',
  displayName: 'Admin',
  isEnabled: true,
  value: 'Admin',
};
const readScope = {
  id: id(101),
  adminConsentDescription: 'Read',
  adminConsentDisplayName: 'Read',
  isEnabled: true,
  type: 'User',
  userConsentDescription: '',
  userConsentDisplayName: '',
  value: 'read',
};

/** What the Terraform provider posts for an application: every section present. */
function draft(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@odata.type': '#microsoft.graph.application',
    api: {
      '@odata.type': '#microsoft.graph.apiApplication',
      acceptMappedClaims: false,
      knownClientApplications: [],
      oauth2PermissionScopes: [],
      requestedAccessTokenVersion: 1,
    },
    appRoles: [],
    description: null,
    displayName: 'TERRAFORM_UPDATE_1',
    groupMembershipClaims: null,
    identifierUris: [],
    info: { marketingUrl: null, privacyStatementUrl: null, supportUrl: null, termsOfServiceUrl: null },
    isDeviceOnlyAuthSupported: false,
    isFallbackPublicClient: false,
    notes: null,
    optionalClaims: {},
    publicClient: { redirectUris: [] },
    requiredResourceAccess: [],
    serviceManagementReference: null,
    signInAudience: 'AzureADMyOrg',
    spa: { redirectUris: [] },
    tags: [],
    web: {
      homePageUrl: null,
      implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: true },
      logoutUrl: null,
      redirectUris: ['https://a.example/cb'],
    },
    'owners@odata.bind': [bind(caller)],
    ...more,
  };
}

describe.each(['neutral', 'azure'] as const)('applications in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  const make = async (more: Record<string, unknown> = {}): Promise<string> => {
    const answer = await directory.post('/applications', draft(more));
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.id as string;
  };
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: { users: [user(id(1))], servicePrincipals: [{ id: caller, displayName: 'terraform', appId: id(71) }] },
    });
  });
  afterAll(() => directory.stop());

  it('are created in the conversation of the Terraform provider', async () => {
    const applicationId = await make();
    expect(
      (await directory.patch(`/applications/${applicationId}`, { '@odata.type': '#microsoft.graph.application', displayName: 'Portal' }))
        .status,
    ).toBe(204);
    expect((await directory.delete(`/applications/${applicationId}/owners/${caller}/$ref`)).status).toBe(204);
    const { body } = await directory.get(`/applications/${applicationId}`);
    expect(body).toMatchObject({
      displayName: 'Portal',
      groupMembershipClaims: null,
      optionalClaims: null,
      signInAudience: 'AzureADMyOrg',
      passwordCredentials: [],
      keyCredentials: [],
      api: { acceptMappedClaims: false, oauth2PermissionScopes: [], preAuthorizedApplications: [], requestedAccessTokenVersion: 1 },
      info: { logoUrl: null },
    });
    expect(
      (await directory.get(`/beta/applications/${applicationId}?$select=oauth2RequirePostResponse`)).body.oauth2RequirePostResponse,
    ).toBeNull();
    expect((await directory.get(`/applications/${applicationId}/owners`)).body.value).toEqual([]);
    expect((await directory.get(`/applications(appId='${body.appId}')`)).body.id).toBe(applicationId);
    expect((await directory.delete(`/applications/${applicationId}`)).status).toBe(204);
    expect((await directory.get(`/applications/${applicationId}`)).status).toBe(404);
  });

  it('merge web, api, spa, publicClient and info by member, and replace optional claims whole', async () => {
    const applicationId = await make({
      optionalClaims: { idToken: [{ name: 'email', source: '', essential: false, additionalProperties: [] }] },
    });
    await directory.patch(`/applications/${applicationId}`, { web: { implicitGrantSettings: { enableAccessTokenIssuance: true } } });
    await directory.patch(`/applications/${applicationId}`, { web: { redirectUris: ['https://b.example/cb'] } });
    const { body } = await directory.get(`/applications/${applicationId}`);
    expect(body.web).toEqual({
      homePageUrl: null,
      logoutUrl: null,
      implicitGrantSettings: { enableAccessTokenIssuance: true, enableIdTokenIssuance: true },
      redirectUris: ['https://b.example/cb'],
    });
    expect(body.optionalClaims).toEqual({
      accessToken: [],
      idToken: [{ name: 'email', source: '', essential: false, additionalProperties: [] }],
      saml2Token: [],
    });
    await directory.patch(`/applications/${applicationId}`, { optionalClaims: {} });
    expect((await directory.get(`/applications/${applicationId}`)).body.optionalClaims).toBeNull();
  });

  it('have roles and scopes that are disabled before they are changed or removed', async () => {
    const applicationId = await make({ appRoles: [adminRole], api: { oauth2PermissionScopes: [readScope] } });
    const patch = (body: unknown): Promise<{ status: number; body: { error?: { code: string; message: string } } }> =>
      directory.patch(`/applications/${applicationId}`, body);
    for (const body of [
      { appRoles: [] },
      { appRoles: [{ ...adminRole, value: 'Other' }] },
      { api: { oauth2PermissionScopes: [{ ...readScope, type: 'Admin' }] } },
    ]) {
      const answer = await patch(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: 'CannotDeleteOrUpdateEnabledEntitlement',
        message: 'Permission (scope or role) cannot be deleted or updated unless disabled first.',
      });
    }
    expect((await patch({ id: applicationId, appRoles: [{ ...adminRole, isEnabled: false }] })).status).toBe(204);
    expect((await patch({ appRoles: [] })).status).toBe(204);
    expect((await patch({ api: { oauth2PermissionScopes: [{ ...readScope, userConsentDescription: null }] } })).status).toBe(204);
    expect((await patch({ api: { preAuthorizedApplications: [{ appId: id(5), delegatedPermissionIds: [id(999)] }] } })).status).toBe(204);
    expect((await patch({ api: { oauth2PermissionScopes: [{ ...readScope, isEnabled: false }] } })).status).toBe(204);
    expect((await patch({ api: { oauth2PermissionScopes: [] } })).status).toBe(204);
  });

  it('give every role an id and isEnabled, and take several without a value', async () => {
    const bare = (number: number): Record<string, unknown> => ({
      id: id(number),
      allowedMemberTypes: ['Application'],
      displayName: 'r',
      description: 'r',
      value: '',
    });
    const applicationId = await make({ appRoles: [bare(110), bare(111)] });
    const { body } = await directory.get(`/applications/${applicationId}`);
    expect(body.appRoles.map((role: { id: string; isEnabled: boolean }) => [role.id, role.isEnabled])).toEqual([
      [id(110), true],
      [id(111), true],
    ]);
  });

  it.each([
    [{ appRoles: [{ ...adminRole, id: undefined }] }, 'id'],
    [{ appRoles: [adminRole, adminRole] }, 'duplicate values'],
    [{ appRoles: [{ ...adminRole, value: '.x' }] }, 'value'],
    [{ appRoles: [{ ...adminRole, value: 'x'.repeat(250) }] }, 'value'],
    [{ appRoles: [{ ...adminRole, allowedMemberTypes: [] }] }, 'allowedMemberTypes'],
    [{ signInAudience: 'Everyone' }, 'signInAudience'],
    [{ displayName: '' }, 'displayName'],
    [{ identifierUris: ['no scheme'] }, 'identifierUris'],
    [{ identifierUris: ['api://twice', 'API://twice'] }, 'Another object with the same value for property identifierUris already exists.'],
    [{ web: { redirectUris: ['nonsense'] } }, 'redirectUris'],
    [{ appId: id(4) }, "'appId' is read-only"],
    [{ 'owners@odata.bind': [bind(caller), bind(caller)] }, 'Request contains a property with duplicate values'],
    [{ 'owners@odata.bind': Array.from({ length: 21 }, (_, index) => bind(id(500 + index))) }, 'At most 20'],
  ])('are refused with %j', async (more, message) => {
    const answer = await directory.post('/applications', draft(more));
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  it('keep identifier URIs unique in the tenant until they are deleted, and find applications by them', async () => {
    const first = await make({ identifierUris: ['api://unique'] });
    expect((await directory.post('/applications', draft({ identifierUris: ['api://unique'] }))).body.error.message).toBe(
      'Another object with the same value for property identifierUris already exists.',
    );
    expect((await directory.patch(`/applications/${first}`, { identifierUris: ['api://unique', 'api://second'] })).status).toBe(204);
    const filter = encodeURIComponent("identifierUris/any(uri:uri eq 'api://second')");
    expect((await directory.get(`/applications?$filter=${filter}`)).body.value).toHaveLength(1);
    await directory.delete(`/applications/${first}`);
    const second = await make({ identifierUris: ['api://unique'] });
    expect((await directory.post(`/directory/deletedItems/${first}/restore`)).status).toBe(400);
    await directory.delete(`/applications/${second}`);
    expect((await directory.post(`/directory/deletedItems/${first}/restore`)).status).toBe(200);
    expect((await directory.post('/applications', draft({ identifierUris: ['api://second'] }))).status).toBe(400);
  });

  it('show a secret once, list it without its text, and refuse to remove an unknown one', async () => {
    const applicationId = await make();
    const added = await directory.post(`/applications/${applicationId}/addPassword`, {
      passwordCredential: { displayName: 'ci', endDateTime: '2027-05-01T02:00:00+02:00' },
    });
    expect(added.status).toBe(200);
    expect(added.body).toMatchObject({
      displayName: 'ci',
      endDateTime: '2027-05-01T02:00:00+02:00',
      startDateTime: '2026-01-15T10:00:00Z',
    });
    expect(added.body.secretText).toMatch(/^.{40,}$/);
    const bare = await directory.post(`/applications/${applicationId}/addPassword`, { passwordCredential: {} });
    expect(bare.body.endDateTime).toBe('2028-01-15T10:00:00Z');
    const { text, body } = await directory.get(`/applications/${applicationId}`);
    expect(text).not.toContain(added.body.secretText);
    expect(body.passwordCredentials.map((secret: { keyId: string }) => secret.keyId)).toEqual([added.body.keyId, bare.body.keyId]);
    expect(
      (await directory.post(`/applications/${applicationId}/removePassword`, { keyId: String(added.body.keyId).toUpperCase() })).status,
    ).toBe(204);
    expect((await directory.post(`/applications/${applicationId}/removePassword`, { keyId: added.body.keyId })).status).toBe(400);
  });

  it('give back the secrets of passwordCredentials in the answer to the POST', async () => {
    const { body } = await directory.post(
      '/applications',
      draft({ passwordCredentials: [{ displayName: 'embedded', endDateTime: '2027-01-01T00:00:00Z' }] }),
    );
    expect(body.passwordCredentials).toEqual([
      expect.objectContaining({ displayName: 'embedded', secretText: expect.stringMatching(/.{40,}/) }),
    ]);
    expect((await directory.get(`/applications/${body.id}`)).body.passwordCredentials).toEqual([
      expect.objectContaining({ displayName: 'embedded', secretText: null }),
    ]);
  });

  it('have federated identity credentials with names of their own', async () => {
    const applicationId = await make();
    const path = `/applications/${applicationId}/federatedIdentityCredentials`;
    const credential = { name: 'ci', issuer: 'https://issuer.example', subject: 'repo:x', audiences: ['api://exchange'], description: '' };
    const { status, body } = await directory.post(path, credential);
    expect([status, body.description]).toEqual([201, '']);
    expect((await directory.post(path, credential)).status).toBe(409);
    expect((await directory.patch(`${path}/${body.id}`, { ...credential, id: body.id, subject: 'repo:y' })).status).toBe(204);
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
    expect(flexible.body).toMatchObject({ subject: null, claimsMatchingExpression: { languageVersion: 1 } });
    expect((await directory.post(path, { ...credential, name: 'neither', subject: undefined })).status).toBe(400);
    expect((await directory.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await directory.get(`${path}/${body.id}`)).status).toBe(404);
  });

  it('have a logo whose address shows', async () => {
    const applicationId = await make();
    const png = Buffer.from('iVBORw0KGgo=', 'base64');
    expect(
      (await directory.ask('PUT', `/applications/${applicationId}/logo`, png, { headers: { 'content-type': 'image/png' } })).status,
    ).toBe(204);
    const { info } = (await directory.get(`/applications/${applicationId}`)).body;
    expect(info.logoUrl).toBe(`http://directory.test/v1.0/applications/${applicationId}/logo`);
    expect((await directory.get(info.logoUrl)).headers['content-type']).toBe('image/png');
    await directory.patch(`/applications/${applicationId}`, { info: { supportUrl: 'https://help.example' } });
    expect((await directory.get(`/applications/${applicationId}`)).body.info).toMatchObject({
      logoUrl: info.logoUrl,
      supportUrl: 'https://help.example',
    });
  });

  it('are made from a template together with their service principal', async () => {
    const { body: found } = await directory.get(`/applicationTemplates?$filter=${encodeURIComponent("displayName eq 'Custom'")}`);
    const templateId = found.value[0].id;
    const { status, body } = await directory.post(`/applicationTemplates/${templateId}/instantiate`, { displayName: 'From template' });
    expect(status).toBe(201);
    expect(body.application.applicationTemplateId).toBe(templateId);
    expect(body.servicePrincipal).toMatchObject({
      applicationTemplateId: templateId,
      appId: body.application.appId,
      displayName: 'From template',
    });
    const filter = encodeURIComponent(`applicationTemplateId eq '${templateId}' and displayName eq 'From template'`);
    expect((await directory.get(`/applications?$filter=${filter}`)).body.value).toHaveLength(1);
  });

  it('are registered by anybody and changed by owners and administrators', async () => {
    const ada = person(id(1), ['Application.ReadWrite.All']);
    const created = await directory.post('/applications', { displayName: 'Mine' }, { as: ada });
    expect(created.status).toBe(201);
    expect((await directory.get(`/applications/${created.body.id}/owners`)).body.value.map((owner: { id: string }) => owner.id)).toEqual([
      id(1),
    ]);
    expect((await directory.patch(`/applications/${created.body.id}`, { notes: 'x' }, { as: ada })).status).toBe(204);
    expect((await directory.patch(`/applications/${await make()}`, { notes: 'x' }, { as: ada })).status).toBe(403);
    const ownedBy = application(caller, ['Application.ReadWrite.OwnedBy']);
    expect((await directory.patch(`/applications/${await make()}`, { notes: 'x' }, { as: ownedBy })).status).toBe(204);
    expect((await directory.patch(`/applications/${created.body.id}`, { notes: 'x' }, { as: ownedBy })).status).toBe(403);
  });
});
