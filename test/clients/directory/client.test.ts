import { isServiceError, RecentCreations, staticToken } from '../../../clients/common/index.js';
import {
  createDirectoryClient,
  type DeltaEntry,
  type DeltaOptions,
  type DirectoryClient,
  type Group,
  isExpiredDelta,
  quote,
} from '../../../clients/directory/index.js';
import { ServedDirectory } from '../../services/directory/support/served.js';
import { id, securityGroup, user } from '../../services/directory/support/directory.js';

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

describe.each(['neutral', 'azure'] as const)(
  'the directory client against a service in the %s dialect',
  (dialect) => {
    let served: ServedDirectory;
    let directory: DirectoryClient;
    beforeAll(async () => {
      served = await ServedDirectory.start({
        dialect,
        seed: { users: [user(id(1)), user(id(2)), user(id(3))] },
      });
      directory = createDirectoryClient({
        baseUrl: served.origin,
        dialect,
        credential: staticToken('anyone'),
        retries: 0,
      });
    });
    afterAll(() => served.stop());

    it('creates, reads, lists by pages, changes and deletes groups', async () => {
      const { id: groupId } = await directory.groups.create({
        displayName: 'Client',
        mailEnabled: false,
        mailNickname: 'client',
        securityEnabled: true,
        'owners@odata.bind': [directory.reference(id(1))],
      });
      for (let count = 0; count < 7; count++)
        await directory.groups.create(securityGroup({ displayName: `Page ${count}` }) as never);
      expect(
        await collect(
          directory.groups.list({
            filter: `startsWith(displayName,${quote('page')})`,
            pageSize: 3,
            select: ['id'],
          }),
        ),
      ).toHaveLength(7);
      expect(
        await directory.groups.count({ filter: `startsWith(displayName,${quote('page')})` }),
      ).toBe(7);
      expect(
        await collect(directory.groups.list({ filter: "displayName ne 'Client'", advanced: true })),
      ).toHaveLength(7);
      expect(await collect(directory.groups.list({ search: '"displayName:client"' }))).toHaveLength(
        1,
      );
      await directory.groups.update(groupId, { description: 'x' });
      expect(
        (await directory.groups.get(groupId, { version: 'beta', select: ['description'] }))
          .description,
      ).toBe('x');
      await directory.groups.delete(groupId);
      expect(await directory.groups.find(groupId)).toBeUndefined();
      expect(
        (await collect(directory.deletedItems.list('group'))).map((group) => group.id),
      ).toContain(groupId);
      expect((await directory.deletedItems.restore(groupId)).id).toBe(groupId);
      expect(
        (await collect(directory.groups.owners.list(groupId))).map((owner) => owner.id),
      ).toEqual([id(1)]);
    });

    it('reads the lifetime and the groups of a lifecycle policy', async () => {
      const { id: policyId } = await directory.groupLifecyclePolicies.create({
        groupLifetimeInDays: 180,
        managedGroupTypes: 'All',
      });
      const { groupLifetimeInDays, managedGroupTypes } =
        await directory.groupLifecyclePolicies.get(policyId);
      expect([groupLifetimeInDays.toFixed(), managedGroupTypes]).toEqual(['180', 'All']);
      await directory.groupLifecyclePolicies.delete(policyId);
    });

    it('adds, asks for, lists and removes references', async () => {
      const group = await directory.groups.create(securityGroup() as never);
      await directory.groups.addMembers(group.id, [id(1), id(2)]);
      await directory.groups.members.add(group.id, id(3));
      expect(await directory.groups.members.has(group.id, id(3))).toBe(true);
      await directory.groups.members.remove(group.id, id(3));
      expect(await directory.groups.members.has(group.id, id(3))).toBe(false);
      const anyone = `${id(3)}' or id eq '${id(1)}`;
      expect(await directory.groups.members.has(group.id, anyone)).toBe(false);
      expect(await directory.groups.members.count(group.id)).toBe(2);
      expect(
        (await collect(directory.users.memberOf.list(id(1)))).map((each) => each.id),
      ).toContain(group.id);
      expect(await directory.directoryObjects.checkMemberGroups(id(1), [group.id, id(99)])).toEqual(
        [group.id],
      );
      await expect(directory.groups.members.add(group.id, id(1))).rejects.toMatchObject({
        status: 400,
        serviceMessage: expect.stringContaining('already exist'),
      });
    });

    it('upserts by unique name, and evaluates a membership rule', async () => {
      const draft = {
        displayName: 'Unique',
        mailEnabled: false,
        mailNickname: 'unique',
        securityEnabled: true,
      };
      expect((await directory.groups.upsert("o'neil", draft))?.displayName).toBe('Unique');
      expect(await directory.groups.upsert("o'neil", { description: 'again' })).toBeUndefined();
      const evaluation = await directory.groups.evaluateDynamicMembership(
        id(1),
        'user.accountEnabled -eq true',
      );
      expect(evaluation.membershipRuleEvaluationResult).toBe(true);
    });

    it('follows changes by delta, from the start or from now', async () => {
      const round = async (
        options: DeltaOptions,
      ): Promise<{ entries: DeltaEntry<Group>[]; link: string }> => {
        const entries: DeltaEntry<Group>[] = [];
        for await (const page of directory.groups.delta(options)) {
          entries.push(...page.entries);
          if (page.deltaLink !== undefined) return { entries, link: page.deltaLink };
        }
        throw new Error('no link');
      };
      const created = await directory.groups.create(
        securityGroup({ displayName: 'Followed' }) as never,
      );
      const first = await round({ select: ['displayName', 'members'] });
      expect(first.entries).toContainEqual({ id: created.id, displayName: 'Followed' });
      await directory.groups.members.add(created.id, id(1));
      const second = await round({ since: first.link });
      expect(second.entries).toMatchObject([{ id: created.id, 'members@delta': [{ id: id(1) }] }]);
      await directory.groups.delete(created.id);
      expect((await round({ since: second.link })).entries).toEqual([
        { id: created.id, '@removed': { reason: 'changed' } },
      ]);
      expect((await round({ latest: true })).entries).toEqual([]);
      served.directory.passTime({ days: 8 });
      expect(
        isExpiredDelta(await round({ since: first.link }).catch((error: unknown) => error)),
      ).toBe(true);
    });

    it('sends more requests than fit into one batch, and returns the answers in order', async () => {
      const requests = Array.from({ length: 45 }, (_, index) => ({
        id: `r${index}`,
        method: 'GET' as const,
        url: `/users/${id((index % 4) + 1)}?$select=id`,
      }));
      const answers = await directory.batch(requests);
      expect(answers.map((answer) => [answer.id, answer.status])).toEqual(
        requests.map(({ id: each }, index) => [each, index % 4 === 3 ? 404 : 200]),
      );
      const body = securityGroup({ displayName: 'Batched' });
      const [created] = await directory.batch([{ id: '1', method: 'POST', url: '/groups', body }]);
      expect(created).toMatchObject({ status: 201, body: { displayName: 'Batched' } });
    });

    it('keeps the answers of two batches apart where ids repeat', async () => {
      const requests = Array.from({ length: 22 }, (_, index) => ({
        id: String(index % 20),
        method: 'GET' as const,
        url: `/users/${id(index < 20 ? 1 : 2)}?$select=id`,
      }));
      const answers = await directory.batch(requests);
      expect(answers.map(({ body }) => (body as { id: string }).id)).toEqual(
        requests.map((_, index) => id(index < 20 ? 1 : 2)),
      );
    });

    it('asks for memberships of every kind', async () => {
      const group = await directory.groups.create(securityGroup() as never);
      const unit = await directory.administrativeUnits.create({ displayName: 'Asked' });
      await directory.groups.members.add(group.id, id(3));
      await directory.administrativeUnits.members.add(unit.id, id(3));
      expect(await directory.directoryObjects.checkMemberObjects(id(3), [unit.id, id(99)])).toEqual(
        [unit.id],
      );
      expect([...(await directory.directoryObjects.getMemberObjects(id(3)))].sort()).toEqual(
        [group.id, unit.id].sort(),
      );
    });

    it('registers, changes and removes ways to sign in', async () => {
      const methods = directory.authenticationMethods;
      const phoneType = dialect === 'neutral' ? 'authenticationPhoneType' : 'phoneType';
      const phone = await methods.create(id(2), 'phoneMethods', {
        phoneNumber: '+1 2065551234',
        [phoneType]: 'mobile',
      });
      await methods.update(id(2), 'phoneMethods', phone.id, { phoneNumber: '+1 2065550000' });
      expect(await collect(methods.list(id(2), 'phoneMethods'))).toMatchObject([
        { id: phone.id, phoneNumber: '+1 2065550000' },
      ]);
      expect(await collect(methods.list(id(2)))).toHaveLength(2);
      await methods.delete(id(2), 'phoneMethods', phone.id);
      expect((await methods.resetPassword(id(2))).newPassword).toMatch(/^.{12,}$/);
      expect((await methods.resetPassword(id(2), 'Secret123!')).newPassword).toBeNull();
    });

    it('answers at once that a user whom it has just created has no manager', async () => {
      const client = createDirectoryClient({
        baseUrl: served.origin,
        dialect,
        credential: staticToken('anyone'),
        retries: 0,
        ownCreations: new RecentCreations(),
        sleep: () => Promise.reject(new Error('it waited')),
      });
      const { id: userId } = await client.users.create({
        accountEnabled: true,
        displayName: 'Alone',
        mailNickname: 'alone',
        userPrincipalName: 'alone@castellan.example',
        passwordProfile: { password: 'Str0ng-Passw0rd!x' },
      });
      expect(await client.users.manager(userId)).toBeUndefined();
      await client.users.delete(userId);
    });

    it('manages users and their manager', async () => {
      const created = await directory.users.create({
        displayName: 'New',
        userPrincipalName: 'new@castellan.example',
        passwordProfile: { password: 'Secret123!' },
      });
      expect(await directory.users.manager(created.id)).toBeUndefined();
      await directory.users.setManager(created.id, id(1));
      expect((await directory.users.manager('new@castellan.example'))?.id).toBe(id(1));
      await directory.users.removeManager(created.id);
      await directory.users.delete(created.id);
      expect(await collect(directory.users.authenticationMethods(id(1)))).toEqual(
        expect.any(Array),
      );
    });

    it('manages applications, their secrets and federated identities, service principals and what they are given', async () => {
      const application = await directory.applications.create({ displayName: 'App' });
      const secret = await directory.applications.addPassword(application.id, {
        displayName: 'ci',
      });
      expect(secret.secretText.length).toBeGreaterThan(30);
      await directory.applications.removePassword(application.id, secret.keyId);
      const federatedCredential = await directory.applications.federatedIdentityCredentials.create(
        application.id,
        {
          name: 'gh',
          issuer: 'https://i',
          subject: 's',
          audiences: ['a'],
        },
      );
      expect(
        await collect(directory.applications.federatedIdentityCredentials.list(application.id)),
      ).toEqual([expect.objectContaining({ id: federatedCredential.id, name: 'gh' })]);
      const principal = await directory.servicePrincipals.create({ appId: application.appId });
      const roleAssignment = await directory.servicePrincipals.appRoleAssignedTo.create(
        principal.id,
        {
          appRoleId: '00000000-0000-0000-0000-000000000000',
          principalId: id(1),
          resourceId: principal.id,
        },
      );
      expect(
        (await directory.servicePrincipals.appRoleAssignedTo.get(principal.id, roleAssignment.id))
          .principalType,
      ).toBe('User');
      await directory.servicePrincipals.appRoleAssignedTo.delete(principal.id, roleAssignment.id);
      const other = await directory.servicePrincipals.create({
        appId: (await directory.applications.create({ displayName: 'Other' })).appId,
      });
      const grant = await directory.oauth2PermissionGrants.create({
        clientId: principal.id,
        resourceId: other.id,
        consentType: 'AllPrincipals',
        scope: 'a',
      });
      await directory.oauth2PermissionGrants.update(grant.id, { scope: 'a b' });
      expect((await directory.oauth2PermissionGrants.get(grant.id)).scope).toBe('a b');
    });

    it('manages administrative units and roles', async () => {
      const unit = await directory.administrativeUnits.create({ displayName: 'Unit' });
      await directory.administrativeUnits.members.add(unit.id, id(1));
      const role = await directory.directoryRoles.activate('fdd7a751-b60b-444a-984c-02652fe8fa1c');
      expect(
        await directory.directoryRoles.activate('fdd7a751-b60b-444a-984c-02652fe8fa1c'),
      ).toMatchObject({ id: role.id });
      const scopedRole = await directory.administrativeUnits.scopedRoleMembers.create(unit.id, {
        roleId: role.id,
        principalId: id(1),
      });
      await directory.administrativeUnits.scopedRoleMembers.delete(unit.id, scopedRole.id);
      await directory.administrativeUnits.delete(unit.id);
      const assignment = await directory.roleManagement.assignments.create({
        roleDefinitionId: 'fdd7a751-b60b-444a-984c-02652fe8fa1c',
        principalId: id(2),
        directoryScopeId: '/',
      });
      await directory.roleManagement.assignments.delete(assignment.id);
      expect((await collect(directory.domains.list()))[0]?.isDefault).toBe(true);
    });

    it("throws the service's own error with its code", async () => {
      const error: unknown = await directory.groups.get(id(404)).catch((caught: unknown) => caught);
      expect(isServiceError(error, 404) && error.serviceCode).toBe('Request_ResourceNotFound');
    });
  },
);

describe('a batch whose answer is incomplete', () => {
  const requests = ['1', '2'].map((each) => ({ id: each, method: 'GET' as const, url: '/me' }));
  it.each([
    ['one of two answers', { responses: [{ id: '1', status: 200 }] }, /no answer to 2$/],
    ['no list of answers', {}, /no answer to 1, 2$/],
    ['no JSON', 'a page of a proxy', /no answer to 1, 2$/],
  ])('fails instead of leaving out requests: %s', async (_case, body, message) => {
    const directory = createDirectoryClient({
      baseUrl: 'http://directory.example',
      fetch: () => Promise.resolve(new Response(JSON.stringify(body))),
    });
    const batch = directory.batch(requests);
    await expect(batch).rejects.toThrow(message);
    await expect(batch).rejects.toMatchObject({ code: 'CAS5001' });
  });
});
