import { id, type TestDirectory } from '../support/directory.js';
import {
  referenceTo,
  caller,
  applicationDraft,
  makeApplication,
  startWithCaller,
} from './draft.js';

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

describe.each(['neutral', 'azure'] as const)('applications in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeAll(async () => (directory = await startWithCaller(dialect)));
  afterAll(() => directory.stop());
  const make = (properties?: Record<string, unknown>): Promise<string> =>
    makeApplication(directory, properties);

  it.each([
    ['Role', 201],
    ['Scope', 201],
    ['Permission', 400],
    [null, 400],
  ])('request permissions of the type %s: %i', async (type, status) => {
    const requiredResourceAccess = [
      { resourceAppId: id(71), resourceAccess: [{ id: id(110), type }] },
    ];
    const created = await directory.post('/applications', {
      displayName: 'Shop',
      requiredResourceAccess,
    });
    expect([created.status, created.body.error?.details?.[0]?.target]).toEqual([
      status,
      status === 400 ? 'requiredResourceAccess' : undefined,
    ]);
  });

  it.each([
    ['api', { acceptMappedClaims: 'yes' }],
    ['api', { requestedAccessTokenVersion: 3 }],
    ['api', { requestedAccessTokenVersion: '2' }],
    ['api', { knownClientApplications: 'all' }],
    ['api', { preAuthorizedApplications: [{ appId: 5 }] }],
    ['api', { oauth2PermissionScopes: [5] }],
    ['info', { marketingUrl: 5 }],
    ['optionalClaims', { idToken: 'email' }],
    ['optionalClaims', { idToken: [{ name: 'email', essential: 'yes' }] }],
  ])('refuse values of a wrong type inside %s: %j', async (property, value) => {
    const created = await directory.post('/applications', {
      displayName: 'Shop',
      [property]: value,
    });
    expect([created.status, created.body.error?.details?.[0]?.target]).toEqual([400, property]);
  });

  it('may have members that are null inside their objects', async () => {
    await make({
      api: { requestedAccessTokenVersion: null, acceptMappedClaims: null },
      info: { marketingUrl: null },
      optionalClaims: { idToken: [{ name: 'email', source: null, additionalProperties: null }] },
    });
  });

  it('keep their audience of one tenant while a redirect address has a wildcard', async () => {
    const applicationId = await make({
      web: { redirectUris: ['https://*.shop.example/callback'] },
    });
    const widened = { signInAudience: 'AzureADMultipleOrgs' };
    const refused = await directory.patch(`/applications/${applicationId}`, widened);
    expect([refused.status, refused.body.error?.message]).toEqual([
      400,
      expect.stringContaining('wildcard'),
    ]);
    const changed = { ...widened, web: { redirectUris: ['https://shop.example/callback'] } };
    expect((await directory.patch(`/applications/${applicationId}`, changed)).status).toBe(204);
  });

  it('take enumerated words in any letter case in the azure dialect, and return the usual one', async () => {
    const words = {
      signInAudience: 'azureadmyorg',
      groupMembershipClaims: 'securitygroup, directoryRole',
      appRoles: [{ ...adminRole, allowedMemberTypes: ['user', 'APPLICATION'] }],
      web: { redirectUris: ['https://*.shop.example/callback'] },
    };
    const created = await directory.post('/applications', { displayName: 'Shop', ...words });
    expect(created.status).toBe(dialect === 'azure' ? 201 : 400);
    if (dialect === 'neutral') return;
    expect(created.body).toMatchObject({
      signInAudience: 'AzureADMyOrg',
      groupMembershipClaims: 'SecurityGroup, DirectoryRole',
      appRoles: [{ allowedMemberTypes: ['User', 'Application'] }],
    });
  });

  /**
   * @claim azuread-application: The provider creates, reads and changes an application.
   * @source terraform-provider-azuread, conversation of azuread_application
   * @seen azuread
   */
  it("are created in the Terraform provider's sequence of requests", async () => {
    const applicationId = await make();
    expect(
      (
        await directory.patch(`/applications/${applicationId}`, {
          '@odata.type': '#microsoft.graph.application',
          displayName: 'Portal',
        })
      ).status,
    ).toBe(204);
    expect(
      (await directory.delete(`/applications/${applicationId}/owners/${caller}/$ref`)).status,
    ).toBe(204);
    const { body } = await directory.get(`/applications/${applicationId}`);
    expect(body).toMatchObject({
      displayName: 'Portal',
      groupMembershipClaims: null,
      optionalClaims: null,
      signInAudience: 'AzureADMyOrg',
      passwordCredentials: [],
      keyCredentials: [],
      api: {
        acceptMappedClaims: false,
        oauth2PermissionScopes: [],
        preAuthorizedApplications: [],
        requestedAccessTokenVersion: 1,
      },
      info: { logoUrl: null },
    });
    expect(
      (await directory.get(`/beta/applications/${applicationId}?$select=oauth2RequirePostResponse`))
        .body.oauth2RequirePostResponse,
    ).toBeNull();
    expect((await directory.get(`/applications/${applicationId}/owners`)).body.value).toEqual([]);
    expect((await directory.get(`/applications(appId='${body.appId}')`)).body.id).toBe(
      applicationId,
    );
    expect((await directory.delete(`/applications/${applicationId}`)).status).toBe(204);
    expect((await directory.get(`/applications/${applicationId}`)).status).toBe(404);
  });

  /**
   * @claim application-merge: PATCH of an application merges web, api, spa, publicClient and
   *   info member by member.
   * @source terraform-provider-azuread: a registration sends web without the redirect addresses
   * @seen azuread
   */
  it('merge web, api, spa, publicClient and info by member, and replace optional claims as a whole', async () => {
    const applicationId = await make({
      optionalClaims: {
        idToken: [{ name: 'email', source: '', essential: false, additionalProperties: [] }],
      },
    });
    await directory.patch(`/applications/${applicationId}`, {
      web: { implicitGrantSettings: { enableAccessTokenIssuance: true } },
    });
    await directory.patch(`/applications/${applicationId}`, {
      web: { redirectUris: ['https://b.example/cb'] },
    });
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

  /**
   * @claim application-disable-first: An app role or scope is disabled before it is changed or
   *   removed.
   * @source https://learn.microsoft.com/graph/api/application-update
   * @seen azuread
   */
  it('require roles and scopes to be disabled before they are changed or removed', async () => {
    const applicationId = await make({
      appRoles: [adminRole],
      api: { oauth2PermissionScopes: [readScope] },
    });
    const patch = (
      body: unknown,
    ): Promise<{ status: number; body: { error?: { code: string; message: string } } }> =>
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
    expect(
      (await patch({ id: applicationId, appRoles: [{ ...adminRole, isEnabled: false }] })).status,
    ).toBe(204);
    expect((await patch({ appRoles: [] })).status).toBe(204);
    expect(
      (
        await patch({
          api: { oauth2PermissionScopes: [{ ...readScope, userConsentDescription: null }] },
        })
      ).status,
    ).toBe(204);
    expect(
      (
        await patch({
          api: { preAuthorizedApplications: [{ appId: id(5), delegatedPermissionIds: [id(999)] }] },
        })
      ).status,
    ).toBe(204);
    expect(
      (await patch({ api: { oauth2PermissionScopes: [{ ...readScope, isEnabled: false }] } }))
        .status,
    ).toBe(204);
    expect((await patch({ api: { oauth2PermissionScopes: [] } })).status).toBe(204);
  });

  it('give every role an id and isEnabled, and accept several without a value', async () => {
    const roleWithoutValue = (number: number): Record<string, unknown> => ({
      id: id(number),
      allowedMemberTypes: ['Application'],
      displayName: 'r',
      description: 'r',
      value: '',
    });
    const applicationId = await make({ appRoles: [roleWithoutValue(110), roleWithoutValue(111)] });
    const { body } = await directory.get(`/applications/${applicationId}`);
    expect(
      body.appRoles.map((role: { id: string; isEnabled: boolean }) => [role.id, role.isEnabled]),
    ).toEqual([
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
    [
      { identifierUris: ['api://twice', 'API://twice'] },
      'Another object with the same value for property identifierUris already exists.',
    ],
    [{ web: { redirectUris: ['nonsense'] } }, 'redirectUris'],
    [{ appId: id(4) }, "'appId' is read-only"],
    [
      { 'owners@odata.bind': [referenceTo(caller), referenceTo(caller)] },
      'Request contains a property with duplicate values',
    ],
    [
      {
        'owners@odata.bind': Array.from({ length: 21 }, (_, index) => referenceTo(id(500 + index))),
      },
      'At most 20',
    ],
  ])('are refused with %j', async (properties, message) => {
    const answer = await directory.post('/applications', applicationDraft(properties));
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  /**
   * @claim application-uris: Identifier URIs are unique in the tenant.
   * @source https://learn.microsoft.com/graph/api/resources/application
   * @seen azuread
   */
  it('keep identifier URIs unique in the tenant until they are deleted, and find applications by them', async () => {
    const first = await make({ identifierUris: ['api://unique'] });
    expect(
      (
        await directory.post(
          '/applications',
          applicationDraft({ identifierUris: ['api://unique'] }),
        )
      ).body.error.message,
    ).toBe('Another object with the same value for property identifierUris already exists.');
    expect(
      (
        await directory.patch(`/applications/${first}`, {
          identifierUris: ['api://unique', 'api://second'],
        })
      ).status,
    ).toBe(204);
    const filter = encodeURIComponent("identifierUris/any(uri:uri eq 'api://second')");
    expect((await directory.get(`/applications?$filter=${filter}`)).body.value).toHaveLength(1);
    await directory.delete(`/applications/${first}`);
    const second = await make({ identifierUris: ['api://unique'] });
    expect((await directory.post(`/directory/deletedItems/${first}/restore`)).status).toBe(400);
    await directory.delete(`/applications/${second}`);
    expect((await directory.post(`/directory/deletedItems/${first}/restore`)).status).toBe(200);
    expect(
      (
        await directory.post(
          '/applications',
          applicationDraft({ identifierUris: ['api://second'] }),
        )
      ).status,
    ).toBe(400);
  });
});
