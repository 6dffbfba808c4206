import { systemClock } from '../../../services/common/clock.js';
import { openDatabase } from '../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import { noAuthentication } from '../../../services/common/token-verifier.js';
import { createModules } from '../../../services/directory/modules.js';
import { DirectoryService } from '../../../services/directory/service.js';
import {
  ids,
  seed,
  type StartedItems,
  startItems,
  tokenOf,
  workspacePath,
} from './support/start-items.js';

const group = '90000000-0000-4000-8000-000000000001';
const outerGroup = '90000000-0000-4000-8000-000000000002';
const longRunning = { mode: 'never', seed: '', seconds: 0 } as const;
const tenant = '10000000-0000-4000-8000-000000000001';

/** A workspace where a group may write and another one only read. */
const groupSeed = {
  ...seed,
  users: [{ id: ids.stranger, displayName: 'Seeded', userPrincipalName: 'seeded@example.com' }],
  workspaces: [
    {
      id: ids.workspace,
      displayName: 'Telemetry',
      capacityId: ids.capacity,
      roleAssignments: [
        { principal: { id: ids.admin, type: 'User' }, role: 'Admin' },
        { principal: { id: group, type: 'Group' }, role: 'Viewer' },
        { principal: { id: outerGroup, type: 'Group' }, role: 'Contributor' },
      ],
    },
  ],
};

describe('a role assigned to a group', () => {
  let service: StartedItems | undefined;
  afterEach(() => service?.stop());

  const create = async (token: string, name: string): Promise<number> =>
    (
      await service?.call('POST', `${workspacePath}/eventstreams`, {
        token,
        body: { displayName: name },
      })
    )?.status ?? 0;
  const read = async (token: string): Promise<number> =>
    (await service?.call('GET', workspacePath, { token }))?.status ?? 0;

  it('applies to callers whose token contains the group, the strongest of several', async () => {
    service = await startItems({ letsEveryoneIn: false, seed: groupSeed });
    const viewer = tokenOf({ objectId: ids.viewer, groups: [group] });
    expect([await read(viewer), await create(viewer, 'a')]).toEqual([200, 403]);
    const both = tokenOf({ objectId: ids.viewer, groups: [group, outerGroup] });
    expect([await read(both), await create(both, 'b')]).toEqual([200, 201]);
    expect(await read(tokenOf({ objectId: ids.viewer }))).toBe(403);
  });

  it('lists its workspace to those members, once', async () => {
    service = await startItems({ letsEveryoneIn: false, seed: groupSeed });
    const list = async (groups: string[]): Promise<unknown[]> =>
      ((
        await service?.call('GET', '/v1/workspaces', {
          token: tokenOf({ objectId: ids.viewer, groups }),
        })
      )?.body.value as unknown[]) ?? [];
    expect(await list([group, outerGroup])).toHaveLength(1);
    expect(await list([])).toHaveLength(0);
  });

  it('applies to members that the directory in the same process has', async () => {
    const askedIds: string[] = [];
    const groupsOf = (objectId: string): Promise<readonly string[]> => {
      askedIds.push(objectId);
      return Promise.resolve(objectId === ids.viewer ? [outerGroup] : []);
    };
    service = await startItems({ letsEveryoneIn: false, seed: groupSeed, groupsOf });
    expect(await create(tokenOf({ objectId: ids.viewer.toUpperCase() }), 'a')).toBe(201);
    expect(await create(tokenOf({ objectId: ids.contributor }), 'b')).toBe(403);
    expect(askedIds).toEqual([ids.viewer, ids.contributor]);
  });

  it('applies to members in the directory in the same process, including nested ones, until they leave', async () => {
    const database = await openDatabase('memory:');
    const directory = await DirectoryService.start(
      {
        database,
        dialect: 'neutral',
        clock: systemClock,
        tokenVerifier: noAuthentication,
        throttle: false,
        longRunning,
      },
      createModules(),
    );
    const groupEntry = (id: string, displayName: string): object => ({
      id,
      displayName,
      mailNickname: displayName,
      mailEnabled: false,
      securityEnabled: true,
    });
    await directory.seed({
      users: [
        {
          id: ids.viewer,
          displayName: 'V',
          userPrincipalName: 'v@example.com',
          mailNickname: 'v',
          accountEnabled: true,
        },
      ],
      groups: [
        { ...groupEntry(outerGroup, 'outer'), members: [group] },
        { ...groupEntry(group, 'inner'), members: [ids.viewer] },
      ],
    });
    service = await startItems({
      letsEveryoneIn: false,
      seed: groupSeed,
      groupsOf: (id) => directory.groupsOf(id),
    });
    const token = tokenOf({ objectId: ids.viewer });
    expect(await create(token, 'a')).toBe(201);
    const server = createHttpServer();
    mountService(server, directory);
    expect(
      (await server.inject({ method: 'DELETE', url: `/v1.0/groups/${outerGroup}` })).statusCode,
    ).toBe(204);
    expect([await create(token, 'b'), await read(token)]).toEqual([403, 200]);
    await server.close();
    await directory.close();
    await database.close();
  });

  it('applies to the members in the seed, including nested ones, without a directory', async () => {
    const groups = [
      { id: outerGroup, displayName: 'outer', members: [group] },
      { id: group, displayName: 'inner', members: ['seeded@example.com', { id: ids.viewer }] },
    ];
    service = await startItems({ letsEveryoneIn: false, seed: { ...groupSeed, groups } });
    expect(await create(tokenOf({ objectId: ids.viewer }), 'a')).toBe(201);
    expect(await create(tokenOf({ objectId: ids.stranger }), 'b')).toBe(201);
    expect(await create(tokenOf({ objectId: ids.contributor }), 'c')).toBe(403);
  });

  it('applies to everyone of a tenant when it is assigned to the tenant', async () => {
    service = await startItems({ letsEveryoneIn: false, seed: groupSeed });
    const body = { principal: { id: tenant, type: 'EntireTenant' }, role: 'Viewer' };
    const assignmentAnswer = await service.call('POST', `${workspacePath}/roleAssignments`, {
      token: tokenOf({ objectId: ids.admin }),
      body,
    });
    expect(assignmentAnswer.status).toBe(201);
    expect(await read(tokenOf({ objectId: ids.stranger, tenantId: tenant }))).toBe(200);
    expect(await read(tokenOf({ objectId: ids.stranger, tenantId: 'another' }))).toBe(403);
    // An id that is both someone's and the tenant's is no way in.
    expect(await read(tokenOf({ objectId: tenant }))).toBe(403);
  });
});
