import { group as groupKind, propertiesOutsideMainStore } from '../../../../kinds/group/group.js';
import {
  type Answer,
  application,
  id,
  person,
  securityGroup,
  TestDirectory,
  unifiedGroup,
  user,
} from '../support/directory.js';

describe.each(['neutral', 'azure'] as const)(
  'the group property table in the %s dialect',
  (dialect) => {
    let directory: TestDirectory;
    beforeAll(async () => {
      directory = await TestDirectory.start({
        dialect,
        seed: { users: Array.from({ length: 30 }, (_, index) => user(id(index + 1))) },
      });
    });
    afterAll(() => directory.stop());

    const expectRefused = (answer: Answer, property?: string): void => {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(property ?? '')]);
      expect(answer.body.error.code).toBe('Request_BadRequest');
    };

    it.each(['displayName', 'mailEnabled', 'mailNickname', 'securityEnabled'])(
      'needs %s on create',
      async (name) => {
        const { [name]: _dropped, ...body } = securityGroup();
        expectRefused(await directory.post('/groups', body), name);
      },
    );

    it.each([
      ['displayName', ''],
      ['displayName', 'x'.repeat(257)],
      ['displayName', null],
      ['displayName', 7],
      ['mailNickname', ''],
      ['mailNickname', 'x'.repeat(65)],
      ['mailNickname', 'ümlaut'],
      ...[...'@()\\[]";:<>, '].map((character) => ['mailNickname', `a${character}b`]),
      ['mailEnabled', 'true'],
      ['mailEnabled', true],
      ['securityEnabled', false],
      ['groupTypes', ['Unified']],
      ['groupTypes', ['Dynamic']],
      ['groupTypes', 'Unified'],
      ['visibility', 'Secret'],
      ['visibility', 'HiddenMembership'],
      ['theme', 'Mauve'],
      ['preferredLanguage', 'english please'],
      ['membershipRule', 'user.department -eq "Sales"'],
      ['resourceProvisioningOptions', ['Mailbox']],
      ['resourceBehaviorOptions', ['FlyToTheMoon']],
      ['description', 5],
    ] as [string, unknown][])('refuses a new group whose %s is %j', async (name, value) => {
      expectRefused(
        await directory.post('/groups', securityGroup({ [String(name)]: value })),
        String(name),
      );
    });

    it.each([
      ['displayName', 'x'.repeat(256)],
      ['mailNickname', "a!#$%&'*+-./=?^_`{|}~"],
      ['description', 'd'.repeat(2000)],
      ['theme', 'Teal'],
      ['preferredLanguage', 'en-US'],
      ['classification', 'Internal'],
      ['visibility', 'Private'],
      ['resourceProvisioningOptions', ['Team']],
      ['resourceBehaviorOptions', ['WelcomeEmailDisabled']],
    ])('accepts a unified group whose %s is %j', async (name, value) => {
      const answer = await directory.post('/groups', unifiedGroup({ [String(name)]: value }));
      expect([answer.status, answer.body[String(name)]]).toEqual([201, value]);
    });

    /**
     * @claim group-read-only: Properties that the service sets are refused in bodies by 400.
     * @source https://learn.microsoft.com/graph/api/resources/group
     */
    it.each([...groupKind.setByService])('refuses the read-only %s in a body', async (name) => {
      const group = await directory.group();
      expectRefused(await directory.patch(`/groups/${group['id']}`, { [name]: null }), name);
      expectRefused(await directory.post('/groups', securityGroup({ [name]: null })), name);
    });

    /**
     * @claim group-unknown-property: A property that the type does not have is refused by 400
     *   (in the dialect azure).
     * @source https://learn.microsoft.com/graph/errors
     */
    it('stores unknown properties in the neutral dialect and refuses them in the other', async () => {
      const answer = await directory.post('/groups', securityGroup({ costCentre: 'A1' }));
      if (dialect === 'azure') return expectRefused(answer, 'costCentre');
      expect(answer.body.costCentre).toBe('A1');
      const shown = await directory.get(`/groups/${answer.body.id}?$select=costCentre`);
      expect(shown.body.costCentre).toBe('A1');
    });

    it.each([...propertiesOutsideMainStore])(
      'omits %s from lists, and returns it when selected on a single group',
      async (name) => {
        const { body } = await directory.post('/groups', unifiedGroup());
        expect(
          await directory.get(`/groups/${body.id}`).then((answer) => name in answer.body),
        ).toBe(false);
        expect((await directory.get(`/groups/${body.id}?$select=id,${name}`)).body).toHaveProperty(
          name,
        );
        expect((await directory.get(`/groups?$select=${name}`)).status).toBe(400);
        expectRefused(
          await directory.patch(`/groups/${body.id}`, { [name]: null, description: 'x' }),
          name,
        );
        expectRefused(await directory.post('/groups', unifiedGroup({ [name]: null })), name);
      },
    );

    it.each([
      ['allowExternalSenders', true],
      ['autoSubscribeNewMembers', true],
      ['hideFromAddressLists', true],
      ['hideFromOutlookClients', true],
      ['isSubscribedByMail', false],
      ['isFavorite', true],
      ['unseenCount', 3],
      ['accessType', 'secret'],
      ['unseenConversationsCount', 1],
      ['unseenMessagesCount', 2],
      ['cloudLicensing', { any: 'thing' }],
      ['membershipRuleProcessingStatus', { status: 'Running' }],
    ])('changes %s alone: 200 for a user, 403 for an application', async (name, value) => {
      const { body } = await directory.post('/groups', unifiedGroup());
      const as = person(id(1), ['Group.ReadWrite.All'], ['groupsAdministrator']);
      const change = { '@odata.type': '#any', [name]: value };
      expect(
        (
          await directory.patch(`/groups/${body.id}`, change, {
            as: application(id(90), ['Group.ReadWrite.All']),
          })
        ).status,
      ).toBe(403);
      expect((await directory.patch(`/groups/${body.id}`, change, { as })).status).toBe(200);
      expect(
        (await directory.get(`/groups/${body.id}?$select=${name}`, { as })).body[name],
      ).toEqual(value);
    });

    /**
     * @claim group-mailbox-by-select: Properties of the mailbox come by $select on a single
     *   group only.
     * @source https://learn.microsoft.com/graph/api/group-get
     * @seen azuread
     */
    it('has the documented defaults for properties outside the main store', async () => {
      const { body } = await directory.post('/groups', unifiedGroup());
      const names =
        'allowExternalSenders,autoSubscribeNewMembers,hideFromAddressLists,hideFromOutlookClients,isSubscribedByMail';
      expect((await directory.get(`/groups/${body.id}?$select=${names}`)).body).toMatchObject({
        allowExternalSenders: false,
        autoSubscribeNewMembers: false,
        hideFromAddressLists: false,
        hideFromOutlookClients: false,
        isSubscribedByMail: true,
      });
    });

    it.each([
      'assignedLabels',
      'assignedLicenses',
      'licenseProcessingState',
      'isManagementRestricted',
    ])('gives %s by $select only', async (name) => {
      const group = await directory.group();
      expect(group).not.toHaveProperty(name);
      expect((await directory.get(`/groups/${group['id']}?$select=${name}`)).body).toHaveProperty(
        name,
      );
      expect((await directory.get(`/groups?$select=${name}&$top=1`)).body.value[0]).toHaveProperty(
        name,
      );
    });

    it('never returns hasMembersWithLicenseErrors, but filters by it', async () => {
      const group = await directory.group();
      expect(
        (await directory.get(`/groups/${group['id']}?$select=id,hasMembersWithLicenseErrors`)).body,
      ).not.toHaveProperty('hasMembersWithLicenseErrors');
      expect(
        (await directory.get('/groups?$filter=hasMembersWithLicenseErrors eq true')).body.value,
      ).toEqual([]);
    });

    /**
     * @claim group-hidden-membership-stays: HiddenMembership is chosen at creation and never
     *   changes.
     * @source https://learn.microsoft.com/graph/api/resources/group
     * @seen azuread
     */
    it('returns the spelling of HiddenMembership as sent and never lets it change', async () => {
      for (const visibility of ['HiddenMembership', 'Hiddenmembership']) {
        const { body } = await directory.post('/groups', unifiedGroup({ visibility }));
        expect(body.visibility).toBe(visibility);
        expectRefused(
          await directory.patch(`/groups/${body.id}`, { visibility: 'Private' }),
          'HiddenMembership',
        );
      }
      const { body } = await directory.post('/groups', unifiedGroup());
      expectRefused(
        await directory.patch(`/groups/${body.id}`, { visibility: 'HiddenMembership' }),
        'HiddenMembership',
      );
      expect((await directory.patch(`/groups/${body.id}`, { visibility: 'Private' })).status).toBe(
        204,
      );
    });

    /**
     * @claim group-role-assignable-private: A role-assignable group is Private, security-enabled
     *   and not dynamic, and stays role-assignable.
     * @source
     *   https://learn.microsoft.com/entra/identity/role-based-access-control/groups-concept
     */
    it('makes role-assignable groups Private and checks their rules', async () => {
      const { body } = await directory.post(
        '/groups',
        unifiedGroup({ isAssignableToRole: true, securityEnabled: true }),
      );
      expect(body).toMatchObject({ isAssignableToRole: true, visibility: 'Private' });
      expectRefused(
        await directory.post(
          '/groups',
          securityGroup({ isAssignableToRole: true, visibility: 'Public' }),
        ),
        'visibility',
      );
      expectRefused(
        await directory.post('/groups', unifiedGroup({ isAssignableToRole: true })),
        'isAssignableToRole',
      );
      const dynamic = {
        isAssignableToRole: true,
        groupTypes: ['DynamicMembership'],
        membershipRule: 'user.objectId -ne null',
      };
      expectRefused(await directory.post('/groups', securityGroup(dynamic)), 'isAssignableToRole');
      expectRefused(
        await directory.patch(`/groups/${body.id}`, { isAssignableToRole: false }),
        'isAssignableToRole',
      );
      const plain = await directory.group();
      expectRefused(
        await directory.patch(`/groups/${plain['id']}`, { isAssignableToRole: true }),
        'isAssignableToRole',
      );
    });

    it('lets only privileged callers make groups role-assignable', async () => {
      const createAs = async (as: ReturnType<typeof person>): Promise<number> =>
        (await directory.post('/groups', securityGroup({ isAssignableToRole: true }), { as }))
          .status;
      const permissions = ['Group.ReadWrite.All', 'RoleManagement.ReadWrite.Directory'];
      expect(await createAs(application(id(90), ['Group.ReadWrite.All']))).toBe(403);
      expect(await createAs(application(id(90), permissions))).toBe(201);
      expect(await createAs(person(id(1), permissions, ['groupsAdministrator']))).toBe(403);
      expect(
        await createAs(
          person(
            id(1),
            ['Group.ReadWrite.All'],
            ['privilegedRoleAdministrator', 'groupsAdministrator'],
          ),
        ),
      ).toBe(403);
      expect(
        await createAs(
          person(id(1), permissions, ['privilegedRoleAdministrator', 'groupsAdministrator']),
        ),
      ).toBe(201);
    });

    it('never lets the kind of a group change', async () => {
      const group = await directory.group();
      for (const change of [
        { mailEnabled: true },
        { groupTypes: ['Unified'] },
        { securityEnabled: false },
      ])
        expectRefused(await directory.patch(`/groups/${group['id']}`, change));
      expect(
        (
          await directory.patch(`/groups/${group['id']}`, {
            mailEnabled: false,
            securityEnabled: true,
            membershipRule: null,
          })
        ).status,
      ).toBe(204);
    });

    /**
     * @claim group-creation-only: resourceBehaviorOptions and uniqueName are set at creation
     *   only.
     * @source https://learn.microsoft.com/graph/group-set-options
     */
    it('accepts resourceBehaviorOptions and uniqueName at creation only', async () => {
      const group = await directory.group({ uniqueName: `u-${dialect}` });
      expectRefused(
        await directory.patch(`/groups/${group['id']}`, { uniqueName: 'other' }),
        'uniqueName',
      );
      expectRefused(
        await directory.patch(`/groups/${group['id']}`, {
          resourceBehaviorOptions: ['WelcomeEmailDisabled'],
        }),
        'resourceBehaviorOptions',
      );
      const twice = await directory.post('/groups', securityGroup({ uniqueName: `u-${dialect}` }));
      expect([twice.status, twice.body.error.code]).toEqual([
        400,
        'Request_MultipleObjectsWithSameKeyValue',
      ]);
    });

    /**
     * @claim group-nickname-unique: No two unified groups have one nickname, letter case
     *   ignored; deleted ones do not count.
     * @source https://learn.microsoft.com/graph/api/resources/group
     * @seen azuread
     */
    it('keeps nicknames of unified groups unique in any letter case, without deleted groups', async () => {
      const { body } = await directory.post(
        '/groups',
        unifiedGroup({ mailNickname: `Only-${dialect}` }),
      );
      const clash = await directory.post(
        '/groups',
        unifiedGroup({ mailNickname: `only-${dialect}` }),
      );
      expect(clash.status).toBe(400);
      expect(clash.body.error.details[0]).toMatchObject({
        code: 'ObjectConflict',
        target: 'mailNickname',
      });
      expect(clash.body.error.message).toContain(
        'A conflicting object with one or more of the specified property values is present in the directory',
      );
      expect(
        (await directory.post('/groups', securityGroup({ mailNickname: `only-${dialect}` })))
          .status,
      ).toBe(201);
      await directory.delete(`/groups/${body.id}`);
      const successor = await directory.post(
        '/groups',
        unifiedGroup({ mailNickname: `only-${dialect}` }),
      );
      expect(successor.status).toBe(201);
      expect((await directory.post(`/directory/deletedItems/${body.id}/restore`)).status).toBe(400);
      await directory.delete(`/groups/${successor.body.id}`);
      expect((await directory.post(`/directory/deletedItems/${body.id}/restore`)).status).toBe(200);
    });

    it('accepts preferredDataLocation from callers with the permission and one of the roles', async () => {
      const createAs = async (as: ReturnType<typeof person>): Promise<number> =>
        (await directory.post('/groups', securityGroup({ preferredDataLocation: 'EUR' }), { as }))
          .status;
      expect(await createAs(application(id(90), ['Group.ReadWrite.All']))).toBe(403);
      expect(await createAs(application(id(90), ['Directory.ReadWrite.All']))).toBe(201);
      expect(
        await createAs(person(id(1), ['Directory.ReadWrite.All'], ['groupsAdministrator'])),
      ).toBe(403);
      expect(await createAs(person(id(1), ['Directory.ReadWrite.All'], ['directoryWriters']))).toBe(
        201,
      );
    });

    it('lets a SharePoint Administrator change preferredDataLocation and nothing else', async () => {
      const as = person(id(1), ['Directory.ReadWrite.All'], ['sharePointAdministrator']);
      const path = `/groups/${(await directory.group())['id']}`;
      const change = async (body: object): Promise<number> =>
        (await directory.patch(path, body, { as })).status;
      expect(await change({ preferredDataLocation: 'EUR' })).toBe(204);
      expect((await directory.get(path)).body.preferredDataLocation).toBe('EUR');
      expect(await change({ preferredDataLocation: 'NAM', description: 'more' })).toBe(403);
      expect(await change({ description: 'more' })).toBe(403);
      expect(
        await change({
          preferredDataLocation: 'NAM',
          'members@odata.bind': [`http://directory.test/v1.0/users/${id(5)}`],
        }),
      ).toBe(403);
    });
  },
);
