import { sql } from 'kysely';
import {
  TestDirectory,
  application,
  id,
  person,
  securityGroup,
  user,
} from '../support/directory.js';
import { onEveryEngine } from '../support/engines.js';

const referenceTo = (objectId: string): Record<string, string> => ({
  '@odata.id': `https://graph.example/v1.0/directoryObjects/${objectId}`,
});
const units = '/directory/administrativeUnits';

describe.each(['neutral', 'azure'] as const)(
  'administrative units in the %s dialect',
  (dialect) => {
    let directory: TestDirectory;
    const createUnit = async (displayName: string): Promise<string> =>
      (await directory.post(units, { displayName, visibility: 'Public' })).body.id as string;
    beforeAll(async () => {
      directory = await TestDirectory.start({
        dialect,
        seed: { users: [user(id(1)), user(id(2))], contacts: [{ id: id(30), displayName: 'C' }] },
      });
    });
    afterAll(() => directory.stop());

    it('are created, renamed, changed in visibility, and deleted by the path without /directory', async () => {
      const unit = await createUnit('TERRAFORM_UPDATE_1');
      expect(
        (
          await directory.patch(`${units}/${unit}`, {
            '@odata.type': '#microsoft.graph.administrativeUnit',
            displayName: 'North',
          })
        ).status,
      ).toBe(204);
      expect(
        (
          await directory.patch(`${units}/${unit}`, {
            description: '',
            displayName: 'North',
            visibility: 'HiddenMembership',
          })
        ).status,
      ).toBe(204);
      expect((await directory.get(`${units}/${unit}`)).body).toMatchObject({
        description: '',
        displayName: 'North',
        visibility: 'HiddenMembership',
      });
      const filter = encodeURIComponent("displayName eq 'North'");
      expect((await directory.get(`${units}?$filter=${filter}`)).body.value).toHaveLength(1);
      expect((await directory.delete(`/beta/administrativeUnits/${unit}`)).status).toBe(204);
      expect((await directory.get(`${units}/${unit}`)).status).toBe(404);
      expect((await directory.patch(`${units}/${unit}`, { displayName: 'x' })).status).toBe(404);
    });

    it('take only rules and states of dynamic membership that can be', async () => {
      const create = async (properties: object): Promise<number> =>
        (
          await directory.post('/directory/administrativeUnits', {
            displayName: 'Ruled',
            membershipType: 'Dynamic',
            membershipRule: '(user.country -eq "US")',
            membershipRuleProcessingState: 'On',
            ...properties,
          })
        ).status;
      expect(await create({})).toBe(201);
      expect(await create({ membershipType: null, membershipRule: null })).toBe(201);
      for (const wrong of [
        { membershipRule: 'rubbish' },
        { membershipRuleProcessingState: 'Sometimes' },
        { membershipType: 'Static' },
      ])
        expect([wrong, await create(wrong)]).toEqual([wrong, 400]);
    });

    it('have members that are found by filter, added once and removed once', async () => {
      const unit = await createUnit('South');
      expect(
        (await directory.post(`${units}/${unit}/members/$ref`, referenceTo(id(1)))).status,
      ).toBe(204);
      const secondAddition = await directory.post(
        `${units}/${unit}/members/$ref`,
        referenceTo(id(1)),
      );
      expect([secondAddition.status, secondAddition.body.error.message]).toEqual([
        400,
        expect.stringContaining('One or more added object references already exist'),
      ]);
      const filter = encodeURIComponent(`id eq '${id(1)}'`);
      expect(
        (await directory.get(`${units}/${unit}/members?$filter=${filter}`)).body.value,
      ).toHaveLength(1);
      expect(
        (await directory.post(`${units}/${unit}/members/$ref`, referenceTo(id(30)))).status,
      ).toBe(400);
      expect(
        (await directory.post(`${units}/${unit}/members/$ref`, referenceTo(id(404)))).status,
      ).toBe(404);
      expect((await directory.delete(`${units}/${unit}/members/${id(1)}/$ref`)).status).toBe(204);
      const secondRemoval = await directory.delete(`${units}/${unit}/members/${id(1)}/$ref`);
      expect([secondRemoval.status, secondRemoval.body.error.message]).toEqual([
        404,
        expect.stringContaining('One or more removed object references do not exist'),
      ]);
    });

    it('have the members that their rule selects, while it is processed', async () => {
      const namesOf = async (unit: string): Promise<string[]> =>
        (await directory.get(`${units}/${unit}/members`)).body.value.map(
          (each: { id: string }) => each.id,
        );
      const setDepartment = (number: number, department: string | null): Promise<unknown> =>
        directory.patch(`/users/${id(number)}`, { department });
      await setDepartment(1, 'Sales');
      const { status, body } = await directory.post(units, {
        displayName: 'Sales',
        membershipType: 'dynamic',
        membershipRule: 'user.department -eq "Sales"',
        membershipRuleProcessingState: 'On',
      });
      expect([status, body.membershipType]).toEqual([201, 'Dynamic']);
      const unit = body.id as string;
      expect(await namesOf(unit)).toEqual([id(1)]);
      await setDepartment(2, 'Sales');
      await setDepartment(1, null);
      expect(await namesOf(unit)).toEqual([id(2)]);
      const memberOf = (await directory.get(`/users/${id(2)}/memberOf`)).body.value;
      expect(memberOf).toContainEqual(expect.objectContaining({ id: unit }));

      const members = `${units}/${unit}/members`;
      expect((await directory.post(`${members}/$ref`, referenceTo(id(1)))).status).toBe(403);
      expect((await directory.delete(`${members}/${id(2)}/$ref`)).status).toBe(403);
      expect((await directory.post(members, securityGroup())).status).toBe(403);

      const change = async (changes: object): Promise<number> =>
        (await directory.patch(`${units}/${unit}`, changes)).status;
      expect(await change({ membershipRuleProcessingState: 'Paused' })).toBe(204);
      await setDepartment(1, 'Sales');
      expect(await namesOf(unit)).toEqual([id(2)]);
      expect(await change({ membershipRuleProcessingState: 'On' })).toBe(204);
      expect((await namesOf(unit)).sort()).toEqual([id(1), id(2)]);
      expect(await change({ membershipRule: null })).toBe(400);
      expect(await change({ membershipType: 'Assigned' })).toBe(204);
      await setDepartment(1, null);
      expect((await namesOf(unit)).sort()).toEqual([id(1), id(2)]);
      expect((await directory.delete(`${members}/${id(2)}/$ref`)).status).toBe(204);
    });

    it('show hidden members to those in them, to administrators and to applications that manage units', async () => {
      const unit = (
        await directory.post(units, { displayName: 'Secret', visibility: 'HiddenMembership' })
      ).body.id as string;
      await directory.post(`${units}/${unit}/members/$ref`, referenceTo(id(1)));
      const permissions = ['AdministrativeUnit.Read.All', 'User.Read.All'];
      const callers = [
        [person(id(1), permissions), true],
        [person(id(2), permissions), false],
        [person(id(2), permissions, ['globalReader']), true],
        [application(id(600), permissions), false],
        [application(id(600), [...permissions, 'Member.Read.Hidden']), true],
        [application(id(600), [...permissions, 'AdministrativeUnit.ReadWrite.All']), true],
      ] as const;
      for (const [as, sees] of callers) {
        const members = sees ? [expect.objectContaining({ id: id(1) })] : [];
        const list = await directory.get(`${units}/${unit}/members`, { as });
        expect([list.status, list.body.value ?? []]).toEqual([sees ? 200 : 403, members]);
        const count = await directory.get(`${units}/${unit}/members/$count`, {
          as,
          headers: { consistencylevel: 'eventual' },
        });
        expect(count.status).toBe(sees ? 200 : 403);
        const expanded = await directory.get(`${units}/${unit}?$expand=members`, { as });
        expect([expanded.status, expanded.body.members]).toEqual([200, members]);
        const memberships = await directory.get(`/users/${id(1)}/memberOf`, { as });
        expect(memberships.body.value.some((each: { id: string }) => each.id === unit)).toBe(sees);
        const delta = await directory.get(`${units}/delta`, { as });
        const entry = delta.body.value.find((each: { id: string }) => each.id === unit);
        expect(entry['members@delta'] ?? []).toHaveLength(sees ? 1 : 0);
      }
    });

    it('can create a group, with its type in the answer', async () => {
      const unit = await createUnit('West');
      const namespace = dialect === 'azure' ? '#microsoft.graph' : '#svc.directory';
      const { status, body } = await directory.post(`/beta${units}/${unit}/members`, {
        '@odata.type': `${namespace}.group`,
        ...securityGroup(),
      });
      expect([status, body['@odata.type']]).toEqual([201, `${namespace}.group`]);
      const memberOf = (await directory.get(`/beta/groups/${body.id}/memberOf`)).body.value;
      expect(memberOf).toEqual([
        expect.objectContaining({ '@odata.type': `${namespace}.administrativeUnit`, id: unit }),
      ]);
    });

    it('take new groups only from those who may create groups', async () => {
      const unit = await createUnit('North-west');
      const statusFor = async (...permissions: string[]): Promise<number> =>
        (
          await directory.post(`${units}/${unit}/members`, securityGroup(), {
            as: application(id(600), permissions),
          })
        ).status;
      expect(await statusFor('AdministrativeUnit.ReadWrite.All')).toBe(403);
      expect(await statusFor('Group.Create')).toBe(403);
      expect(await statusFor('Group.Create', 'AdministrativeUnit.Read.All')).toBe(201);
      expect(await statusFor('Directory.ReadWrite.All')).toBe(201);
      const scopes = ['Group.ReadWrite.All', 'AdministrativeUnit.Read.All'];
      const asUser = { as: person(id(1), scopes, ['groupsAdministrator']) };
      const answer = await directory.post(`${units}/${unit}/members`, securityGroup(), asUser);
      expect(answer.status).toBe(201);
    });

    /**
     * @claim unit-role-members: An administrative unit has scoped role members.
     * @source https://learn.microsoft.com/graph/api/administrativeunit-post-scopedrolemembers
     * @seen azuread
     */
    it('have scoped role members that show the name of the principal', async () => {
      const unit = await createUnit('East');
      const role = (
        await directory.post('/directoryRoles', {
          roleTemplateId: 'fdd7a751-b60b-444a-984c-02652fe8fa1c',
        })
      ).body.id;
      const path = `${units}/${unit}/scopedRoleMembers`;
      const body = { administrativeUnitId: unit, roleId: role, roleMemberInfo: { id: id(2) } };
      const created = await directory.post(path, body);
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        administrativeUnitId: unit,
        roleId: role,
        roleMemberInfo: { id: id(2), displayName: expect.any(String) },
      });
      expect((await directory.post(path, body)).status).toBe(400);
      expect((await directory.get(`${path}/${created.body.id}`)).body.id).toBe(created.body.id);
      expect((await directory.get(`/users/${id(2)}/scopedRoleMemberOf`)).body.value).toHaveLength(
        1,
      );
      await directory.delete(`/users/${id(2)}`);
      expect((await directory.get(path)).body.value).toEqual([]);
      await directory.post(`/directory/deletedItems/${id(2)}/restore`);
    });
  },
);

onEveryEngine('a dynamic unit that an earlier version stored', (openDatabase) => {
  it('is filled by its rule', async () => {
    const database = await openDatabase();
    const earlier = await TestDirectory.start({
      database,
      seed: { users: [user(id(1), { department: 'Sales' }), user(id(2))] },
    });
    const { body: unit } = await earlier.post(units, {
      displayName: 'Sales',
      membershipType: 'Dynamic',
      membershipRule: 'user.department -eq "Sales"',
      membershipRuleProcessingState: 'On',
    });
    await earlier.stop();
    for (const statement of [
      sql`delete from directory_migration where name = '006-dynamic-units'`,
      sql`update directory_object set alternate_key = null where type = 'administrativeUnit'`,
      sql`delete from directory_link`,
    ])
      await statement.execute(database.connection);
    const directory = await TestDirectory.start({ database });
    const members = async (): Promise<string[]> =>
      (await directory.get(`${units}/${unit.id}/members`)).body.value.map(
        (each: { id: string }) => each.id,
      );
    await expect.poll(members).toEqual([id(1)]);
    await directory.patch(`/users/${id(2)}`, { department: 'Sales' });
    expect((await members()).sort()).toEqual([id(1), id(2)]);
    await directory.stop();
    await database.close();
  });
});
