import { TestDirectory, id, securityGroup, unifiedGroup, user } from '../support/directory.js';

describe.each(['neutral', 'azure'] as const)('groups in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect, seed: { users: [user(id(1)), user(id(2))] } });
  });
  afterAll(() => directory.stop());

  /**
   * @claim group-create-nulls: POST /groups answers 201 with every default property, those
   *   without a value as null.
   * @source https://learn.microsoft.com/graph/api/group-post-groups
   * @seen azuread
   */
  it('creates a security group and returns every default property, including nulls', async () => {
    const answer = await directory.post(
      '/groups',
      securityGroup({ displayName: 'Ops', mailNickname: 'ops' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`http://directory.test/v1.0/groups/${answer.body.id}`);
    const {
      id: groupId,
      createdDateTime,
      renewedDateTime,
      securityIdentifier,
      ...otherProperties
    } = answer.body;
    expect(groupId).toMatch(/^[0-9a-f-]{36}$/);
    expect(createdDateTime).toBe('2026-01-15T10:00:00Z');
    expect(renewedDateTime).toBe(createdDateTime);
    expect(securityIdentifier).toMatch(/^S-1-12-1-\d+-\d+-\d+-\d+$/);
    expect(otherProperties).toEqual({
      '@odata.context': 'http://directory.test/v1.0/$metadata#groups/$entity',
      deletedDateTime: null,
      classification: null,
      creationOptions: [],
      description: null,
      displayName: 'Ops',
      expirationDateTime: null,
      groupTypes: [],
      isAssignableToRole: null,
      mail: null,
      mailEnabled: false,
      mailNickname: 'ops',
      membershipRule: null,
      membershipRuleProcessingState: null,
      onPremisesDomainName: null,
      onPremisesLastSyncDateTime: null,
      onPremisesNetBiosName: null,
      onPremisesProvisioningErrors: [],
      onPremisesSamAccountName: null,
      onPremisesSecurityIdentifier: null,
      onPremisesSyncEnabled: null,
      preferredDataLocation: null,
      preferredLanguage: null,
      proxyAddresses: [],
      resourceBehaviorOptions: [],
      resourceProvisioningOptions: [],
      securityEnabled: true,
      serviceProvisioningErrors: [],
      theme: null,
      uniqueName: null,
      visibility: dialect === 'neutral' ? 'Private' : null,
      writebackConfiguration: { isEnabled: false, onPremisesGroupType: null },
    });
  });

  it('takes types in any letter case in the azure dialect, and returns the usual one', async () => {
    const created = await directory.post('/groups', unifiedGroup({ groupTypes: ['unified'] }));
    expect(created.status).toBe(dialect === 'azure' ? 201 : 400);
    const twice = { groupTypes: ['Unified', 'unified'] };
    expect((await directory.post('/groups', unifiedGroup(twice))).status).toBe(400);
    if (dialect === 'neutral') return;
    expect(created.body).toMatchObject({ groupTypes: ['Unified'], visibility: 'Public' });
    const change = {
      groupTypes: ['UNIFIED', 'dynamicmembership'],
      membershipRule: 'user.objectId -ne null',
    };
    expect((await directory.patch(`/groups/${created.body.id}`, change)).status).toBe(204);
    expect((await directory.get(`/groups/${created.body.id}`)).body.groupTypes).toEqual([
      'Unified',
      'DynamicMembership',
    ]);
  });

  /**
   * @claim group-create-unified: A unified group gets an address of its nickname at the default
   *   domain, and is Public unless the request says otherwise.
   * @source https://learn.microsoft.com/graph/api/group-post-groups
   * @seen azuread
   */
  it('creates a unified group with an address and Public visibility', async () => {
    const { body } = await directory.post(
      '/groups',
      unifiedGroup({ mailNickname: `library-${dialect}` }),
    );
    expect(body).toMatchObject({
      mail: `library-${dialect}@castellan.example`,
      proxyAddresses: [`SMTP:library-${dialect}@castellan.example`],
      visibility: 'Public',
      groupTypes: ['Unified'],
    });
  });

  it('gets, lists, changes and deletes a group', async () => {
    const group = await directory.group({ displayName: 'Temporary' });
    expect((await directory.get(`/groups/${group['id']}`)).body.displayName).toBe('Temporary');
    expect((await directory.get(`/groups/${String(group['id']).toUpperCase()}`)).status).toBe(200);
    expect((await directory.get(`/groups('${group['id']}')`)).status).toBe(200);
    expect(
      (
        await directory.patch(`/groups/${group['id']}`, {
          displayName: 'Renamed',
          '@odata.type': '#any',
        })
      ).status,
    ).toBe(204);
    const list = await directory.get(
      `/groups?$filter=displayName eq 'renamed'&$select=id,displayName`,
    );
    expect(list.body).toEqual({
      '@odata.context': 'http://directory.test/v1.0/$metadata#groups(id,displayName)',
      value: [{ id: group['id'], displayName: 'Renamed' }],
    });
    expect((await directory.delete(`/groups/${group['id']}`)).status).toBe(204);
    const afterDeletion = await directory.get(`/groups/${group['id']}`);
    expect(afterDeletion.status).toBe(404);
    expect(afterDeletion.body.error.code).toBe('Request_ResourceNotFound');
    expect(afterDeletion.body.error.message).toBe(
      `Resource '${group['id']}' does not exist or one of its queried reference-property objects are not present.`,
    );
  });

  /**
   * @claim paging-absolute: Lists go on at `@odata.nextLink`, an absolute address that keeps the
   *   options.
   * @source https://learn.microsoft.com/graph/paging
   * @seen azuread
   */
  it('pages with absolute links that keep the options', async () => {
    await directory.group({ displayName: 'Paged 1' });
    await directory.group({ displayName: 'Paged 2' });
    await directory.group({ displayName: 'Paged 3' });
    const names: string[] = [];
    let link: string | undefined =
      `/groups?$filter=startswith(displayName, 'paged')&$top=1&$select=displayName`;
    while (link !== undefined) {
      const page: { body: { value: { displayName: string }[]; '@odata.nextLink'?: string } } =
        await directory.get(link);
      names.push(...page.body.value.map((group) => group.displayName));
      link = page.body['@odata.nextLink'];
      if (link)
        expect(link).toMatch(/^http:\/\/directory\.test\/v1\.0\/groups\?.*\$top=1.*\$skiptoken=/);
    }
    expect(names).toEqual(['Paged 1', 'Paged 2', 'Paged 3']);
  });

  /**
   * @claim group-bind-typed: Bound owners and members are listed with their `@odata.type`.
   * @source https://learn.microsoft.com/graph/api/group-post-groups
   * @seen azuread
   */
  it('binds owners and members at creation and lists them with their type', async () => {
    const namespace = dialect === 'neutral' ? 'svc.directory' : 'microsoft.graph';
    const group = await directory.group({
      'owners@odata.bind': [`http://directory.test/v1.0/users/${id(1)}`],
      'members@odata.bind': [
        `http://directory.test/v1.0/directoryObjects/${id(1)}`,
        `http://directory.test/beta/users('${id(2)}')`,
      ],
    });
    const owners = await directory.get(`/groups/${group['id']}/owners`);
    expect(owners.body['@odata.context']).toBe(
      'http://directory.test/v1.0/$metadata#directoryObjects',
    );
    expect(owners.body.value).toHaveLength(1);
    expect(owners.body.value[0]).toMatchObject({ '@odata.type': `#${namespace}.user`, id: id(1) });
    const members = await directory.get(
      `/groups/${group['id']}/members/${namespace}.user?$select=id`,
    );
    expect(members.body.value).toEqual([{ id: id(1) }, { id: id(2) }]);
    const count = await directory.advanced(`/groups/${group['id']}/members/$count`);
    expect(count.text).toBe('2');
    expect(count.headers['content-type']).toMatch(/^text\/plain/);
    const references = await directory.get(`/groups/${group['id']}/members/$ref`);
    expect(references.body.value[0]).toEqual({
      '@odata.id': `http://directory.test/v1.0/directoryObjects/${id(1)}`,
    });
    const filtered = await directory.get(
      `/beta/groups/${group['id']}/members?$filter=id eq '${id(2)}'`,
    );
    expect(filtered.body.value.map((each: { id: string }) => each.id)).toEqual([id(2)]);
  });
});
