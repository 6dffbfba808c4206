import {
  TestDirectory,
  application,
  id,
  securityGroup,
  unifiedGroup,
  user,
} from '../support/directory.js';

/**
 * What the official provider sends and what it reads of the answers, where the service once
 * differed from the cloud.
 */
describe('the official provider of the directory', () => {
  const tenantId = '5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b';
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: { users: [user(id(1)), user(id(2))] },
    });
  });
  afterAll(() => directory.stop());

  describe('writebackConfiguration', () => {
    const neverSet = { isEnabled: false, onPremisesGroupType: null };
    const read = async (group: string): Promise<unknown> =>
      (await directory.get(`/groups/${group}`)).body.writebackConfiguration;

    /**
     * @claim writeback-object: writebackConfiguration is an object in every answer.
     * @source observed: with null, every import by the provider differs
     * @seen azuread
     */
    it('is an object in every answer, also if it was never set', async () => {
      const { body } = await directory.post('/groups', securityGroup());
      expect(body.writebackConfiguration).toEqual(neverSet);
      expect(await read(body.id)).toEqual(neverSet);
      const listed = (await directory.get(`/groups?$filter=id eq '${body.id}'`)).body.value[0];
      expect(listed.writebackConfiguration).toEqual(neverSet);
      expect(
        (await directory.get(`/groups/${body.id}?$select=writebackConfiguration`)).body
          .writebackConfiguration,
      ).toEqual(neverSet);
    });

    it('keeps its values when one part changes', async () => {
      const created = await directory.post(
        '/groups',
        unifiedGroup({ writebackConfiguration: { isEnabled: true } }),
      );
      expect(created.body.writebackConfiguration).toEqual({
        isEnabled: true,
        onPremisesGroupType: null,
      });
      const path = `/groups/${created.body.id}`;
      const change = {
        '@odata.type': '#microsoft.graph.groupWritebackConfiguration',
        onPremisesGroupType: 'UniversalSecurityGroup',
      };
      expect((await directory.patch(path, { writebackConfiguration: change })).status).toBe(204);
      expect(await read(created.body.id)).toEqual({
        isEnabled: true,
        onPremisesGroupType: 'UniversalSecurityGroup',
      });
      expect(
        (
          await directory.patch(path, {
            writebackConfiguration: { isEnabled: false, onPremisesGroupType: null },
          })
        ).status,
      ).toBe(204);
      expect(await read(created.body.id)).toEqual(neverSet);
    });

    it.each([{ isEnabled: 'yes' }, { onPremisesGroupType: 'Chair' }, [], 'on'])(
      'refuses %j',
      async (value) => {
        const answer = await directory.post(
          '/groups',
          securityGroup({ writebackConfiguration: value }),
        );
        expect([answer.status, answer.text]).toEqual([
          400,
          expect.stringContaining('writebackConfiguration'),
        ]);
      },
    );
  });

  it('finds the tenant of its token under any tenant address', async () => {
    const as = {
      ...application(id(90), [
        'Application.ReadWrite.All',
        'Group.ReadWrite.All',
        'Directory.ReadWrite.All',
      ]),
      tenantId,
    };
    const { appId } = (await directory.post('/applications', { displayName: 'Portal' }, { as }))
      .body;
    const principal = (await directory.post('/servicePrincipals', { appId }, { as })).body;
    expect(principal.appOwnerOrganizationId).toBe(tenantId);
    const { samlMetadataUrl } = (
      await directory.get(`/servicePrincipals/${principal.id}?$select=samlMetadataUrl`, { as })
    ).body;
    expect(samlMetadataUrl).toContain(`/${tenantId}/federationmetadata/`);
    const template = '8adf8e6e-67b2-4cf2-a259-e3dc5476c621';
    const created = await directory.post(
      `/applicationTemplates/${template}/instantiate`,
      { displayName: 'Saml' },
      { as },
    );
    expect(created.body.servicePrincipal.appOwnerOrganizationId).toBe(tenantId);
    const group = (
      await directory.post('/groups', unifiedGroup({ resourceProvisioningOptions: ['Team'] }))
    ).body.id;
    expect((await directory.get(`/teams/${group}`, { as })).body.tenantId).toBe(tenantId);
  });

  /**
   * @claim federated-dots: The name of a federated identity credential may have dots.
   * @source https://learn.microsoft.com/graph/api/application-post-federatedidentitycredentials
   * @seen azuread
   */
  it('accepts federated identity credentials with dots in their name', async () => {
    const applicationId = (await directory.post('/applications', { displayName: 'Federated' })).body
      .id;
    const path = `/applications/${applicationId}/federatedIdentityCredentials`;
    const credential = (name: string): object => ({
      name,
      issuer: 'https://tokens.example',
      subject: 'repo:a/b:ref:refs/heads/main',
      audiences: ['api://exchange'],
    });
    expect((await directory.post(path, credential('example.com-1'))).body.name).toBe(
      'example.com-1',
    );
    for (const name of ['.com', '-a', 'a b', 'a/b', '', 'a'.repeat(121)])
      expect([name, (await directory.post(path, credential(name))).status]).toEqual([name, 400]);
  });

  /**
   * @claim templates-addresses: Application templates have addresses of their homepage and logo.
   * @source https://learn.microsoft.com/graph/api/applicationtemplate-list
   * @seen azuread
   */
  it('reads the addresses of application templates', async () => {
    const { value } = (
      await directory.get("/applicationTemplates?$filter=displayName eq 'Marketo'")
    ).body;
    expect(value).toHaveLength(1);
    expect(value[0]).toMatchObject({
      homePageUrl: expect.stringMatching(/^https:/),
      logoUrl: expect.stringMatching(/^https:/),
    });
  });

  /**
   * @claim role-templates: Every published role template can be activated.
   * @source
   *   https://learn.microsoft.com/entra/identity/role-based-access-control/permissions-reference
   * @seen azuread
   */
  it('activates roles from every template that the cloud publishes', async () => {
    const { value } = (await directory.get('/directoryRoleTemplates')).body as {
      value: { id: string; displayName: string }[];
    };
    expect(value.length).toBeGreaterThanOrEqual(130);
    expect(new Set(value.map(({ id: each }) => each)).size).toBe(value.length);
    expect(new Set(value.map(({ displayName }) => displayName)).size).toBe(value.length);
    const printer = '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f';
    expect((await directory.get(`/directoryRoleTemplates/${printer}`)).body.displayName).toBe(
      'Printer Administrator',
    );
    const role = await directory.post('/directoryRoles', { roleTemplateId: printer });
    expect(role.body).toMatchObject({
      displayName: 'Printer Administrator',
      roleTemplateId: printer,
    });
    expect(
      (await directory.get(`/roleManagement/directory/roleDefinitions/${printer}`)).body
        .displayName,
    ).toBe('Printer Administrator');
  });
});

describe('sign-in policies and invitations of the official provider', () => {
  let directory: TestDirectory;
  const as = application(id(90), [
    'Policy.ReadWrite.ConditionalAccess',
    'EntitlementManagement.ReadWrite.All',
    'User.Invite.All',
  ]);
  const reader = application(id(91), ['Policy.Read.All', 'User.Read.All']);
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect: 'azure', seed: { users: [user(id(1))] } });
  });
  afterAll(() => directory.stop());

  const policy = {
    displayName: 'Only with a second factor',
    state: 'enabledForReportingButNotEnforced',
    conditions: {
      clientAppTypes: ['all'],
      users: { includeUsers: ['All'], excludeUsers: [] },
      locations: null,
    },
    grantControls: { operator: 'OR', builtInControls: ['mfa'] },
    sessionControls: null,
  };
  const location = {
    '@odata.type': '#microsoft.graph.ipNamedLocation',
    displayName: 'Office',
    isTrusted: true,
    ipRanges: [{ '@odata.type': '#microsoft.graph.iPv4CidrRange', cidrAddress: '192.0.2.0/24' }],
  };

  it.each<[string, Record<string, unknown>, string]>([
    ['identity/conditionalAccess/policies', policy, 'displayName'],
    ['identity/conditionalAccess/namedLocations', location, 'displayName'],
    [
      'identityGovernance/entitlementManagement/accessPackages',
      { displayName: 'Tools', catalog: { id: id(5) } },
      'displayName',
    ],
  ])('%s are stored as sent', async (collection, body, required) => {
    for (const base of ['/', '/beta/']) {
      const path = base === '/' ? `/${collection}` : `/beta/${collection}`;
      const created = await directory.ask('POST', path, body, { as });
      expect([created.status, created.body]).toEqual([
        201,
        expect.objectContaining({ ...body, id: expect.any(String) }),
      ]);
      const objectPath = `${path}/${created.body.id}`;
      expect((await directory.ask('GET', objectPath, undefined, { as })).body).toMatchObject(body);
      const filter = encodeURIComponent(`displayName eq '${String(body['displayName'])}'`);
      expect(
        (await directory.ask('GET', `${path}?$filter=${filter}`, undefined, { as })).body.value,
      ).toHaveLength(1);
      const type = body['@odata.type'] === undefined ? {} : { '@odata.type': body['@odata.type'] };
      expect(
        (await directory.ask('PATCH', objectPath, { ...type, displayName: 'Other' }, { as }))
          .status,
      ).toBe(204);
      expect((await directory.ask('GET', objectPath, undefined, { as })).body).toMatchObject({
        ...body,
        displayName: 'Other',
      });
      expect((await directory.ask('DELETE', objectPath, undefined, { as })).status).toBe(204);
      for (const method of ['GET', 'DELETE'])
        expect((await directory.ask(method, objectPath, undefined, { as })).status).toBe(404);
      const { [required]: _without, ...incomplete } = body;
      expect((await directory.ask('POST', path, incomplete, { as })).status).toBe(400);
    }
  });

  it('require one permission to read, another to write', async () => {
    const path = '/identity/conditionalAccess/policies';
    expect((await directory.ask('POST', path, policy, { as: reader })).status).toBe(403);
    expect((await directory.ask('GET', path, undefined, { as: reader })).status).toBe(200);
    expect(
      (
        await directory.ask(
          'GET',
          '/identityGovernance/entitlementManagement/accessPackages',
          undefined,
          { as: reader },
        )
      ).status,
    ).toBe(403);
  });

  /**
   * @claim named-location-type: A named location needs its `@odata.type`.
   * @source https://learn.microsoft.com/graph/api/conditionalaccessroot-post-namedlocations
   * @seen azuread
   */
  it('a named location needs its type', async () => {
    const { '@odata.type': _type, ...untyped } = location;
    const answer = await directory.ask(
      'POST',
      '/identity/conditionalAccess/namedLocations',
      untyped,
      { as },
    );
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('countryNamedLocation'),
    ]);
  });

  /**
   * @claim invitation: An invitation makes a guest account, and finds it the next time.
   * @source https://learn.microsoft.com/graph/api/invitation-post
   * @seen azuread
   */
  it('an invited person has one guest account', async () => {
    const invitation = {
      invitedUserEmailAddress: 'ada@partner.example',
      inviteRedirectUrl: 'https://shop.example/',
    };
    const { status, body } = await directory.ask(
      'POST',
      '/invitations',
      { ...invitation, invitedUserDisplayName: 'Ada' },
      { as },
    );
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...invitation,
        status: 'PendingAcceptance',
        inviteRedeemUrl: expect.stringMatching(/^https?:/),
      }),
    ]);
    const select = 'displayName,mail,userType,userPrincipalName,creationType,externalUserState';
    const guest = await directory.ask(
      'GET',
      `/users/${body.invitedUser.id}?$select=${select}`,
      undefined,
      { as: reader },
    );
    expect(guest.body).toMatchObject({
      displayName: 'Ada',
      mail: 'ada@partner.example',
      userType: 'Guest',
      userPrincipalName: expect.stringMatching(/^ada_partner\.example#EXT#@/),
      creationType: 'Invitation',
      externalUserState: 'PendingAcceptance',
    });
    expect((await directory.ask('POST', '/invitations', invitation, { as })).status).toBe(400);
    const others = [{ invitedUserType: 'Chair' }, { invitedUserDisplayName: {} }].map((each) => ({
      ...invitation,
      ...each,
    }));
    for (const wrong of [
      {},
      { ...invitation, invitedUserEmailAddress: 'ada' },
      { ...invitation, inviteRedirectUrl: 'here' },
      ...others,
    ])
      expect((await directory.ask('POST', '/invitations', wrong, { as })).status).toBe(400);
    expect((await directory.ask('POST', '/invitations', invitation, { as: reader })).status).toBe(
      403,
    );
  });
});
