import { isServiceError, staticToken } from '../../../clients/common/index.js';
import { createItemsClient, type ItemsClient } from '../../../clients/items/index.js';
import {
  ids,
  part,
  type StartedItems,
  startItems,
  tokenOf,
} from '../../services/items/support/start-items.js';

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

const topology = {
  sources: [{ name: 'in', type: 'CustomEndpoint', properties: {} }],
  destinations: [],
  operators: [],
  streams: [],
};

describe.each(['neutral', 'azure'] as const)(
  'the items client against a service in the %s dialect',
  (dialect) => {
    // Some operations are long-running: callers must not see a difference.
    const longRunning = { mode: 'random', seed: 'client', seconds: 0.02 } as const;
    let service: StartedItems;
    let items: ItemsClient;
    beforeAll(async () => {
      service = await startItems({
        dialect,
        longRunning,
        failingItemPrefix: 'doomed',
        letsEveryoneIn: false,
      });
      const credential = staticToken(tokenOf({ objectId: ids.admin }));
      items = createItemsClient({
        baseUrl: service.origin,
        dialect,
        credential,
        retries: 0,
        sleep: () => new Promise((d) => setTimeout(d, 10)),
      });
    });
    afterAll(() => service.stop());

    it('creates, reads, changes and deletes eventhouses with what belongs to them', async () => {
      const house = await items.eventhouses.create(ids.workspace, {
        displayName: 'house',
        creationPayload: { minimumConsumptionUnits: 4.25 },
      });
      expect(house).toMatchObject({
        displayName: 'house',
        properties: { minimumConsumptionUnits: 4.25 },
      });
      const [database = ''] = house.properties?.databasesItemIds ?? [];
      expect(
        (await items.kqlDatabases.get(ids.workspace, database)).properties?.parentEventhouseItemId,
      ).toBe(house.id);
      expect(
        await items.eventhouses.update(ids.workspace, house.id, { description: 'hot' }),
      ).toMatchObject({
        displayName: 'house',
        description: 'hot',
      });
      const definition = await items.eventhouses.getDefinition(ids.workspace, house.id);
      expect(definition.parts.map(({ path }) => path)).toEqual([
        'EventhouseProperties.json',
        '.platform',
      ]);
      await items.eventhouses.delete(ids.workspace, house.id, { hardDelete: true });
      await expect(items.eventhouses.get(ids.workspace, house.id)).rejects.toMatchObject({
        status: 404,
        serviceCode: 'ItemNotFound',
      });
    });

    it('creates eventstreams with a definition, reads their topology, pauses and resumes them', async () => {
      const definition = { format: 'eventstream', parts: [part('eventstream.json', topology)] };
      const stream = await items.eventstreams.create(ids.workspace, {
        displayName: 'stream',
        definition,
      });
      expect((await items.eventstreams.topology(ids.workspace, stream.id)).sources).toMatchObject([
        { name: 'in', status: 'Running' },
      ]);
      await items.eventstreams.pause(ids.workspace, stream.id);
      expect((await items.eventstreams.topology(ids.workspace, stream.id)).sources).toMatchObject([
        { status: 'Paused' },
      ]);
      await items.eventstreams.resume(ids.workspace, stream.id, {
        startType: 'CustomTime',
        customStartDateTime: '2026-01-01T00:00:00Z',
      });
      await items.eventstreams.updateDefinition(ids.workspace, stream.id, {
        parts: [part('eventstream.json', { ...topology, sources: [] })],
      });
      expect((await items.eventstreams.topology(ids.workspace, stream.id)).sources).toEqual([]);
    });

    it('says why an accepted creation failed, with the request that began it', async () => {
      const failure = await items.eventstreams
        .create(ids.workspace, { displayName: 'doomed' })
        .catch((error: unknown) => error);
      expect(isServiceError(failure)).toBe(true);
      expect(failure).toMatchObject({
        serviceCode: 'UnknownError',
        isRetriable: false,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(String(failure)).toContain('provisioning failed');
    });

    it('says what a refused creation did wrong, as the service words it', async () => {
      const creation = items.eventstreams.create(ids.workspace, {
        displayName: 'a b',
        description: 'x'.repeat(257),
      });
      await expect(creation).rejects.toMatchObject({
        status: 400,
        serviceCode: 'InvalidInput',
        isRetriable: false,
        serviceDetails: [
          { message: expect.stringContaining('displayName') },
          { message: expect.stringContaining('257') },
        ],
      });
    });

    it('works with workspaces, folders, roles, capacities and tags', async () => {
      const workspace = await items.workspaces.create({
        displayName: `made ${dialect}`,
        capacityId: ids.capacity,
      });
      const folder = await items.folders.create(workspace.id, { displayName: 'f' });
      const inner = await items.folders.create(workspace.id, {
        displayName: 'g',
        parentFolderId: folder.id,
      });
      const item = await items.items.create(workspace.id, {
        displayName: 'note',
        type: 'Notebook',
        folderId: inner.id,
      });
      expect(
        await collect(items.items.list(workspace.id, { rootFolderId: folder.id })),
      ).toHaveLength(1);
      expect(
        await collect(
          items.items.list(workspace.id, { rootFolderId: folder.id, recursive: false }),
        ),
      ).toHaveLength(0);
      await items.items.move(workspace.id, item.id, undefined);
      expect((await items.items.get(workspace.id, item.id)).folderId).toBeUndefined();
      await items.items.applyTags(workspace.id, item.id, [ids.tag]);
      expect((await items.items.get(workspace.id, item.id)).tags).toEqual([
        { id: ids.tag, displayName: 'hot' },
      ]);
      await items.items.unapplyTags(workspace.id, item.id, [ids.tag]);
      expect((await items.folders.rename(workspace.id, inner.id, 'h')).displayName).toBe('h');
      expect(
        (await items.folders.move(workspace.id, inner.id, undefined)).parentFolderId,
      ).toBeUndefined();
      await items.folders.delete(workspace.id, inner.id);
      const principal = { id: ids.viewer, type: 'User' };
      expect(
        (await items.roleAssignments.create(workspace.id, { principal, role: 'Viewer' })).role,
      ).toBe('Viewer');
      expect(
        (await items.roleAssignments.update(workspace.id, ids.viewer, 'Contributor')).role,
      ).toBe('Contributor');
      await items.roleAssignments.delete(workspace.id, ids.viewer);
      expect(await collect(items.roleAssignments.list(workspace.id))).toHaveLength(1);
      await items.workspaces.unassignFromCapacity(workspace.id);
      await items.workspaces.assignToCapacity(workspace.id, ids.capacity);
      await items.workspaces.provisionIdentity(workspace.id);
      expect((await items.workspaces.get(workspace.id)).capacityId).toBe(ids.capacity);
      expect((await collect(items.capacities())).map(({ id }) => id)).toContain(ids.capacity);
      expect((await collect(items.workspaces.list())).map(({ id }) => id)).toContain(workspace.id);
      await items.workspaces.delete(workspace.id);
    });

    it('lists every item once over all pages, while more is created', async () => {
      const workspace = await items.workspaces.create({ displayName: `pages ${dialect}` });
      const create = (name: string): Promise<unknown> =>
        items.items.create(workspace.id, { displayName: name, type: 'Notebook' });
      await Promise.all(Array.from({ length: 120 }, (_, index) => create(`n-${index}`)));
      const names: string[] = [];
      for await (const { displayName } of items.items.list(workspace.id)) {
        if (names.push(displayName) % 50 === 0) await create(`late-${names.length}`);
      }
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.startsWith('n-'))).toHaveLength(120);
    });
  },
);
