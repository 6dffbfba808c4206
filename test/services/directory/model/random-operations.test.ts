import fc from 'fast-check';
import { runs } from '../../../support/property-tests.js';
import { onEveryEngine } from '../support/engines.js';
import { TestDirectory, id, securityGroup, user } from '../support/directory.js';
import { GroupModel } from './group-model.js';
import { Replica } from './replica.js';

const users = [1, 2, 3, 4].map(id);

const kinds = [
  'create',
  'create',
  'rename',
  'add',
  'add',
  'add',
  'remove',
  'own',
  'delete',
  'restore',
  'purge',
  'deleteUser',
  'restoreUser',
  'sync',
] as const;

type Step = readonly [kind: (typeof kinds)[number], groupNumber: number, otherNumber: number];

const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...kinds), fc.nat(1000), fc.nat(1000));

onEveryEngine('random operations on groups', (open, engine) => {
  it(
    'leave the directory as the model says, and every delta replica equal to it',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
          const database = await open();
          const directory = await TestDirectory.start({
            database,
            seed: { users: users.map((each) => user(each)) },
          });
          try {
            const model = new GroupModel();
            const replica = new Replica(directory);
            for (const each of steps) await applyStep(directory, model, replica, each);
            await compare(directory, model);
            await replica.sync();
            const expected = model
              .liveGroups()
              .map((group) => [group.id, group.name, model.members(group), model.owners(group)]);
            const actual = [...replica.groups].map(([each, group]) => [
              each,
              group.name,
              [...group.members].sort(),
              [...group.owners].sort(),
            ]);
            expect(actual.sort()).toEqual(expected.sort());
          } finally {
            await directory.stop();
            await database.close();
          }
        }),
        // a failure says its seed at once instead of shrinking into the time limit
        { numRuns: runs(engine === 'sqlite' ? 25 : 3), endOnFailure: true },
      );
    },
    runs(120_000),
  );
});

async function applyStep(
  directory: TestDirectory,
  model: GroupModel,
  replica: Replica,
  [kind, groupNumber, otherNumber]: Step,
): Promise<void> {
  const live = model.liveGroups();
  const group = live[groupNumber % Math.max(1, live.length)];
  const dead = model.deletedGroups();
  const deletedGroup = dead[groupNumber % Math.max(1, dead.length)];
  const presentUsers = users.filter((each) => !model.deletedUsers.has(each));
  const candidates = [...presentUsers, ...live.map((each) => each.id), 'nobody'];
  const target = candidates[otherNumber % candidates.length] as string;
  const reference = { '@odata.id': `http://directory.test/v1.0/directoryObjects/${target}` };
  if (kind === 'create') {
    const { body } = await directory.post(
      '/groups',
      securityGroup({ displayName: `G${groupNumber}` }),
    );
    model.groups.set(body.id, {
      id: body.id,
      name: `G${groupNumber}`,
      members: new Set(),
      owners: new Set(),
      deleted: false,
    });
  }
  if (kind === 'sync') await replica.sync();
  if (kind === 'rename' && group) {
    expect(
      (await directory.patch(`/groups/${group.id}`, { displayName: `R${otherNumber}` })).status,
    ).toBe(204);
    group.name = `R${otherNumber}`;
  }
  if (kind === 'add' && group) {
    const allowed = target !== 'nobody' && target !== group.id && !group.members.has(target);
    const { status } = await directory.post(`/groups/${group.id}/members/$ref`, reference);
    expect(status).toBe(allowed ? 204 : target === 'nobody' ? 404 : 400);
    if (allowed) group.members.add(target);
  }
  if (kind === 'remove' && group) {
    const { status } = await directory.delete(`/groups/${group.id}/members/${target}/$ref`);
    expect(status).toBe(group.members.has(target) ? 204 : 404);
    group.members.delete(target);
  }
  const owner = presentUsers[otherNumber % Math.max(1, presentUsers.length)];
  if (kind === 'own' && group && owner !== undefined) {
    const { status } = await directory.post(`/groups/${group.id}/owners/$ref`, {
      '@odata.id': `http://x/v1.0/users/${owner}`,
    });
    expect(status).toBe(group.owners.has(owner) ? 400 : 204);
    group.owners.add(owner);
  }
  if (kind === 'deleteUser' && owner !== undefined) {
    expect((await directory.delete(`/users/${owner}`)).status).toBe(204);
    model.deletedUsers.add(owner);
  }
  const [deletedUser] = model.deletedUsers;
  if (kind === 'restoreUser' && deletedUser !== undefined) {
    expect((await directory.post(`/directory/deletedItems/${deletedUser}/restore`)).status).toBe(
      200,
    );
    model.deletedUsers.delete(deletedUser);
  }
  if (kind === 'delete' && group) {
    expect((await directory.delete(`/groups/${group.id}`)).status).toBe(204);
    group.deleted = true;
  }
  if (kind === 'restore' && deletedGroup) {
    expect(
      (await directory.post(`/directory/deletedItems/${deletedGroup.id}/restore`)).status,
    ).toBe(200);
    deletedGroup.deleted = false;
  }
  if (kind === 'purge' && deletedGroup) {
    expect((await directory.delete(`/directory/deletedItems/${deletedGroup.id}`)).status).toBe(204);
    model.purge(deletedGroup.id);
  }
}

async function compare(directory: TestDirectory, model: GroupModel): Promise<void> {
  const ids = async (path: string): Promise<string[]> =>
    (await directory.get(path)).body.value.map((each: { id: string }) => each.id).sort();
  expect(await ids('/groups?$select=id')).toEqual(
    model
      .liveGroups()
      .map((group) => group.id)
      .sort(),
  );
  expect(await ids('/directory/deletedItems/svc.directory.group')).toEqual(
    model
      .deletedGroups()
      .map((group) => group.id)
      .sort(),
  );
  for (const group of model.liveGroups()) {
    expect((await directory.get(`/groups/${group.id}`)).body.displayName).toBe(group.name);
    expect(await ids(`/groups/${group.id}/members`)).toEqual(model.members(group));
    expect(await ids(`/groups/${group.id}/transitiveMembers`)).toEqual(
      model.transitiveMembers(group),
    );
    expect(await ids(`/groups/${group.id}/owners`)).toEqual(model.owners(group));
  }
  for (const each of users.filter((userId) => !model.deletedUsers.has(userId))) {
    expect(
      (
        await directory.post(`/users/${each}/getMemberGroups`, { securityEnabledOnly: false })
      ).body.value.sort(),
    ).toEqual(model.groupsOf(each));
    const groupIds = model
      .liveGroups()
      .slice(0, 20)
      .map((group) => group.id);
    const belongs = new Set(model.groupsOf(each));
    const { body } = await directory.post(`/users/${each}/checkMemberGroups`, { groupIds });
    expect(body.value).toEqual(groupIds.filter((group) => belongs.has(group)));
  }
}
