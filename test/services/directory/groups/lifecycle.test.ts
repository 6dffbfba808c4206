import {
  TestDirectory,
  id,
  person,
  securityGroup,
  unifiedGroup,
  user,
} from '../support/directory.js';

const sku = id(4242);

describe.each(['neutral', 'azure'] as const)('the life of groups in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  beforeEach(async () => {
    directory = await TestDirectory.start({
      dialect,
      seed: { users: [user(id(1), { department: 'Sales' }), user(id(2))] },
    });
  });
  afterEach(() => directory.stop());

  const policy = {
    groupLifetimeInDays: 180,
    managedGroupTypes: 'All',
    alternateNotificationEmails: 'a@x.example',
  };

  /** The tenant's setting of unified groups: the values of its template, but for the given ones. */
  const settingWith = async (changedValues: Readonly<Record<string, string>>) => {
    const [unified] = (await directory.get('/groupSettingTemplates')).body.value as [
      { id: string; values: { name: string; defaultValue: string }[] },
    ];
    const values = unified.values.map(({ name, defaultValue }) => ({
      name,
      value: changedValues[name] ?? defaultValue,
    }));
    return { templateId: unified.id, values };
  };

  /**
   * @claim group-expiry: The lifecycle policy lets unified groups expire; an expired one is
   *   deleted and can be restored, renew starts anew.
   * @source https://learn.microsoft.com/graph/api/group-renew
   */
  it('expires unified groups by the policy, deletes them restorably, and renews them', async () => {
    const unified = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}`;
    const security = `/groups/${(await directory.group())['id']}`;
    const created = await directory.post('/groupLifecyclePolicies', policy);
    expect([created.status, created.body]).toMatchObject([201, policy]);
    const second = await directory.post('/groupLifecyclePolicies', policy);
    expect(second.status).toBe(400);
    expect((await directory.get(unified)).body.expirationDateTime).toBe('2026-07-14T10:00:00Z');
    expect((await directory.get(security)).body.expirationDateTime).toBeNull();
    directory.passTime({ days: 100 });
    const renewed = await directory.post(`${unified}/renew`);
    expect([renewed.status, renewed.body?.value]).toEqual(
      dialect === 'neutral' ? [200, true] : [204, undefined],
    );
    expect((await directory.get(unified)).body).toMatchObject({
      renewedDateTime: '2026-04-25T10:00:00Z',
      expirationDateTime: '2026-10-22T10:00:00Z',
    });
    expect((await directory.get(`${unified}/groupLifecyclePolicies`)).body.value).toHaveLength(1);
    directory.passTime({ days: 179 });
    expect((await directory.get(unified)).status).toBe(200);
    directory.passTime({ days: 2 });
    expect((await directory.get(unified)).status).toBe(404);
    const unifiedId = unified.slice('/groups/'.length);
    const restored = await directory.post(`/directory/deletedItems/${unifiedId}/restore`);
    expect(restored.status).toBe(200);
    expect((await directory.get(unified)).status).toBe(200);
    expect((await directory.post(`${security}/renew`)).status).toBe(400);
  });

  it('gives a restored group an ETag that no earlier state had', async () => {
    const { id: key } = await directory.group();
    const path = `/groups/${key}`;
    const readEtag = async (): Promise<unknown> => (await directory.get(path)).headers['etag'];
    const first = await readEtag();
    await directory.patch(path, { description: 'changed since' });
    const second = await readEtag();
    await directory.delete(path);
    await directory.post(`/directory/deletedItems/${key}/restore`);
    expect([first, second]).not.toContain(await readEtag());
    const staleUpdate = await directory.ask(
      'PATCH',
      path,
      { description: 'lost' },
      { headers: { 'if-match': String(first) } },
    );
    expect(staleUpdate.status).toBe(412);
  });

  it('applies to selected groups only if the policy says so', async () => {
    const selectedGroup = (await directory.post('/groups', unifiedGroup())).body.id;
    const otherGroup = (await directory.post('/groups', unifiedGroup())).body.id;
    const { body } = await directory.post('/groupLifecyclePolicies', {
      groupLifetimeInDays: 30,
      managedGroupTypes: 'Selected',
    });
    const path = `/groupLifecyclePolicies/${body.id}`;
    const addition = await directory.post(`${path}/addGroup`, { groupId: selectedGroup });
    expect(addition.body).toEqual({
      '@odata.context': 'http://directory.test/v1.0/$metadata#Edm.Boolean',
      value: true,
    });
    expect((await directory.post(`${path}/addGroup`, { groupId: selectedGroup })).body.value).toBe(
      false,
    );
    expect((await directory.get(`/groups/${selectedGroup}`)).body.expirationDateTime).toBe(
      '2026-02-14T10:00:00Z',
    );
    expect((await directory.get(`/groups/${otherGroup}`)).body.expirationDateTime).toBeNull();
    expect(
      (await directory.post(`${path}/removeGroup`, { groupId: selectedGroup })).body.value,
    ).toBe(true);
    expect((await directory.get(`/groups/${selectedGroup}`)).body.expirationDateTime).toBeNull();
    const changed = await directory.patch(path, {
      groupLifetimeInDays: 60,
      managedGroupTypes: 'All',
    });
    expect([changed.status, changed.body.groupLifetimeInDays]).toEqual([200, 60]);
    expect((await directory.get(`/groups/${otherGroup}`)).body.expirationDateTime).toBe(
      '2026-03-16T10:00:00Z',
    );
    expect((await directory.delete(path)).status).toBe(204);
    expect((await directory.get(`/groups/${otherGroup}`)).body.expirationDateTime).toBeNull();
    expect(
      (
        await directory.post('/groupLifecyclePolicies', {
          groupLifetimeInDays: 0,
          managedGroupTypes: 'All',
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await directory.post('/groupLifecyclePolicies', {
          groupLifetimeInDays: 30,
          managedGroupTypes: 'Some',
        })
      ).status,
    ).toBe(400);
  });

  it('stores the policy for groups without an owner', async () => {
    const path = '/policies/ownerlessGroupPolicy';
    expect((await directory.get(path)).status).toBe(404);
    const policy = {
      isEnabled: true,
      maxMembersToNotify: 5,
      notificationDurationInWeeks: 3,
      targetOwners: { notifyMembers: 'allowSelected', securityGroups: [id(1)] },
    };
    expect((await directory.patch(path, policy)).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({ ...policy, policyWebUrl: null });
    for (const wrong of [
      { maxMembersToNotify: 0 },
      { notificationDurationInWeeks: 99 },
      { targetOwners: {} },
      { isEnabled: 1 },
      { x: 1 },
    ])
      expect([wrong, (await directory.patch(path, wrong)).status]).toEqual([wrong, 400]);
    expect((await directory.delete(path)).status).toBe(204);
    expect((await directory.get(path)).status).toBe(404);
  });

  /**
   * @claim group-licences: A group licence reaches members, later ones, too, and leaves with
   *   them.
   * @source https://learn.microsoft.com/graph/api/group-assignlicense
   */
  it('gives licences to members, including later ones, and takes them back', async () => {
    const group = `/groups/${(await directory.group({ 'members@odata.bind': [`http://x/v1.0/users/${id(1)}`] }))['id']}`;
    const change = { addLicenses: [{ skuId: sku, disabledPlans: [] }], removeLicenses: [] };
    const assigned = await directory.post(`${group}/assignLicense`, change);
    expect([assigned.status, assigned.headers['location']]).toEqual([
      202,
      `http://directory.test/v1.0${group}`,
    ]);
    const state = async (): Promise<string> =>
      (await directory.get(`${group}?$select=licenseProcessingState`)).body.licenseProcessingState;
    expect(await state()).toBe('QueuedForProcessing');
    directory.passTime({ seconds: 1 });
    expect(await state()).toBe('ProcessingInProgress');
    directory.passTime({ seconds: 1 });
    expect(await state()).toBe('ProcessingComplete');
    const licences = async (number: number): Promise<string[]> =>
      (
        await directory.get(`/users/${id(number)}?$select=assignedLicenses`)
      ).body.assignedLicenses.map((each: { skuId: string }) => each.skuId);
    expect(await licences(1)).toEqual([sku]);
    await directory.post(`${group}/members/$ref`, { '@odata.id': `http://x/v1.0/users/${id(2)}` });
    expect(await licences(2)).toEqual([sku]);
    await directory.delete(`${group}/members/${id(2)}/$ref`);
    expect(await licences(2)).toEqual([]);
    const filtered = await directory.get(
      `/groups?$filter=assignedLicenses/any(x:x/skuId eq ${sku})&$select=id`,
    );
    expect(filtered.body.value).toHaveLength(1);
    expect(
      (await directory.post(`${group}/assignLicense`, { addLicenses: [], removeLicenses: [sku] }))
        .status,
    ).toBe(202);
    expect(await licences(1)).toEqual([]);
    expect(
      (await directory.post(`${group}/assignLicense`, { addLicenses: [], removeLicenses: [sku] }))
        .status,
    ).toBe(400);
    expect((await directory.post(`${group}/assignLicense`, { addLicenses: [] })).status).toBe(400);
    expect(
      (
        await directory.post(`${group}/assignLicense`, {
          addLicenses: [{ skuId: 'E5' }],
          removeLicenses: [],
        })
      ).status,
    ).toBe(400);
    const unifiedGroupId = (await directory.post('/groups', unifiedGroup())).body.id;
    expect((await directory.post(`/groups/${unifiedGroupId}/assignLicense`, change)).status).toBe(
      400,
    );
  });

  /**
   * @claim group-settings: Settings of groups are made from templates, with all their values.
   * @source https://learn.microsoft.com/graph/api/group-post-settings
   */
  it('has settings of the tenant and of groups, from templates, with all values', async () => {
    const templates = (await directory.get('/groupSettingTemplates')).body.value as {
      id: string;
      displayName: string;
      values: { name: string; defaultValue: string }[];
    }[];
    expect(templates.map((template) => template.displayName)).toEqual([
      'Group.Unified',
      'Group.Unified.Guest',
      'Group.Security',
      'Group.Security.Policies',
    ]);
    const [unified, guest] = templates as [(typeof templates)[0], (typeof templates)[0]];
    const values = unified.values.map(({ name, defaultValue }) => ({
      name,
      value: defaultValue || (name === 'ClassificationList' ? 'Low,High' : ''),
    }));
    const valuesWithInvalidBoolean = values.map((value) =>
      value.name === 'EnableMIPLabels' ? { ...value, value: 'maybe' } : value,
    );
    expect(
      (
        await directory.post('/groupSettings', {
          templateId: unified.id,
          values: valuesWithInvalidBoolean,
        })
      ).status,
    ).toBe(400);
    expect(
      (await directory.post('/groupSettings', { templateId: unified.id, values: values.slice(1) }))
        .status,
    ).toBe(400);
    const created = await directory.post('/groupSettings', { templateId: unified.id, values });
    expect([created.status, created.body.displayName]).toEqual([201, 'Group.Unified']);
    expect(
      (await directory.post('/groupSettings', { templateId: unified.id, values })).status,
    ).toBe(409);
    const group = (await directory.post('/groups', unifiedGroup())).body.id;
    const groupSetting = await directory.post(`/groups/${group}/settings`, {
      templateId: guest.id,
      values: [{ name: 'AllowToAddGuests', value: 'false' }],
    });
    expect(groupSetting.status).toBe(201);
    expect(
      (await directory.post(`/groups/${group}/settings`, { templateId: unified.id, values }))
        .status,
    ).toBe(400);
    expect(
      (
        await directory.patch(`/groups/${group}/settings/${groupSetting.body.id}`, {
          values: [{ name: 'AllowToAddGuests', value: 'true' }],
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(`/groups/${group}/settings`)).body.value).toEqual([
      {
        id: groupSetting.body.id,
        displayName: 'Group.Unified.Guest',
        templateId: guest.id,
        values: [{ name: 'AllowToAddGuests', value: 'true' }],
      },
    ]);
    expect(
      (await directory.delete(`/groups/${group}/settings/${groupSetting.body.id}`)).status,
    ).toBe(204);
    expect((await directory.get(`/groups/${group}/settings/${groupSetting.body.id}`)).status).toBe(
      404,
    );
    expect((await directory.patch(`/groups/${group}`, { classification: 'Medium' })).status).toBe(
      400,
    );
    expect((await directory.patch(`/groups/${group}`, { classification: 'High' })).status).toBe(
      204,
    );
  });

  it.each([
    ['a GUID', 'GroupCreationAllowedGroupId', 'managers', 400],
    ['a GUID', 'GroupCreationAllowedGroupId', id(5), 201],
    ['a GUID', 'GroupCreationAllowedGroupId', '', 201],
    ['a boolean', 'EnableGroupCreation', 'no', 400],
    ['a boolean', 'EnableGroupCreation', 'False', 201],
  ])('wants %s for %s: %j is answered with %i', async (_type, settingName, value, status) => {
    const setting = await settingWith({ [settingName]: value });
    const created = await directory.post('/groupSettings', setting);
    expect(created.status).toBe(status);
  });

  it('has settings of a group from templates for its kind only', async () => {
    const templates = (await directory.get('/groupSettingTemplates')).body.value as {
      id: string;
      displayName: string;
    }[];
    const create = async (templateName: string, group: object): Promise<number> => {
      const path = `/groups/${(await directory.post('/groups', group)).body.id}/settings`;
      const templateId = templates.find((each) => each.displayName === templateName)?.id;
      const values = [{ name: 'AllowToAddGuests', value: 'false' }];
      return (await directory.post(path, { templateId, values })).status;
    };
    expect([
      await create('Group.Unified.Guest', unifiedGroup()),
      await create('Group.Unified.Guest', securityGroup()),
      await create('Group.Security.Policies', unifiedGroup()),
      await create('Group.Security.Policies', securityGroup()),
    ]).toEqual([201, 400, 400, 201]);
  });

  it.each([
    ['false', 400],
    ['true', 204],
  ])(
    'answers a guest as owner, with AllowGuestsToBeGroupOwner %s, with %i',
    async (value, status) => {
      await directory.patch(`/users/${id(2)}`, { userType: 'Guest' });
      const setting = await settingWith({ AllowGuestsToBeGroupOwner: value });
      expect((await directory.post('/groupSettings', setting)).status).toBe(201);
      const addOwner = async (group: Record<string, unknown>): Promise<number> => {
        const { body } = await directory.post('/groups', group);
        const reference = { '@odata.id': `https://x/v1.0/directoryObjects/${id(2)}` };
        return (await directory.post(`/groups/${body.id}/owners/$ref`, reference)).status;
      };
      expect(await addOwner(unifiedGroup())).toBe(status);
      expect(await addOwner(securityGroup())).toBe(204);
    },
  );

  it('replaces all values of a setting by a change', async () => {
    const { body: setting } = await directory.post(
      '/groupSettings',
      await settingWith({ EnableGroupCreation: 'false' }),
    );
    const change = { values: [{ name: 'EnableMIPLabels', value: 'true' }] };
    expect((await directory.patch(`/groupSettings/${setting.id}`, change)).status).toBe(204);
    expect((await directory.get(`/groupSettings/${setting.id}`)).body.values).toEqual(
      (await settingWith({ EnableMIPLabels: 'true' })).values,
    );
  });

  /**
   * @claim group-validate-properties: validateProperties checks affixes, blocked words and the
   *   nickname, in this order.
   * @source https://learn.microsoft.com/graph/api/group-validateproperties
   */
  it('validates names by the naming policy: affixes, then blocked words, then the nickname', async () => {
    const setting = await settingWith({
      PrefixSuffixNamingRequirement: 'GRP_[GroupName]_[Department]',
      CustomBlockedWordsList: 'boss,payroll',
    });
    await directory.post('/groupSettings', setting);
    const group = (await directory.post('/groups', unifiedGroup({ mailNickname: 'taken' }))).body
      .id;
    const other = (await directory.post('/groups', unifiedGroup({ mailNickname: 'other' }))).body
      .id;
    const names = { displayName: 'The Boss', mailNickname: 'taken', onBehalfOfUserId: id(1) };
    const bad = await directory.post(`/groups/${other}/validateProperties`, names);
    expect([bad.status, bad.body.error.code]).toEqual([422, 'Request_UnprocessableEntity']);
    expect(bad.body.error.details).toMatchObject([
      { target: 'displayName', code: 'MissingPrefixSuffix', prefix: 'GRP_', suffix: '_Sales' },
      { target: 'mailNickname', code: 'MissingPrefixSuffix' },
      { target: 'displayName', code: 'ContainsBlockedWord' },
      { target: 'mailNickname', code: 'PropertyConflict' },
    ]);
    const good = {
      displayName: 'GRP_Team_Sales',
      mailNickname: 'GRP_team_Sales',
      onBehalfOfUserId: id(1),
    };
    expect((await directory.post(`/groups/${group}/validateProperties`, good)).status).toBe(204);
    expect(
      (
        await directory.post('/directoryObjects/validateProperties', {
          entityType: 'Group',
          ...good,
        })
      ).status,
    ).toBe(204);
    expect(
      (await directory.post(`/groups/${group}/validateProperties`, { displayName: '' })).status,
    ).toBe(400);
    expect(
      (await directory.post('/directoryObjects/validateProperties', { displayName: 'x' })).status,
    ).toBe(400);
    const writer = { as: person(id(1), ['Group.ReadWrite.All'], ['directoryWriters']) };
    expect((await directory.post('/groups', unifiedGroup(), writer)).status).toBe(400);
    expect((await directory.post('/groups', securityGroup(), writer)).status).toBe(201);
  });

  it('applies the naming policy to new names of existing groups', async () => {
    const setting = await settingWith({
      PrefixSuffixNamingRequirement: 'GRP_[GroupName]',
      CustomBlockedWordsList: 'payroll',
    });
    await directory.post('/groupSettings', setting);
    const group = (await directory.post('/groups', unifiedGroup())).body.id as string;
    const rename = async (
      names: object,
      roles: readonly ('directoryWriters' | 'groupsAdministrator')[],
    ): Promise<number> =>
      (
        await directory.patch(`/groups/${group}`, names, {
          as: person(id(1), ['Group.ReadWrite.All'], roles),
        })
      ).status;
    const writer = ['directoryWriters'] as const;
    expect(await rename({ displayName: 'Team' }, writer)).toBe(400);
    expect(await rename({ displayName: 'GRP_Payroll' }, writer)).toBe(400);
    expect(await rename({ mailNickname: 'team' }, writer)).toBe(400);
    expect(await rename({ displayName: 'GRP_Team', mailNickname: 'GRP_team' }, writer)).toBe(204);
    expect(await rename({ displayName: 'Team' }, ['groupsAdministrator'])).toBe(204);
    // The name that an administrator gave stays when something else changes.
    expect(await rename({ displayName: 'Team', description: 'Ours' }, writer)).toBe(204);
  });

  it('blocks words as a whole, not as a part of others', async () => {
    const setting = await settingWith({ CustomBlockedWordsList: 'lass, top secret,C++' });
    await directory.post('/groupSettings', setting);
    const validate = async (displayName: string): Promise<number> =>
      (
        await directory.post('/directoryObjects/validateProperties', {
          entityType: 'Group',
          displayName,
        })
      ).status;
    for (const name of ['Class of 2026', 'Stop secrets', 'C+ or better', 'Glassé lassé'])
      expect(`${name}: ${await validate(name)}`).toBe(`${name}: 204`);
    for (const name of ['LASS', 'the_lass-club', 'Our Top Secret', 'C++'])
      expect(`${name}: ${await validate(name)}`).toBe(`${name}: 422`);
  });

  it('lets only members of the allowed group create groups where the tenant forbids it', async () => {
    const allowedGroup = (await directory.post('/groups', securityGroup())).body.id as string;
    const nestedGroup = (await directory.post('/groups', securityGroup())).body.id as string;
    for (const [group, member] of [
      [allowedGroup, nestedGroup],
      [nestedGroup, id(1)],
    ])
      await directory.post(`/groups/${group}/members/$ref`, {
        '@odata.id': `http://x/v1.0/directoryObjects/${member}`,
      });
    const setting = await settingWith({
      EnableGroupCreation: 'false',
      GroupCreationAllowedGroupId: allowedGroup,
    });
    await directory.post('/groupSettings', setting);
    const create = async (creator: string): Promise<number> => {
      const as = person(creator, ['Group.ReadWrite.All'], ['directoryWriters']);
      return (await directory.post('/groups', unifiedGroup(), { as })).status;
    };
    expect([await create(id(1)), await create(id(2))]).toEqual([201, 403]);
  });

  /**
   * @claim group-upsert: PATCH /groups(uniqueName=…) with Prefer: create-if-missing creates or
   *   changes a group.
   * @source https://learn.microsoft.com/graph/api/group-upsert
   */
  it('upserts by unique name', async () => {
    const path = "/groups(uniqueName='team-a')";
    const body = { displayName: 'A', mailNickname: 'a', mailEnabled: false, securityEnabled: true };
    expect((await directory.patch(path, body)).status).toBe(404);
    const headers = { prefer: 'create-if-missing' };
    expect((await directory.patch(path, { displayName: 'A' }, { headers })).status).toBe(400);
    const created = await directory.patch(path, body, { headers });
    expect([created.status, created.body.uniqueName, created.headers['location']]).toEqual([
      201,
      'team-a',
      `http://directory.test/v1.0/groups/${created.body.id}`,
    ]);
    expect((await directory.patch(path, { displayName: 'B' }, { headers })).status).toBe(204);
    expect((await directory.get(path)).body).toMatchObject({
      id: created.body.id,
      displayName: 'B',
    });
    expect((await directory.patch(path, { description: 'plain' })).status).toBe(204);
    expect((await directory.get("/groups(mailNickname='a')")).status).toBe(400);
  });

  it('performs actions of the signed-in user on unified groups only', async () => {
    const group = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}`;
    const as = person(id(1), ['Group.ReadWrite.All']);
    const get = async (name: string): Promise<unknown> =>
      (await directory.get(`${group}?$select=${name}`, { as })).body[name];
    for (const [operation, name, value] of [
      ['addFavorite', 'isFavorite', true],
      ['removeFavorite', 'isFavorite', false],
      ['unsubscribeByMail', 'isSubscribedByMail', false],
      ['subscribeByMail', 'isSubscribedByMail', true],
      ['resetUnseenCount', 'unseenCount', 0],
    ] as const) {
      expect((await directory.post(`${group}/${operation}`, undefined, { as })).status).toBe(200);
      expect(await get(name)).toBe(value);
    }
    expect(
      (
        await directory.post(`${group}/addFavorite`, undefined, {
          as,
          headers: { prefer: 'return=minimal' },
        })
      ).status,
    ).toBe(204);
    const security = (await directory.group())['id'];
    expect(
      (await directory.post(`/groups/${security}/addFavorite`, undefined, { as })).status,
    ).toBe(400);
  });
});
