import { TestDirectory, application, id, user } from '../support/directory.js';

const caller = id(70);
const bind = (objectId: string): string =>
  `https://graph.example/v1.0/directoryObjects/${objectId}`;

function draft(appId: string, properties: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@odata.type': '#microsoft.graph.servicePrincipal',
    accountEnabled: true,
    alternativeNames: [],
    appId,
    appRoleAssignmentRequired: false,
    description: 'TERRAFORM_UPDATE_1',
    loginUrl: null,
    notes: null,
    notificationEmailAddresses: [],
    preferredSingleSignOnMode: null,
    samlSingleSignOnSettings: {},
    tags: [],
    'owners@odata.bind': [bind(caller)],
    ...properties,
  };
}

describe.each(['neutral', 'azure'] as const)('service principals in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  const register = async (
    properties: Record<string, unknown> = {},
  ): Promise<{ id: string; appId: string }> =>
    (await directory.post('/applications', { displayName: 'Portal', ...properties })).body as {
      id: string;
      appId: string;
    };
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: {
        users: [user(id(1))],
        servicePrincipals: [{ id: caller, displayName: 'terraform', appId: id(71) }],
      },
    });
  });
  afterAll(() => directory.stop());

  /**
   * @claim azuread-service-principal: The provider creates, reads, changes and deletes a service
   *   principal.
   * @source terraform-provider-azuread, conversation of azuread_service_principal
   * @seen azuread
   */
  it("are created, read, changed and deleted in the Terraform provider's sequence of requests", async () => {
    const { appId } = await register();
    const byAppId = `/servicePrincipals?$filter=${encodeURIComponent(`appId eq '${appId}'`)}`;
    expect((await directory.get(byAppId)).body.value).toEqual([]);
    const created = await directory.post('/servicePrincipals', draft(appId));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      appId,
      displayName: 'Portal',
      servicePrincipalType: 'Application',
      samlSingleSignOnSettings: null,
    });
    const path = `/servicePrincipals/${created.body.id}`;
    expect(
      (
        await directory.patch(path, {
          '@odata.type': '#microsoft.graph.servicePrincipal',
          description: null,
        })
      ).status,
    ).toBe(204);
    expect((await directory.delete(`${path}/owners/${caller}/$ref`)).status).toBe(204);
    expect(
      (await directory.get(`/beta${path}?$select=samlMetadataUrl`)).body.samlMetadataUrl,
    ).toMatch(/^http/);
    expect((await directory.get(`${path}/owners`)).body.value).toEqual([]);
    const {
      appId: _id,
      'owners@odata.bind': _owners,
      ...settings
    } = draft(appId, { tags: ['HideApp'], samlSingleSignOnSettings: { relayState: 'x' } });
    expect((await directory.patch(path, settings)).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({
      tags: ['HideApp'],
      samlSingleSignOnSettings: { relayState: 'x' },
    });
    await directory.patch(path, { samlSingleSignOnSettings: {} });
    expect((await directory.get(path)).body.samlSingleSignOnSettings).toBeNull();
    expect((await directory.delete(path)).status).toBe(204);
    expect((await directory.get(path)).status).toBe(404);
    expect((await directory.get(byAppId)).body.value).toEqual([]);
    expect((await directory.post('/servicePrincipals', draft(appId))).status).toBe(201);
  });

  it('follow their application at once', async () => {
    const { id: applicationId, appId } = await register();
    const { id: principalId } = (await directory.post('/servicePrincipals', draft(appId))).body;
    const role = {
      id: id(120),
      allowedMemberTypes: ['User'],
      displayName: 'R',
      description: 'R',
      isEnabled: true,
      value: 'R',
    };
    await directory.patch(`/applications/${applicationId}`, {
      displayName: 'Renamed',
      identifierUris: [`api://${appId}`],
      appRoles: [role],
      web: { redirectUris: ['https://web.example/cb'], homePageUrl: 'https://home.example' },
      spa: { redirectUris: ['https://spa.example/cb'] },
      publicClient: { redirectUris: ['myapp://cb'] },
    });
    expect((await directory.get(`/servicePrincipals/${principalId}`)).body).toMatchObject({
      displayName: 'Renamed',
      appRoles: [expect.objectContaining({ id: id(120) })],
      replyUrls: ['https://web.example/cb', 'https://spa.example/cb', 'myapp://cb'],
      homepage: 'https://home.example',
      servicePrincipalNames: [appId, `api://${appId}`],
    });
    const matches = await directory.get(
      `/servicePrincipals?$filter=${encodeURIComponent("displayName eq 'rEnAmEd'")}`,
    );
    expect(matches.body.value).toHaveLength(1);
  });

  /**
   * @claim service-principal-one: An application has one service principal at most in a tenant.
   * @source https://learn.microsoft.com/graph/api/serviceprincipal-post-serviceprincipals
   * @seen azuread
   */
  it('require an application, which has at most one', async () => {
    const missing = await directory.post('/servicePrincipals', draft(id(404)));
    expect([missing.status, missing.body.error.message]).toEqual([
      400,
      `The appId '${id(404)}' of the service principal does not reference a valid application object.`,
    ]);
    const { appId } = await register();
    await directory.post('/servicePrincipals', draft(appId));
    expect((await directory.post('/servicePrincipals', draft(appId))).status).toBe(409);
  });

  it('are deleted with their application, and restored by themselves', async () => {
    const application = await register();
    const { id: principal } = (
      await directory.post('/servicePrincipals', { appId: application.appId })
    ).body;
    expect((await directory.delete(`/applications/${application.id}`)).status).toBe(204);
    expect((await directory.get(`/servicePrincipals/${principal}`)).status).toBe(404);
    for (const [path, objectId] of [
      ['applications', application.id],
      ['servicePrincipals', principal],
    ] as const) {
      expect((await directory.get(`/${path}/${objectId}`)).status).toBe(404);
      const restored = await directory.post(`/directory/deletedItems/${objectId}/restore`);
      expect([path, restored.status]).toEqual([path, 200]);
      expect((await directory.get(`/${path}/${objectId}`)).status).toBe(200);
    }
  });

  it('have their own secrets', async () => {
    const { appId } = await register();
    const { id: principalId } = (await directory.post('/servicePrincipals', draft(appId))).body;
    const secret = (
      await directory.post(`/servicePrincipals/${principalId}/addPassword`, {
        passwordCredential: {},
      })
    ).body;
    expect(
      (await directory.get(`/servicePrincipals/${principalId}`)).body.passwordCredentials,
    ).toEqual([expect.objectContaining({ keyId: secret.keyId, secretText: null })]);
    expect(
      (
        await directory.post(`/servicePrincipals/${principalId}/removePassword`, {
          keyId: secret.keyId,
        })
      ).status,
    ).toBe(204);
  });

  /**
   * @claim claims-mapping: Claims mapping policies are assigned by reference.
   * @source https://learn.microsoft.com/graph/api/serviceprincipal-post-claimsmappingpolicies
   * @seen azuread
   */
  it('accept claims mapping policies by reference', async () => {
    const { appId } = await register();
    const { id: principalId } = (await directory.post('/servicePrincipals', draft(appId))).body;
    const policy = await directory.post('/policies/claimsMappingPolicies', {
      displayName: 'Mapping',
      definition: ['{"ClaimsMappingPolicy":{"Version":1}}'],
    });
    expect(policy.status).toBe(201);
    const path = `/servicePrincipals/${principalId}/claimsMappingPolicies`;
    expect(
      (
        await directory.post(`${path}/$ref`, {
          '@odata.id': `https://x/v1.0/policies/claimsMappingPolicies/${policy.body.id}`,
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(path)).body.value.map((each: { id: string }) => each.id)).toEqual([
      policy.body.id,
    ]);
    expect((await directory.delete(`${path}/${policy.body.id}/$ref`)).status).toBe(204);
    expect(
      (
        await directory.post('/policies/claimsMappingPolicies', {
          displayName: 'x',
          definition: ['not json'],
        })
      ).status,
    ).toBe(400);
    expect(
      (await directory.delete(`/policies/claimsMappingPolicies/${policy.body.id}`)).status,
    ).toBe(204);
  });
});

describe("the platform's own service principals", () => {
  it('exist from the start in the azure dialect, are found by name and appId, can be changed and not deleted', async () => {
    const directory = await TestDirectory.start({ dialect: 'azure' });
    const { body } = await directory.get(
      `/servicePrincipals?$filter=${encodeURIComponent("displayName eq 'MiCrOsOfT GrApH'")}`,
    );
    const [graph] = body.value;
    expect(graph).toMatchObject({
      appId: '00000003-0000-0000-c000-000000000000',
      appOwnerOrganizationId: 'f8cdef31-a31e-4b4a-93e4-5f571e91255a',
    });
    expect(graph.appRoles).toContainEqual(
      expect.objectContaining({
        id: 'df021288-bdef-4463-88db-98f22de89214',
        value: 'User.Read.All',
        isEnabled: true,
      }),
    );
    expect(graph.oauth2PermissionScopes).toContainEqual(
      expect.objectContaining({ id: 'e1fe6dd8-ba31-4d61-89e7-88639da4683d', value: 'User.Read' }),
    );
    const { 'owners@odata.bind': _owners, appId: _appId, ...settings } = draft('');
    expect((await directory.patch(`/servicePrincipals/${graph.id}`, settings)).status).toBe(204);
    expect((await directory.delete(`/servicePrincipals/${graph.id}`)).status).toBe(403);
    const secondDirectory = await TestDirectory.start({ dialect: 'azure' });
    expect((await secondDirectory.get(`/servicePrincipals/${graph.id}`)).status).toBe(200);
    await Promise.all([directory.stop(), secondDirectory.stop()]);
  });

  it('do not exist in the neutral dialect', async () => {
    const directory = await TestDirectory.start();
    expect((await directory.get('/servicePrincipals')).body.value).toEqual([]);
    await directory.stop();
  });
});

describe('an application token', () => {
  it('reads service principals with the permission for applications', async () => {
    const directory = await TestDirectory.start();
    expect(
      (
        await directory.get('/servicePrincipals', {
          as: application(id(1), ['Application.Read.All']),
        })
      ).status,
    ).toBe(200);
    expect(
      (await directory.get('/servicePrincipals', { as: application(id(1), ['User.Read.All']) }))
        .status,
    ).toBe(403);
    await directory.stop();
  });
});
