import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../../services/common/database.js';
import { emptyPostgres } from '../../support/postgres.js';
import { describeWithTool } from '../../support/require-tool.js';
import {
  ids,
  part,
  seed,
  type StartedItems,
  startItems,
  tokenOf,
  workspacePath,
} from './support/start-items.js';

const someViewer = (): object => ({
  principal: { id: randomUUID(), type: 'User' },
  role: 'Viewer',
});
/** A workspace in which two more roles can be assigned. */
const nearlyFull = {
  id: 'a0000000-0000-4000-8000-000000000003',
  displayName: 'nearly full',
  roleAssignments: Array.from({ length: 998 }, someViewer),
};

describeWithTool('postgres', 'the items service on PostgreSQL', () => {
  let database: string;
  let service: StartedItems;
  const longRunning = { mode: 'always', seed: '', seconds: 0.2 } as const;
  beforeAll(async () => {
    database = await emptyPostgres();
    service = await startItems({
      database,
      seed: { ...seed, workspaces: [...(seed.workspaces ?? []), nearlyFull] },
    });
  });
  afterAll(async () => {
    await service.stop();
  });
  const create = (
    collection: string,
    displayName: string,
    path = workspacePath,
  ): ReturnType<StartedItems['call']> =>
    service.call('POST', `${path}/${collection}`, { body: { displayName } });

  it('lets exactly one of many racing creations win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => create('eventhouses', 'race')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(23).fill(409),
    ]);
    // an eventhouse comes with its database
    expect((await service.call('GET', `${workspacePath}/items`)).body.value).toHaveLength(2);
  });

  it('enforces the limit of items under concurrent creations', async () => {
    const { id } = await service.items.workspaces.create({
      displayName: 'full',
      capacityId: ids.capacity,
    });
    const path = `/v1/workspaces/${id}`;
    await service.countItems(id, 850);
    const statuses: number[] = [];
    for (let batch = 0; batch < 4; batch++)
      statuses.push(
        ...(
          await Promise.all(
            Array.from({ length: 50 }, (_, index) =>
              create('eventstreams', `s${batch * 50 + index}`, path),
            ),
          )
        ).map(({ status }) => status),
      );
    expect(statuses.filter((status) => status === 201)).toHaveLength(150);
    expect(statuses.filter((status) => status === 409)).toHaveLength(50);
  });

  it('moves only one of two folders that are moved into each other at once', async () => {
    const folders = `${workspacePath}/folders`;
    const createFolder = async (name: string): Promise<string> =>
      (await create('folders', name)).body.id as string;
    const move = async (folder: string, targetFolderId: string): Promise<number> =>
      (await service.call('POST', `${folders}/${folder}/move`, { body: { targetFolderId } }))
        .status;
    const pairs = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        Promise.all([createFolder(`one ${index}`), createFolder(`other ${index}`)]),
      ),
    );
    const statuses = await Promise.all(
      pairs.map(([one, other]) => Promise.all([move(one, other), move(other, one)])),
    );
    expect(statuses.map((pair) => pair.toSorted().join())).toEqual(pairs.map(() => '200,400'));
  });

  it('keeps an administrator when two remove each other at once', async () => {
    const remaining: number[] = [];
    for (let round = 0; round < 8; round++) {
      const admin = tokenOf({ objectId: ids.admin });
      const { body } = await service.call('POST', '/v1/workspaces', {
        token: admin,
        body: { displayName: `two administrators ${round}` },
      });
      const assignments = `/v1/workspaces/${body.id as string}/roleAssignments`;
      await service.call('POST', assignments, {
        body: { principal: { id: ids.contributor, type: 'User' }, role: 'Admin' },
      });
      await Promise.all([
        service.call('DELETE', `${assignments}/${ids.contributor}`, { token: admin }),
        service.call('DELETE', `${assignments}/${ids.admin}`, {
          token: tokenOf({ objectId: ids.contributor }),
        }),
      ]);
      const { value } = (await service.call('GET', assignments)).body;
      remaining.push((value as unknown[]).length);
    }
    expect(remaining).toEqual(Array<number>(8).fill(1));
  });

  it('has no more role assignments than allowed when the last ones are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.call('POST', `/v1/workspaces/${nearlyFull.id}/roleAssignments`, {
          body: someViewer(),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201, 201, 400, 400, 400, 400, 400, 400,
    ]);
  });

  it('stores definitions, tags, folders and roles', async () => {
    const { body } = await create('eventstreams', 'defined');
    const path = `${workspacePath}/eventstreams/${body.id as string}`;
    const definition = {
      parts: [
        part('eventstream.json', {}),
        part('eventstreamProperties.json', { retentionTimeInDays: 3 }),
      ],
    };
    expect(
      (await service.call('POST', `${path}/updateDefinition`, { body: { definition } })).status,
    ).toBe(200);
    await service.items.items.applyTags(ids.workspace, body.id as string, [ids.tag]);
    await service.items.items.applyTags(ids.workspace, body.id as string, [ids.tag]);
    const folder = await service.items.folders.create(ids.workspace, { displayName: 'f' });
    await service.items.items.move(ids.workspace, body.id as string, folder.id);
    expect((await service.call('GET', path)).body).toMatchObject({
      folderId: folder.id,
      tags: [{ id: ids.tag, displayName: 'hot' }],
    });
    const roles = [];
    for await (const role of service.items.roleAssignments.list(ids.workspace))
      roles.push(role.role);
    expect(roles).toEqual(['Admin', 'Contributor', 'Viewer', 'Contributor']);
    expect(
      (await service.call('DELETE', `/v1/workspaces/${ids.workspaceWithoutCapacity}`)).status,
    ).toBe(200);
  });

  it('removes a role assignment once when it is removed several times at once', async () => {
    const path = `${workspacePath}/roleAssignments/${ids.viewer}`;
    const deletions = await Promise.all(
      Array.from({ length: 8 }, () => service.call('DELETE', path)),
    );
    expect(deletions.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(7).fill(404),
    ]);
  });

  it('gives the name of a tag once when several are made at once', async () => {
    const creations = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.call('POST', '/v1/admin/tags/bulkCreateTags', {
          body: { createTagsRequest: [{ displayName: 'race' }] },
        }),
      ),
    );
    expect(creations.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
  });

  it('gives a workspace one identity when two are requested at once', async () => {
    const stores = await openDatabase(database);
    // both requests find the workspace without an identity, and wait
    const answers = await stores.connection.transaction().execute(async (transaction) => {
      await sql`select * from items_workspace where id = ${ids.workspace} for update`.execute(
        transaction,
      );
      const requests = [1, 2].map(() => service.call('POST', `${workspacePath}/provisionIdentity`));
      await sleep(300);
      return requests;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    await stores.close();
    expect(statuses.toSorted()).toEqual([200, 409]);
  });

  it('adds nothing to a workspace that is deleted at once', async () => {
    const stores = await openDatabase(database);
    const { id } = await service.items.workspaces.create({ displayName: 'deleted at once' });
    const path = `/v1/workspaces/${id}`;
    // the deletion waits, and the other requests find the workspace meanwhile
    const answers = await stores.connection.transaction().execute(async (transaction) => {
      await sql`select * from items_workspace where id = ${id} for update`.execute(transaction);
      const deletion = service.call('DELETE', path);
      await sleep(300);
      const body = { principal: { id: ids.viewer, type: 'User' }, role: 'Viewer' };
      const others = [
        service.call('POST', `${path}/folders`, { body: { displayName: 'late' } }),
        service.call('POST', `${path}/roleAssignments`, { body }),
        service.call('PATCH', path, { body: { description: 'late' } }),
      ];
      await sleep(300);
      return [deletion, ...others];
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    await stores.close();
    expect(statuses).toEqual([200, 404, 404, 404]);
  });

  it('replaces a definition by each of several requests at once', async () => {
    const { body } = await create('eventstreams', 'often-defined');
    const path = `${workspacePath}/eventstreams/${body.id as string}/updateDefinition`;
    const definition = { parts: [part('eventstream.json', {})] };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => service.call('POST', path, { body: { definition } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(16).fill(200));
  });

  it('pauses each of several sources that are paused at once', async () => {
    const { body } = await create('eventstreams', 'often-paused');
    const path = `${workspacePath}/eventstreams/${body.id as string}`;
    const sources = Array.from({ length: 8 }, (_, index) => ({
      name: `source${index}`,
      type: 'CustomEndpoint',
      properties: {},
    }));
    const definition = { parts: [part('eventstream.json', { sources })] };
    await service.call('POST', `${path}/updateDefinition`, { body: { definition } });
    const readSources = async () =>
      (await service.call('GET', `${path}/topology`)).body.sources as {
        id: string;
        status: string;
      }[];
    await Promise.all(
      (await readSources()).map(({ id }) => service.call('POST', `${path}/sources/${id}/pause`)),
    );
    expect((await readSources()).map(({ status }) => status)).toEqual(
      Array<string>(8).fill('Paused'),
    );
  });

  it('continues operations that another process left unfinished', async () => {
    const first = await startItems({ database, longRunning });
    const accepted = await first.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'left' },
    });
    await first.stop();
    await new Promise((done) => setTimeout(done, 300));
    const second = await startItems({ database, longRunning });
    try {
      const path = (accepted.headers.get('location') ?? '').replace(first.origin, '');
      expect((await second.call('GET', path)).body.status).toBe('Succeeded');
      expect((await second.call('GET', `${path}/result`)).body.displayName).toBe('left');
    } finally {
      await second.stop();
    }
  });
});
