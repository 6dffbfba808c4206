import { ids, part, type StartedItems, startItems } from './support/start-items.js';

/**
 * The conversations of the official Terraform provider, request by request, with the statuses it
 * insists on: 201 for what it creates (202 for items), 200 and nothing else for reads, changes,
 * deletions, moves and tags, 202 for capacities; absolute addresses; a description and never a
 * missing one.
 */
describe("the official provider's requests", () => {
  let service: StartedItems;
  beforeEach(
    async () =>
      (service = await startItems({
        dialect: 'azure',
        longRunning: { mode: 'always', seed: '', seconds: 0.05 },
      })),
  );
  afterEach(() => service.stop());

  const send = async (
    method: string,
    path: string,
    expected: number,
    body?: unknown,
  ): Promise<Awaited<ReturnType<StartedItems['call']>>> => {
    const answer = await service.call(method, path, body === undefined ? {} : { body });
    expect([method, path, answer.status, answer.body?.errorCode]).toEqual([
      method,
      path,
      expected,
      undefined,
    ]);
    return answer;
  };
  /**
   * As its SDK polls: the Location until the state is final, then the Location of the last answer.
   */
  const createItem = async (workspace: string, body: unknown): Promise<Record<string, string>> => {
    const accepted = await send('POST', `${workspace}/items`, 202, body);
    let location = new URL(accepted.headers.get('location') ?? '').pathname;
    for (let tries = 0; tries < 100; tries++) {
      const poll = await send('GET', location, 200);
      if (poll.body.status === 'Succeeded') {
        location = new URL(poll.headers.get('location') ?? '').pathname;
        expect(location).toMatch(/\/result$/);
        return (await send('GET', location, 200)).body as Record<string, string>;
      }
      expect(poll.body.status).toBe('Running');
      await new Promise((done) => setTimeout(done, 10));
    }
    throw new Error('the operation never ended');
  };
  const poll = async (accepted: Awaited<ReturnType<typeof send>>): Promise<void> => {
    const location = new URL(accepted.headers.get('location') ?? '').pathname;
    for (
      let state = '';
      state !== 'Succeeded';
      state = (await send('GET', location, 200)).body.status as string
    )
      await new Promise((done) => setTimeout(done, 10));
  };

  /**
   * @claim fabric-workspace: The provider creates, changes and deletes a workspace with capacity
   *   and identity.
   * @source terraform-provider-fabric, conversation of fabric_workspace
   * @seen fabric
   */
  it('workspace: create, change of capacity, identity, update, delete', async () => {
    const created = await send('POST', '/v1/workspaces', 201, {
      displayName: 'W',
      description: '',
      capacityId: ids.capacity,
    });
    expect(created.headers.get('location')).toBe(
      `${service.origin}/v1/workspaces/${created.body.id as string}`,
    );
    const path = `/v1/workspaces/${created.body.id as string}`;
    const { body } = await send('GET', path, 200);
    expect(body).toMatchObject({
      type: 'Workspace',
      description: '',
      capacityId: ids.capacity,
      capacityRegion: 'West Europe',
      capacityAssignmentProgress: 'Completed',
    });
    expect((await send('GET', '/v1/capacities', 200)).body.value[0]).toEqual({
      id: ids.capacity,
      displayName: 'F64',
      sku: 'F64',
      region: 'West Europe',
      state: 'Active',
    });
    expect(
      (await send('GET', `/v1/capacities/${ids.capacity.toUpperCase()}`, 200)).body,
    ).toMatchObject({ id: ids.capacity, sku: 'F64' });
    expect((await service.call('GET', `/v1/capacities/${ids.workspace}`)).body.errorCode).toBe(
      'CapacityNotFound',
    );
    await send('PATCH', path, 200, { displayName: 'W2', description: 'd' });
    await send('POST', `${path}/unassignFromCapacity`, 202);
    expect((await send('GET', path, 200)).body).not.toHaveProperty('capacityId');
    await send('POST', `${path}/assignToCapacity`, 202, { capacityId: ids.capacity });
    await send('POST', `${path}/provisionIdentity`, 200);
    expect((await send('GET', path, 200)).body.workspaceIdentity).toEqual({
      applicationId: expect.any(String) as string,
      servicePrincipalId: expect.any(String) as string,
    });
    await send('POST', `${path}/deprovisionIdentity`, 200);
    await send('DELETE', path, 200);
    const gone = await service.call('GET', path);
    expect([gone.status, gone.body.errorCode]).toEqual([404, 'WorkspaceNotFound']);
  });

  /**
   * @claim fabric-eventhouse: The provider creates, reads, moves and deletes an eventhouse with
   *   a definition.
   * @source terraform-provider-fabric, conversation of fabric_eventhouse
   * @seen fabric
   */
  it('eventhouse: create without settings and with tags, typed read, update, move, definition, delete', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const item = await createItem(workspace, {
      creationPayload: null,
      description: 'Hot store',
      displayName: 'house',
      type: 'Eventhouse',
    });
    const path = `${workspace}/items/${item['id'] ?? ''}`;
    await send('GET', path, 200);
    await send('POST', `${path}/applyTags`, 200, { tags: [ids.tag] });
    const typed = await send('GET', `${workspace}/eventhouses/${item['id'] ?? ''}`, 200);
    expect(typed.body).toMatchObject({
      description: 'Hot store',
      tags: [{ id: ids.tag, displayName: 'hot' }],
      properties: { minimumConsumptionUnits: 0 },
    });
    await send('PATCH', path, 200, { displayName: 'house2', description: '' });
    const folder = await send('POST', `${workspace}/folders`, 201, { displayName: 'f' });
    await send('POST', `${path}/move`, 200, { targetFolderId: folder.body.id as string });
    expect((await send('GET', path, 200)).body.folderId).toBe(folder.body.id);
    await send('POST', `${path}/move`, 200, {});
    expect((await send('GET', path, 200)).body).not.toHaveProperty('folderId');
    await poll(
      await send('POST', `${path}/updateDefinition`, 202, {
        definition: { parts: [part('EventhouseProperties.json', {})] },
      }),
    );
    await send('POST', `${path}/unapplyTags`, 200, { tags: [ids.tag] });
    expect((await send('GET', path, 200)).body.tags).toEqual([]);
    const byName = await send('GET', `${workspace}/eventhouses`, 200);
    expect(byName.body.value[0].properties.databasesItemIds).toHaveLength(1);
    await send('DELETE', path, 200);
    await send('DELETE', `${workspace}/folders/${folder.body.id as string}`, 200);
    const again = await service.call('DELETE', path);
    expect([again.status, again.body.errorCode]).toEqual([404, 'ItemNotFound']);
  });

  it('eventhouse: its database moves with it, so that its folder can be deleted; one with a definition gets none', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const folder = (await send('POST', `${workspace}/folders`, 201, { displayName: 'f' })).body
      .id as string;
    const house = await createItem(workspace, {
      description: '',
      displayName: 'moved',
      type: 'Eventhouse',
      folderId: folder,
    });
    const { properties } = (await send('GET', `${workspace}/eventhouses/${house['id'] ?? ''}`, 200))
      .body;
    const database = `${workspace}/items/${String(properties.databasesItemIds[0])}`;
    expect((await send('GET', database, 200)).body.folderId).toBe(folder);
    expect((await service.call('DELETE', `${workspace}/folders/${folder}`)).status).toBe(400);
    await send('POST', `${workspace}/items/${house['id'] ?? ''}/move`, 200, {});
    expect((await send('GET', database, 200)).body).not.toHaveProperty('folderId');
    await send('DELETE', `${workspace}/folders/${folder}`, 200);
    const definition = { parts: [part('EventhouseProperties.json', {})] };
    const houseWithDefinition = await createItem(workspace, {
      description: '',
      displayName: 'defined',
      type: 'Eventhouse',
      definition,
    });
    const typed = await send(
      'GET',
      `${workspace}/eventhouses/${houseWithDefinition['id'] ?? ''}`,
      200,
    );
    expect(typed.body.properties.databasesItemIds).toEqual([]);
  });

  it('eventstream: a definition needs its document, which may have trailing commas and an empty schema', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const create = (displayName: string, parts: unknown[]): ReturnType<StartedItems['call']> =>
      service.call('POST', `${workspace}/items`, {
        body: { displayName, description: '', type: 'Eventstream', definition: { parts } },
      });
    expect(
      (await create('none', [part('eventstreamProperties.json', { retentionTimeInDays: 1 })]))
        .status,
    ).toBe(400);
    const lake = `{"name":"l","type":"Lakehouse","properties":{"workspaceId":"${ids.workspace}","itemId":"${ids.workspace}","schema":"","deltaTable":"t",},"inputNodes":[{"name":"s"},],}`;
    const text = `{"sources":[{"name":"w","type":"CustomEndpoint","properties":{},}],"destinations":[${lake},],"streams":[{"name":"s","type":"DefaultStream","properties":{},"inputNodes":[{"name":"w"}]},],"operators":[],"compatibilityLevel":"1.0",}`;
    const payload = Buffer.from(text).toString('base64');
    const accepted = await create('commas', [
      { path: 'eventstream.json', payload, payloadType: 'InlineBase64' },
    ]);
    expect([accepted.status, accepted.body?.errorCode]).toEqual([202, undefined]);
  });

  it('eventstream: created, read and listed through the generic family alone', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const document = {
      sources: [],
      destinations: [],
      streams: [],
      operators: [],
      compatibilityLevel: '1.0',
    };
    const body = {
      definition: { parts: [part('eventstream.json', document)] },
      description: '',
      displayName: 'stream',
      type: 'Eventstream',
    };
    const item = await createItem(workspace, body);
    const path = `${workspace}/items/${item['id'] ?? ''}`;
    expect((await send('GET', path, 200)).body).toMatchObject({
      description: '',
      type: 'Eventstream',
    });
    expect((await send('GET', `${workspace}/items?type=Eventstream`, 200)).body.value).toHaveLength(
      1,
    );
    await send('GET', `${workspace}/eventstreams/${item['id'] ?? ''}`, 200);
    const wrongFamily = await service.call('GET', `${workspace}/eventhouses/${item['id'] ?? ''}`);
    expect([wrongFamily.status, wrongFamily.body.errorCode]).toEqual([404, 'ItemNotFound']);
  });

  it('query database below its eventhouse', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const house = await createItem(workspace, {
      displayName: 'house',
      type: 'Eventhouse',
      description: '',
    });
    const creationPayload = { databaseType: 'ReadWrite', parentEventhouseItemId: house['id'] };
    const database = await createItem(workspace, {
      displayName: 'more',
      type: 'KQLDatabase',
      description: '',
      creationPayload,
    });
    const { body } = await send('GET', `${workspace}/kqlDatabases/${database['id'] ?? ''}`, 200);
    expect(body.properties.parentEventhouseItemId).toBe(house['id']);
    expect(
      (await send('GET', `${workspace}/eventhouses/${house['id'] ?? ''}`, 200)).body.properties
        .databasesItemIds,
    ).toHaveLength(2);
  });

  /**
   * @claim fabric-roles-folders: The provider assigns roles and makes folders.
   * @source terraform-provider-fabric, conversations of fabric_workspace_role_assignment and
   *   fabric_folder
   * @seen fabric
   */
  it('role assignments and folders', async () => {
    const workspace = `/v1/workspaces/${ids.workspace}`;
    const assignment = { principal: { id: ids.stranger, type: 'User' }, role: 'Viewer' };
    const { body } = await send('POST', `${workspace}/roleAssignments`, 201, assignment);
    const path = `${workspace}/roleAssignments/${body.id as string}`;
    await send('PATCH', path, 200, { role: 'Member' });
    expect((await send('GET', path, 200)).body).toMatchObject({
      role: 'Member',
      principal: { type: 'User', displayName: ids.stranger },
    });
    await send('DELETE', path, 200);
    const parent = (await send('POST', `${workspace}/folders`, 201, { displayName: 'a' })).body
      .id as string;
    const child = (
      await send('POST', `${workspace}/folders`, 201, { displayName: 'b', parentFolderId: parent })
    ).body.id as string;
    await send('PATCH', `${workspace}/folders/${child}`, 200, { displayName: 'c' });
    const circle = await service.call('POST', `${workspace}/folders/${parent}/move`, {
      body: { targetFolderId: child },
    });
    expect(circle.status).toBe(400);
    await send('POST', `${workspace}/folders/${child}/move`, 200, {});
    const twice = await service.call('POST', `${workspace}/folders`, {
      body: { displayName: 'A' },
    });
    expect([twice.status, twice.body.errorCode]).toEqual([409, 'FolderDisplayNameAlreadyInUse']);
  });

  /**
   * @claim items-paging: Lists go on at continuationUri.
   * @source https://learn.microsoft.com/rest/api/fabric/articles/pagination
   * @seen fabric
   */
  it('paging by continuationUri lists everything once, while more is created', async () => {
    const workspace = await service.items.workspaces.create({ displayName: 'many' });
    const path = `/v1/workspaces/${workspace.id}`;
    for (let batch = 0; batch < 5; batch++)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send('POST', `${path}/folders`, 201, { displayName: `f${batch * 50 + index}` }),
        ),
      );
    const names: string[] = [];
    let next: string | null = `${path}/folders`;
    while (next !== null) {
      const { body } = await send('GET', next, 200);
      names.push(...body.value.map(({ displayName }: { displayName: string }) => displayName));
      const uri = body.continuationUri as string | null;
      if (uri !== null)
        expect(uri.startsWith(`${service.origin}${path}/folders?continuationToken=`)).toBe(true);
      await send('POST', `${path}/folders`, 201, { displayName: `late${names.length}` });
      next = uri === null ? null : uri.replace(service.origin, '');
    }
    expect(names.filter((name) => name.startsWith('f'))).toHaveLength(250);
    expect(new Set(names).size).toBe(names.length);
    const foreign = await service.call(
      'GET',
      `${path}/folders?continuationToken=${Buffer.from('after:1:x').toString('base64url')}`,
    );
    expect([foreign.status, foreign.body.errorCode]).toEqual([400, 'InvalidContinuationToken']);
  });
});
