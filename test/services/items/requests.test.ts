import { deepBodies } from '../common/support/deep-bodies.js';
import { ids, part, type StartedItems, startItems, workspacePath } from './support/start-items.js';

describe('unusual requests', () => {
  let service: StartedItems;
  beforeAll(async () => (service = await startItems()));
  afterAll(() => service.stop());

  it('returns the address of the new resource after a POST', async () => {
    const workspace = await service.call('POST', '/v1/workspaces', {
      body: { displayName: 'with an address' },
    });
    expect([workspace.status, workspace.headers.get('location')]).toEqual([
      201,
      `${service.origin}/v1/workspaces/${workspace.body.id}`,
    ]);
    const principal = { id: ids.stranger, type: 'User' };
    for (const [word, body] of [
      ['folders', { displayName: 'f' }],
      ['roleAssignments', { principal, role: 'Viewer' }],
    ] as const) {
      const {
        status,
        headers,
        body: created,
      } = await service.call('POST', `/v1/workspaces/${workspace.body.id}/${word}`, { body });
      expect([status, headers.get('location')]).toEqual([
        201,
        `${service.origin}/v1/workspaces/${workspace.body.id}/${word}/${created.id}`,
      ]);
      const path = (headers.get('location') ?? '').slice(service.origin.length);
      expect((await service.call('GET', path)).status).toBe(200);
    }
  });

  it.each(deepBodies)('answers %s with 400, also inside a definition', async (_name, text) => {
    for (const path of [
      '/v1/workspaces',
      `${workspacePath}/eventstreams`,
      `${workspacePath}/items`,
    ])
      expect([path, (await service.call('POST', path, { raw: text })).status]).toEqual([path, 400]);
    const definition = { parts: [part('eventstream.json', text)] };
    const { status, body } = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'deep', definition },
    });
    expect([status, body.errorCode]).toEqual([400, 'CorruptedPayload']);
  });
});

describe('an eventhouse, as the official provider creates and moves it', () => {
  let service: StartedItems;
  beforeAll(async () => (service = await startItems({ dialect: 'azure' })));
  afterAll(() => service.stop());
  const post = (path: string, body: unknown): ReturnType<StartedItems['call']> =>
    service.call('POST', `${workspacePath}/${path}`, { body });

  /**
   * @claim eventhouse-move: Databases move with their eventhouse.
   * @source observed: the folder can then be deleted
   * @seen fabric
   */
  it('moves its databases to another folder and back', async () => {
    const folder = (await post('folders', { displayName: 'houses' })).body.id as string;
    const house = (await post('eventhouses', { displayName: 'movable' })).body;
    const [ownDatabaseId = ''] = house.properties.databasesItemIds as string[];
    const second = (
      await post('kqlDatabases', {
        displayName: 'second',
        creationPayload: { databaseType: 'ReadWrite', parentEventhouseItemId: house.id as string },
      })
    ).body.id as string;
    for (const target of [folder, undefined]) {
      await post(`items/${house.id}/move`, target === undefined ? {} : { targetFolderId: target });
      for (const id of [house.id as string, ownDatabaseId, second])
        expect((await service.call('GET', `${workspacePath}/items/${id}`)).body.folderId).toBe(
          target,
        );
    }
    expect((await service.call('DELETE', `${workspacePath}/folders/${folder}`)).status).toBe(200);
  });

  /**
   * @claim eventhouse-definition: An eventhouse with a definition gets only what that says.
   * @source observed: the provider creates the database itself
   * @seen fabric
   */
  it('gets only what its definition contains: no database of its own', async () => {
    const definition = { parts: [part('EventhouseProperties.json', {})] };
    const house = await post('eventhouses', { displayName: 'defined', definition });
    expect(house.body.properties.databasesItemIds).toEqual([]);
    const databases = (await service.call('GET', `${workspacePath}/kqlDatabases`)).body.value as {
      displayName: string;
    }[];
    expect(databases.map(({ displayName }) => displayName)).not.toContain('defined');
    expect(
      (await service.call('DELETE', `${workspacePath}/eventhouses/${house.body.id}`)).status,
    ).toBe(200);
  });
});
