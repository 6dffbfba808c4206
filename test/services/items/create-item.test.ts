import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDatabaseWithTurns } from '../../support/database-with-turns.js';
import { ids, part, type StartedItems, startItems, workspacePath } from './support/start-items.js';

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

describe('creating items', () => {
  let service: StartedItems;
  let counter = 0;
  const name = (): string => `item-${++counter}`;
  const create = (
    collection: string,
    body: unknown,
    workspace = workspacePath,
  ): ReturnType<StartedItems['call']> =>
    service.call('POST', `${workspace}/${collection}`, { body });
  beforeAll(async () => (service = await startItems()));
  afterAll(() => service.stop());

  /**
   * @claim eventhouse-create: POST eventhouses answers 201 with the item and its properties.
   * @source https://learn.microsoft.com/rest/api/fabric/eventhouse/items/create-eventhouse
   * @seen fabric
   */
  it('answers 201 with every field of an eventhouse', async () => {
    const displayName = name();
    const { status, body, headers } = await create('eventhouses', {
      displayName,
      description: 'Hot store',
      creationPayload: { minimumConsumptionUnits: 4.25 },
      sensitivityLabelSettings: { labelId: ids.label },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(uuid) as string,
      type: 'Eventhouse',
      displayName,
      description: 'Hot store',
      workspaceId: ids.workspace,
      sensitivityLabel: { id: ids.label },
      tags: [],
      defaultIdentity: expect.objectContaining({
        type: 'User',
        id: expect.stringMatching(uuid) as string,
      }) as object,
      properties: {
        queryServiceUri: `https://${body.id as string}.z0.kusto.localhost`,
        ingestionServiceUri: `https://ingest-${body.id as string}.z0.kusto.localhost`,
        databasesItemIds: [expect.stringMatching(uuid)],
        minimumConsumptionUnits: 4.25,
      },
    });
    expect(headers.get('location')).toBeNull();
    expect(headers.get('requestid')).toMatch(uuid);
    expect(headers.get('x-svc-request-id')).toBe(headers.get('requestid'));
  });

  /**
   * @claim eventhouse-database: An eventhouse comes and goes with a query database.
   * @source https://learn.microsoft.com/rest/api/fabric/eventhouse/items/create-eventhouse
   * @seen fabric
   */
  it('creates a query database with an eventhouse, and deletes it with it', async () => {
    const house = (await create('eventhouses', { displayName: name() })).body;
    const [databaseId] = house.properties.databasesItemIds as string[];
    const database = await service.items.kqlDatabases.get(ids.workspace, databaseId ?? '');
    expect(database).toMatchObject({
      type: 'KQLDatabase',
      displayName: house.displayName,
      properties: { parentEventhouseItemId: house.id },
    });
    await service.items.eventhouses.delete(ids.workspace, house.id as string);
    expect((await service.call('GET', `${workspacePath}/items/${databaseId ?? ''}`)).status).toBe(
      404,
    );
  });

  it('gives a query database another name than its eventhouse if another one has that name', async () => {
    const first = (await create('eventhouses', { displayName: 'renamed-away' })).body;
    await service.items.eventhouses.update(ids.workspace, first.id as string, {
      displayName: 'elsewhere',
    });
    const second = await create('eventhouses', { displayName: 'renamed-away' });
    expect(second.status).toBe(201);
    const database = await service.items.kqlDatabases.get(
      ids.workspace,
      second.body.properties.databasesItemIds[0] as string,
    );
    expect(database.displayName).toMatch(/^renamed-away_[0-9a-f]{8}$/);
  });

  /**
   * @claim eventstream-create: POST eventstreams answers 201 with the item.
   * @source https://learn.microsoft.com/rest/api/fabric/eventstream/items/create-eventstream
   * @seen fabric
   */
  it('answers 201 with every field of an eventstream, without properties', async () => {
    const displayName = name();
    const { status, body } = await create('eventstreams', { displayName });
    expect(status).toBe(201);
    expect(Object.keys(body as object).sort()).toEqual(
      ['defaultIdentity', 'description', 'displayName', 'id', 'tags', 'type', 'workspaceId'].sort(),
    );
  });

  it.each([0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, 51, 51.5, 100.25, 322])(
    'accepts %d units',
    async (minimumConsumptionUnits) => {
      const { status, body } = await create('eventhouses', {
        displayName: name(),
        creationPayload: { minimumConsumptionUnits },
      });
      expect([status, body.properties.minimumConsumptionUnits]).toEqual([
        201,
        minimumConsumptionUnits,
      ]);
    },
  );

  it.each([-1, 1, 2, 2.2, 3, 50.5, 50.99, 322.01, 323, 1e9, '18', true])(
    'refuses %p units',
    async (minimumConsumptionUnits) => {
      const { status, body } = await create('eventhouses', {
        displayName: name(),
        creationPayload: { minimumConsumptionUnits },
      });
      expect([status, body.errorCode]).toEqual([400, 'InvalidInput']);
      expect(body.message).toContain('0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50');
    },
  );

  it.each(['a b', 'a/b', 'ä', 'a#b', '', ' ', 'a'.repeat(124), 'new\nline', 7, null])(
    'refuses the name %p',
    async (displayName) => {
      for (const collection of ['eventhouses', 'eventstreams']) {
        const { status, body } = await create(collection, { displayName });
        expect([status, body.errorCode]).toEqual([400, 'InvalidInput']);
      }
    },
  );

  it.each(['a', 'A-1_b.c', '0', 'a'.repeat(123)])('accepts the name %p', async (displayName) => {
    for (const collection of ['eventhouses', 'eventstreams'])
      expect((await create(collection, { displayName })).status).toBe(201);
  });

  it('limits descriptions to 256 characters, whatever their bytes', async () => {
    expect(
      (await create('eventstreams', { displayName: name(), description: '𝒜'.repeat(256) })).status,
    ).toBe(201);
    const { status, body } = await create('eventstreams', {
      displayName: name(),
      description: 'x'.repeat(257),
    });
    expect([status, body.errorCode]).toEqual([400, 'InvalidInput']);
  });

  /**
   * @claim item-errors: An error has errorCode, message, requestId and moreDetails.
   * @source https://learn.microsoft.com/rest/api/fabric/core/items/create-item
   * @seen fabric
   */
  it('reports every mistake at once', async () => {
    const { body } = await create('eventhouses', {
      displayName: 'a b',
      description: 'x'.repeat(300),
      folderId: 'x',
    });
    expect(body.moreDetails).toHaveLength(3);
    expect(Object.keys(body as object)).toEqual([
      'errorCode',
      'message',
      'isRetriable',
      'requestId',
      'moreDetails',
    ]);
    expect(body.requestId).toMatch(uuid);
  });

  /**
   * @claim item-names-unique: A name is used once for each type in a workspace:
   *   ItemDisplayNameAlreadyInUse.
   * @source https://learn.microsoft.com/rest/api/fabric/core/items/create-item
   * @seen fabric
   */
  it('keeps names unique per type and workspace, in any letter case', async () => {
    await create('eventstreams', { displayName: 'Twice' });
    const { status, body } = await create('eventstreams', { displayName: 'TWICE' });
    expect([status, body.errorCode]).toEqual([409, 'ItemDisplayNameAlreadyInUse']);
    expect((await create('eventhouses', { displayName: 'Twice' })).status).toBe(201);
    expect(
      (
        await create(
          'eventstreams',
          { displayName: 'Twice' },
          `/v1/workspaces/${ids.workspaceWithoutCapacity}`,
        )
      ).status,
    ).toBe(201);
  });

  it('lets exactly one of many racing creations win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create('eventstreams', { displayName: 'race' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      answers.filter(
        ({ status, body }) => status === 409 && body.errorCode === 'ItemDisplayNameAlreadyInUse',
      ),
    ).toHaveLength(19);
  });

  /**
   * @claim eventhouse-capacity: An eventhouse needs a workspace with a capacity.
   * @source https://learn.microsoft.com/rest/api/fabric/eventhouse/items/create-eventhouse
   */
  it('requires a capacity for an eventhouse only', async () => {
    const bare = `/v1/workspaces/${ids.workspaceWithoutCapacity}`;
    const { status, body } = await create('eventhouses', { displayName: name() }, bare);
    expect([status, body.errorCode]).toEqual([400, 'WorkspaceHasNoCapacityAssigned']);
    expect((await create('eventstreams', { displayName: name() }, bare)).status).toBe(201);
  });

  it('fails for a label that cannot be applied, or proceeds without it on request', async () => {
    const labelId = 'b0000000-0000-4000-8000-00000000dead';
    const failed = await create('eventstreams', {
      displayName: name(),
      sensitivityLabelSettings: { labelId },
    });
    expect(failed.status).toBe(400);
    expect(failed.body.relatedResource).toEqual({
      resourceId: labelId,
      resourceType: 'SensitivityLabel',
    });
    const ignored = {
      displayName: name(),
      sensitivityLabelSettings: { labelId, sensitivityLabelApplyStrategy: 'Ignore' },
    };
    const { status, body } = await create('eventstreams', ignored);
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('sensitivityLabel');
    for (const settings of [
      { labelId: 'x' },
      {},
      { labelId, sensitivityLabelApplyStrategy: 'Perhaps' },
      'label',
    ])
      expect(
        (await create('eventstreams', { displayName: name(), sensitivityLabelSettings: settings }))
          .status,
      ).toBe(400);
  });

  it('creates items in existing folders', async () => {
    const folder = await service.items.folders.create(ids.workspace, { displayName: name() });
    expect(
      (await create('eventstreams', { displayName: name(), folderId: folder.id })).body.folderId,
    ).toBe(folder.id);
    expect(
      (await create('eventstreams', { displayName: name(), folderId: null })).body,
    ).not.toHaveProperty('folderId');
    const { status, body } = await create('eventstreams', {
      displayName: name(),
      folderId: ids.tag,
    });
    expect([status, body.errorCode]).toEqual([404, 'FolderNotFound']);
  });

  it('creates no query database in an eventhouse that is deleted meanwhile', async () => {
    const slowService = await startItems({ database: await openDatabaseWithTurns() });
    for (let turns = 0; turns < 16; turns++) {
      const house = await slowService.items.eventhouses.create(ids.workspace, {
        displayName: `house${turns}`,
      });
      const creation = slowService.call('POST', `${workspacePath}/kqlDatabases`, {
        body: {
          displayName: `database${turns}`,
          creationPayload: { databaseType: 'ReadWrite', parentEventhouseItemId: house.id },
        },
      });
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      await slowService.items.eventhouses.delete(ids.workspace, house.id);
      await creation;
      expect((await slowService.call('GET', `${workspacePath}/items`)).body.value).toEqual([]);
    }
    await slowService.stop();
  });

  it('refuses definition and creationPayload together, but treats null as absent', async () => {
    const definition = { parts: [part('EventhouseProperties.json', {})] };
    const both = await create('eventhouses', {
      displayName: name(),
      creationPayload: {},
      definition,
    });
    expect([both.status, both.body.errorCode]).toEqual([
      400,
      'RequestWithDefinitionAndCreationPayloadNotSupported',
    ]);
    expect(
      (await create('eventhouses', { displayName: name(), creationPayload: null, definition }))
        .status,
    ).toBe(201);
    expect(
      (await create('eventhouses', { displayName: name(), creationPayload: {}, definition: null }))
        .status,
    ).toBe(201);
  });

  it('refuses unknown, contradicting and missing types of items', async () => {
    const unknown = await create('items', { displayName: name(), type: 'Nonsense' });
    expect([unknown.status, unknown.body.errorCode]).toEqual([400, 'InvalidItemType']);
    const wrong = await create('eventhouses', { displayName: name(), type: 'Eventstream' });
    expect([wrong.status, wrong.body.errorCode]).toEqual([400, 'InvalidItemType']);
    const object = await create('items', { displayName: name(), type: { toString: 1 } });
    expect([object.status, object.body.errorCode]).toEqual([400, 'InvalidItemType']);
    const missing = await create('items', { displayName: name() });
    expect([missing.status, missing.body.errorCode]).toEqual([400, 'InvalidItemType']);
    expect((await create('items', { displayName: name(), type: 'Notebook' })).status).toBe(201);
  });

  /**
   * @claim workspace-1000-items: A workspace has 1,000 items at most, children included.
   * @source https://learn.microsoft.com/fabric/fundamentals/workspaces
   */
  it('counts children for the limit of 1,000 items', async () => {
    const { id } = await service.items.workspaces.create({
      displayName: name(),
      capacityId: ids.capacity,
    });
    const path = `/v1/workspaces/${id}`;
    await service.countItems(id, 900);
    await Promise.all(
      Array.from({ length: 99 }, (_, index) =>
        create('eventstreams', { displayName: `s${index}` }, path),
      ),
    );
    const house = await create('eventhouses', { displayName: 'house' }, path);
    expect([house.status, house.body.errorCode]).toEqual([409, 'WorkspaceItemsLimitExceeded']);
    expect((await create('eventstreams', { displayName: 'last' }, path)).status).toBe(201);
    const over = await create('eventstreams', { displayName: 'over' }, path);
    expect([over.status, over.body.errorCode]).toEqual([409, 'WorkspaceItemsLimitExceeded']);
  });

  it.each([
    ['not JSON', '{', 'InvalidInput'],
    ['no object', '[]', 'InvalidInput'],
    ['nothing', '', 'InvalidInput'],
  ])('refuses a body that is %s', async (_what, raw, code) => {
    const { status, body } = await service.call('POST', `${workspacePath}/eventstreams`, { raw });
    expect([status, body.errorCode]).toEqual([400, code]);
  });

  it('refuses other content types', async () => {
    const { status, body } = await service.call('POST', `${workspacePath}/eventstreams`, {
      raw: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([status, body.errorCode]).toEqual([415, 'UnsupportedMediaType']);
  });
});
