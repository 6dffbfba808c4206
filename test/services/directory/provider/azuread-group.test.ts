import type { Caller } from '../../../../services/common/caller.js';
import { type Answer, application, id, TestDirectory, user } from '../support/directory.js';

const robot = id(600);
/** What the official provider sends with every request. */
const headers = {
  accept: 'application/json; charset=utf-8; IEEE754Compatible=false',
  'content-type': 'application/json; charset=utf-8',
  'odata-version': '4.0',
  'odata-maxversion': '4.0',
};

/**
 * The conversations of azuread_group, azuread_group_without_members, azuread_group_member and
 * data.azuread_group(s), replayed.
 */
describe("the official provider's requests for groups", () => {
  let directory: TestDirectory;
  const caller: Caller = application(robot, [
    'Directory.ReadWrite.All',
    'Group.ReadWrite.All',
    'User.ReadWrite.All',
    'Application.ReadWrite.All',
    'RoleManagement.ReadWrite.Directory',
  ]);
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    directory.ask(method, path, body, { as: caller, headers });
  const reference = (target: string): unknown => ({
    '@odata.id': `http://directory.test/beta/directoryObjects/${target}`,
  });

  beforeAll(async () => {
    directory = await TestDirectory.start({
      dialect: 'azure',
      seed: {
        users: [1, 2, 3].map((each) => user(id(each))),
        servicePrincipals: [{ id: robot, displayName: 'terraform', appId: id(601) }],
      },
    });
  });
  afterAll(() => directory.stop());

  const body = (properties: Record<string, unknown> = {}): Record<string, unknown> => ({
    '@odata.type': '#microsoft.graph.group',
    description: 'd',
    displayName: 'x',
    groupTypes: [],
    isAssignableToRole: false,
    mailEnabled: false,
    mailNickname: '1a2b3c4d-5',
    membershipRule: null,
    'owners@odata.bind': [`http://directory.test/beta/directoryObjects/${robot}`],
    resourceBehaviorOptions: [],
    resourceProvisioningOptions: [],
    securityEnabled: true,
    ...properties,
  });

  /**
   * @claim azuread-group: The provider creates a security group, renames it twice, reads it five
   *   times, changes and deletes it.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('creates, renames back and forth, reads, changes and deletes a security group', async () => {
    for (const owner of [id(1), robot]) {
      const object = await send('GET', `/v1.0/directoryObjects/${owner}`);
      expect(object.body['@odata.type']).toBe(
        owner === robot ? '#microsoft.graph.servicePrincipal' : '#microsoft.graph.user',
      );
    }
    const created = await send('POST', '/beta/groups', body());
    expect(created.status).toBe(201);
    const group = `/beta/groups/${created.body.id}`;
    for (const displayName of ['TERRAFORM_UPDATE_6f1b', 'x'])
      expect(
        (await send('PATCH', group, { '@odata.type': '#microsoft.graph.group', displayName }))
          .status,
      ).toBe(204);
    for (let time = 0; time < 5; time++)
      expect((await send('GET', group)).body.displayName).toBe('x');
    expect((await send('POST', `${group}/members/$ref`, reference(id(1)))).status).toBe(204);

    const read = await send('GET', group);
    expect(read.headers['content-type']).toMatch(/^application\/json/);
    for (const name of [
      'membershipRule',
      'description',
      'visibility',
      'theme',
      'preferredLanguage',
      'mail',
    ])
      expect(name in read.body).toBe(true);
    expect(read.body.membershipRule).toBeNull();
    const [owners, members, memberOf] = await Promise.all(
      ['owners', 'members', 'memberOf'].map((name) => send('GET', `${group}/${name}`)),
    );
    expect(owners?.body.value).toMatchObject([
      { '@odata.type': '#microsoft.graph.servicePrincipal', id: robot },
    ]);
    expect(members?.body.value).toMatchObject([
      { '@odata.type': '#microsoft.graph.user', id: id(1) },
    ]);
    expect(memberOf?.body.value).toEqual([]);

    const update = {
      '@odata.type': '#microsoft.graph.group',
      description: null,
      displayName: 'y',
      mailEnabled: false,
      membershipRule: null,
      securityEnabled: true,
    };
    expect((await send('PATCH', group, update)).status).toBe(204);
    expect((await send('GET', group)).body).toMatchObject({ displayName: 'y', description: null });
    expect((await send('DELETE', `${group}/members/${id(1)}/$ref`)).status).toBe(204);
    expect((await send('POST', `${group}/owners/$ref`, reference(id(2)))).status).toBe(204);
    expect((await send('DELETE', `${group}/owners/${robot}/$ref`)).status).toBe(204);
    expect((await send('DELETE', group)).status).toBe(204);
    for (let time = 0; time < 5; time++) expect((await send('GET', group)).status).toBe(404);
  });

  /**
   * @claim azuread-nickname-free: The nickname of a deleted unified group is free again.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('creates a unified group again under the nickname of a deleted one', async () => {
    const unified = body({
      groupTypes: ['Unified'],
      mailEnabled: true,
      mailNickname: 'again',
      securityEnabled: false,
      visibility: 'Private',
      theme: 'Teal',
    });
    for (let time = 0; time < 2; time++) {
      const created = await send('POST', '/beta/groups', unified);
      expect([created.status, created.body.visibility]).toEqual([201, 'Private']);
      expect((await send('DELETE', `/beta/groups/${created.body.id}`)).status).toBe(204);
    }
  });

  /**
   * @claim azuread-mailbox: An application that changes a property of the mailbox gets 403.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('returns the four mailbox properties, and answers 403 when an application changes one', async () => {
    const { body: group } = await send(
      'POST',
      '/beta/groups',
      body({ groupTypes: ['Unified'], mailEnabled: true, mailNickname: 'mailbox' }),
    );
    const select =
      'allowExternalSenders,autoSubscribeNewMembers,hideFromAddressLists,hideFromOutlookClients';
    const mailboxAnswer = await send(
      'GET',
      `/beta/groups/${group.id}?%24select=${encodeURIComponent(select)}`,
    );
    expect(mailboxAnswer.body).toMatchObject({
      allowExternalSenders: false,
      autoSubscribeNewMembers: false,
      hideFromAddressLists: false,
      hideFromOutlookClients: false,
    });
    const change = await send('PATCH', `/beta/groups/${group.id}`, {
      '@odata.type': '#microsoft.graph.group',
      allowExternalSenders: true,
    });
    expect(change.status).toBe(403);
  });

  it('returns the spelling Hiddenmembership and refuses to change it', async () => {
    const hidden = body({
      groupTypes: ['Unified'],
      mailEnabled: true,
      mailNickname: 'hidden',
      visibility: 'Hiddenmembership',
    });
    const { body: group } = await send('POST', '/beta/groups', hidden);
    expect((await send('GET', `/beta/groups/${group.id}`)).body.visibility).toBe(
      'Hiddenmembership',
    );
    expect((await send('GET', `/beta/groups/${group.id}/members`)).status).toBe(200);
    expect(
      (await send('PATCH', `/beta/groups/${group.id}`, { visibility: 'Private' })).status,
    ).toBe(400);
  });

  it('creates a dynamic unified group', async () => {
    const dynamic = body({
      groupTypes: ['DynamicMembership', 'Unified'],
      mailEnabled: true,
      mailNickname: 'dynamic',
      membershipRule: 'user.department -eq "Sales"',
      membershipRuleProcessingState: 'On',
    });
    const created = await send('POST', '/beta/groups', dynamic);
    expect([created.status, created.body.groupTypes]).toEqual([
      201,
      ['DynamicMembership', 'Unified'],
    ]);
    const paused = { ...dynamic, membershipRuleProcessingState: 'Paused' };
    delete (paused as Record<string, unknown>)['owners@odata.bind'];
    for (const name of [
      'groupTypes',
      'isAssignableToRole',
      'mailNickname',
      'resourceBehaviorOptions',
      'resourceProvisioningOptions',
    ])
      delete (paused as Record<string, unknown>)[name];
    expect((await send('PATCH', `/beta/groups/${created.body.id}`, paused)).status).toBe(204);
    expect(
      (await send('GET', `/beta/groups/${created.body.id}`)).body.membershipRuleProcessingState,
    ).toBe('Paused');
  });

  it('manages single members by reading them with a filter', async () => {
    const { body: group } = await send('POST', '/beta/groups', body());
    const list = (): Promise<Answer> =>
      send('GET', `/beta/groups/${group.id}/members?%24filter=id+eq+%27${id(3)}%27`);
    expect((await list()).body.value).toEqual([]);
    expect(
      (await send('POST', `/beta/groups/${group.id}/members/$ref`, reference(id(3)))).status,
    ).toBe(204);
    expect((await list()).body.value).toMatchObject([{ id: id(3) }]);
    expect((await send('DELETE', `/beta/groups/${group.id}/members/${id(3)}/$ref`)).status).toBe(
      204,
    );
    for (let time = 0; time < 5; time++) expect((await list()).body.value).toEqual([]);
  });

  /**
   * @claim azuread-unit: A group created in an administrative unit is answered with its
   *   `@odata.type` and has the unit in memberOf.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('creates a group inside an administrative unit and shows it in memberOf', async () => {
    const unit = await send('POST', '/v1.0/directory/administrativeUnits', {
      '@odata.type': '#microsoft.graph.administrativeUnit',
      displayName: 'U',
      visibility: 'Public',
    });
    expect(unit.status).toBe(201);
    const created = await send(
      'POST',
      `/beta/directory/administrativeUnits/${unit.body.id}/members`,
      body(),
    );
    expect([created.status, created.body['@odata.type']]).toEqual([201, '#microsoft.graph.group']);
    const memberOf = await send('GET', `/beta/groups/${created.body.id}/memberOf`);
    expect(memberOf.body.value).toMatchObject([
      { '@odata.type': '#microsoft.graph.administrativeUnit', id: unit.body.id },
    ]);
    expect(
      (
        await send(
          'DELETE',
          `/v1.0/directory/administrativeUnits/${unit.body.id}/members/${created.body.id}/$ref`,
        )
      ).status,
    ).toBe(204);
  });

  /**
   * @claim azuread-data: Data sources find groups by name; a quote that is not doubled is 400.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('finds groups as the data sources do, and refuses an undoubled quote', async () => {
    await send('POST', '/beta/groups', body({ displayName: 'Find Me', mailNickname: 'findme' }));
    const count = async (filter: string): Promise<number> =>
      (
        await send(
          'GET',
          `/beta/groups?%24filter=${new URLSearchParams({ f: filter }).toString().slice(2)}`,
        )
      ).body.value.length;
    expect(
      await count("displayName eq 'Find Me' and mailEnabled eq false and securityEnabled eq true"),
    ).toBe(1);
    expect(await count("mailNickname eq 'findme'")).toBe(1);
    expect(await count("startsWith(displayName, 'find')")).toBe(1);
    const invalidQuery = await send('GET', `/beta/groups?%24filter=displayName+eq+%27it%27s%27`);
    expect([invalidQuery.status, invalidQuery.body.error.code]).toEqual([
      400,
      'Request_BadRequest',
    ]);
  });

  it('pages one item at a time with absolute links', async () => {
    const { body: group } = await send(
      'POST',
      '/beta/groups',
      body({
        'owners@odata.bind': [1, 2, 3].map(
          (each) => `http://directory.test/beta/directoryObjects/${id(each)}`,
        ),
      }),
    );
    const ids: string[] = [];
    for (let link: string | undefined = `/beta/groups/${group.id}/owners?$top=1`; link;) {
      const page: Answer = await send('GET', link);
      ids.push(...page.body.value.map((each: { id: string }) => each.id));
      link = page.body['@odata.nextLink'];
      if (link) expect(link).toMatch(/^http:\/\/directory\.test\/beta\//);
    }
    expect(ids).toEqual([id(1), id(2), id(3)]);
  });

  /**
   * @claim azuread-errors: Unknown paths and objects and a bad token are answered by the error
   *   JSON.
   * @source terraform-provider-azuread, conversation of azuread_group
   * @seen azuread
   */
  it('answers unknown paths, unknown objects and a bad token with error JSON', async () => {
    expect((await send('GET', '/v1.0/nothing/here')).body.error.code).toBe(
      'Request_ResourceNotFound',
    );
    expect((await send('GET', `/v1.0/users/${id(1)}/manager`)).status).toBe(404);
    const twice = await send(
      'POST',
      '/beta/groups',
      body({
        'owners@odata.bind': [robot, robot].map(
          (each) => `http://directory.test/beta/directoryObjects/${each}`,
        ),
      }),
    );
    expect([twice.status, twice.body.error.message]).toEqual([
      400,
      'Request contains a property with duplicate values.',
    ]);
  });
});
