import { itemRoutes } from '../../../services/items/item/routes.js';
import { typesWithOwnEndpoints } from '../../../services/items/item/item-type.js';
import {
  ids,
  type StartedItems,
  startItems,
  tokenOf,
  workspacePath,
} from './support/start-items.js';

describe('items of every type', () => {
  let service: StartedItems;
  beforeAll(async () => (service = await startItems({ dialect: 'azure' })));
  afterAll(() => service.stop());

  it.each([
    'Lakehouse',
    'Notebook',
    'Warehouse',
    'MLModel',
    'SemanticModel',
    'VariableLibrary',
    'Reflex',
    'KQLQueryset',
    'GraphQLApi',
  ])(
    '%s: created by the generic family, read, changed, listed and deleted by its own',
    async (type) => {
      const collection = typesWithOwnEndpoints.find(({ name }) => name === type)?.collection ?? '';
      const { status, body: created } = await service.call('POST', `${workspacePath}/items`, {
        body: { type, displayName: `a_${type}` },
      });
      expect(status).toBe(201);
      const path = `${workspacePath}/${collection}/${created.id}`;
      const { body } = await service.call('GET', path);
      expect(body).toMatchObject({
        id: created.id,
        type,
        displayName: `a_${type}`,
        description: '',
        workspaceId: ids.workspace,
      });
      expect(
        (await service.call('PATCH', path, { body: { description: 'changed' } })).body.description,
      ).toBe('changed');
      expect((await service.call('GET', `${workspacePath}/${collection}`)).body.value).toHaveLength(
        1,
      );
      expect((await service.call('GET', `${workspacePath}/eventhouses/${created.id}`)).status).toBe(
        404,
      );
      expect((await service.call('DELETE', path)).status).toBe(200);
      expect((await service.call('GET', path)).body.errorCode).toBe('ItemNotFound');
    },
  );

  it('names the endpoints as the public interface does', () => {
    const collections = new Map(
      typesWithOwnEndpoints.map(({ name, collection }) => [name, collection]),
    );
    for (const [type, collection] of [
      ['Lakehouse', 'lakehouses'],
      ['MLModel', 'mlModels'],
      ['KQLDashboard', 'kqlDashboards'],
      ['SQLEndpoint', 'sqlEndpoints'],
      ['VariableLibrary', 'variableLibraries'],
      ['Reflex', 'reflexes'],
      ['SparkJobDefinition', 'sparkJobDefinitions'],
      ['Ontology', 'ontologies'],
    ] as const)
      expect([type, collections.get(type)]).toEqual([type, collection]);
    expect(
      new Set([...collections.values()].map((collection) => collection.toLowerCase())).size,
    ).toBe(collections.size);
  });

  /**
   * @claim lakehouse-endpoint: A lakehouse has its paths, and the state of its SQL endpoint, for
   *   which the provider waits.
   * @source terraform-provider-fabric: asks every 30 s until provisioningStatus is Success or
   *   Failed
   */
  it('creates a lakehouse, with its paths, at its own endpoint; a dashboard has none', async () => {
    const { status, body } = await service.call('POST', `${workspacePath}/lakehouses`, {
      body: { displayName: 'lake' },
    });
    expect(status).toBe(201);
    expect(body.properties.oneLakeTablesPath).toContain(`/${ids.workspace}/${body.id}/Tables`);
    const endpoint = body.properties.sqlEndpointProperties;
    expect(endpoint).toEqual({
      id: expect.any(String),
      connectionString: expect.stringContaining(endpoint.id),
      provisioningStatus: 'Success',
    });
    const endpointAnswer = await service.call(
      'GET',
      `${workspacePath}/sqlEndpoints/${endpoint.id}`,
    );
    expect([endpointAnswer.status, endpointAnswer.body.displayName]).toEqual([200, 'lake']);
    await service.call('DELETE', `${workspacePath}/lakehouses/${body.id}`);
    expect((await service.call('GET', `${workspacePath}/sqlEndpoints/${endpoint.id}`)).status).toBe(
      404,
    );
    const refused = await service.call('POST', `${workspacePath}/dashboards`, {
      body: { displayName: 'd' },
    });
    expect([refused.status, refused.body.errorCode]).toEqual([400, 'UnsupportedItemType']);
  });

  /**
   * @claim lakehouse-schemas: A lakehouse with schemas has a default schema, dbo; the payload
   *   allows no other value than true.
   * @source https://github.com/microsoft/fabric-rest-api-specs/blob/main/lakehouse/definitions.json
   */
  it('creates a lakehouse with schemas, by both endpoints, and shows its default schema', async () => {
    const creationPayload = { enableSchemas: true };
    for (const [collection, properties] of [
      ['lakehouses', {}],
      ['items', { type: 'Lakehouse' }],
    ] as const) {
      const { status, body: created } = await service.call(
        'POST',
        `${workspacePath}/${collection}`,
        {
          body: { displayName: `schemas_${collection}`, creationPayload, ...properties },
        },
      );
      expect(status).toBe(201);
      const path = `${workspacePath}/lakehouses/${created.id}`;
      await service.call('PATCH', path, { body: { description: 'changed' } });
      expect((await service.call('GET', path)).body.properties).toMatchObject({
        defaultSchema: 'dbo',
        sqlEndpointProperties: { provisioningStatus: 'Success' },
      });
    }
    const { body: lakehouseWithoutSchemas } = await service.call(
      'POST',
      `${workspacePath}/lakehouses`,
      {
        body: { displayName: 'no_schemas', creationPayload: null },
      },
    );
    expect(lakehouseWithoutSchemas.properties).not.toHaveProperty('defaultSchema');
  });

  /**
   * @claim warehouse-collation: A warehouse has the collation of its creation, case-sensitive by
   *   default.
   * @source https://github.com/microsoft/fabric-rest-api-specs/blob/main/warehouse/definitions.json
   */
  it('creates a warehouse with a collation', async () => {
    const collationType = 'Latin1_General_100_CI_AS_KS_WS_SC_UTF8';
    const create = (displayName: string, creationPayload?: object) =>
      service.call('POST', `${workspacePath}/warehouses`, {
        body: { displayName, creationPayload },
      });
    expect((await create('insensitive', { collationType })).body.properties.collationType).toBe(
      collationType,
    );
    expect((await create('by_default')).body.properties.collationType).toBe(
      'Latin1_General_100_BIN2_UTF8',
    );
  });

  it.each([
    ['lakehouses', { enableSchemas: false }, 'enableSchemas: only true is allowed'],
    ['lakehouses', { enableSchemas: 'true' }, 'enableSchemas: it must be'],
    ['lakehouses', {}, 'enableSchemas is missing'],
    ['lakehouses', [], 'creationPayload must be an object'],
    ['warehouses', { collationType: 'German' }, 'Latin1_General_100_BIN2_UTF8'],
    ['warehouses', {}, 'collationType is missing'],
    ['sqlDatabases', { creationMode: 'Restore' }, 'allowed are New'],
    ['sqlDatabases', { creationMode: 'New', backupRetentionDays: 36 }, 'backupRetentionDays'],
  ])('refuses %s with the payload %j', async (collection, creationPayload, message) => {
    const { status, body } = await service.call('POST', `${workspacePath}/${collection}`, {
      body: { displayName: 'refused', creationPayload },
    });
    expect([status, body.errorCode]).toEqual([400, 'InvalidInput']);
    expect(body.message).toContain(message);
  });

  it('creates a SQL database as the Terraform provider does', async () => {
    const { status } = await service.call('POST', `${workspacePath}/sqlDatabases`, {
      body: {
        displayName: 'sql',
        description: '',
        creationPayload: {
          creationMode: 'New',
          backupRetentionDays: 7,
          collation: 'SQL_Latin1_General_CP1_CI_AS',
        },
      },
    });
    expect(status).toBe(201);
  });

  it('refuses a payload for a type that takes none', async () => {
    const { status, body } = await service.call('POST', `${workspacePath}/notebooks`, {
      body: { displayName: 'refused', creationPayload: { enableSchemas: true } },
    });
    expect([status, body.errorCode]).toEqual([400, 'ItemTypeDoesNotSupportCreationPayload']);
  });
});

describe('the administration of tags', () => {
  let service: StartedItems;
  const token = tokenOf({ objectId: ids.admin, scopes: ['Tenant.ReadWrite.All'] });
  beforeAll(async () => (service = await startItems({ letsEveryoneIn: false })));
  afterAll(() => service.stop());
  const call = (method: string, path: string, body?: unknown): ReturnType<StartedItems['call']> =>
    service.call(method, `/v1/admin/tags${path}`, body === undefined ? { token } : { token, body });

  /**
   * @claim tags-admin: Tags are made by administrators of the tenant, and leave items when they
   *   are deleted.
   * @source https://learn.microsoft.com/rest/api/fabric/admin/tags
   * @seen fabric
   */
  it('creates, lists, renames and deletes tags, and removes a deleted one from its items', async () => {
    const created = await call('POST', '/bulkCreateTags', {
      createTagsRequest: [{ displayName: 'cold' }, { displayName: 'warm' }],
    });
    expect([
      created.status,
      created.body.tags.map((tag: { displayName: string }) => tag.displayName),
    ]).toEqual([201, ['cold', 'warm']]);
    const cold = created.body.tags[0];
    expect(cold).toEqual({
      id: expect.any(String),
      displayName: 'cold',
      scope: { type: 'Tenant' },
    });
    expect((await call('GET', '')).body.value).toContainEqual(cold);
    expect((await call('PATCH', `/${cold.id}`, { displayName: 'icy' })).body.displayName).toBe(
      'icy',
    );
    const adminToken = tokenOf({ objectId: ids.admin });
    const item = (
      await service.call('POST', `${workspacePath}/items`, {
        token: adminToken,
        body: { type: 'Notebook', displayName: 'n' },
      })
    ).body.id;
    await service.call('POST', `${workspacePath}/items/${item}/applyTags`, {
      token: adminToken,
      body: { tags: [cold.id] },
    });
    expect(
      (await service.call('GET', `${workspacePath}/items/${item}`, { token: adminToken })).body
        .tags,
    ).toHaveLength(1);
    expect((await call('DELETE', `/${cold.id}`)).status).toBe(200);
    expect(
      (await service.call('GET', `${workspacePath}/items/${item}`, { token: adminToken })).body
        .tags,
    ).toEqual([]);
    expect((await call('DELETE', `/${cold.id}`)).body.errorCode).toBe('TagNotFound');
  });

  it.each<[string, unknown, number, string]>([
    [
      'a name that is taken, in other letters',
      { createTagsRequest: [{ displayName: 'HOT' }] },
      409,
      'TagAlreadyExists',
    ],
    [
      'one name twice',
      { createTagsRequest: [{ displayName: 'x' }, { displayName: 'X' }] },
      409,
      'TagAlreadyExists',
    ],
    ['no name', { createTagsRequest: [{}] }, 400, 'InvalidInput'],
    [
      'a name of 41 characters',
      { createTagsRequest: [{ displayName: 'a'.repeat(41) }] },
      400,
      'InvalidInput',
    ],
    ['no list', {}, 400, 'InvalidInput'],
  ])('refuses %s, and creates none of them', async (_, body, status, code) => {
    const before = (await call('GET', '')).body.value;
    const answer = await call('POST', '/bulkCreateTags', body);
    expect([answer.status, answer.body.errorCode]).toEqual([status, code]);
    expect((await call('GET', '')).body.value).toEqual(before);
  });

  it('is available to administrators of the tenant', async () => {
    const member = tokenOf({
      objectId: ids.admin,
      scopes: ['Item.ReadWrite.All', 'Workspace.ReadWrite.All'],
    });
    const reader = tokenOf({ objectId: ids.admin, scopes: ['Tenant.Read.All'] });
    const body = { createTagsRequest: [{ displayName: 'mine' }] };
    expect((await service.call('GET', '/v1/admin/tags', { token: member })).body.errorCode).toBe(
      'InsufficientScopes',
    );
    expect((await service.call('GET', '/v1/admin/tags', { token: reader })).status).toBe(200);
    for (const each of [member, reader])
      expect(
        (await service.call('POST', '/v1/admin/tags/bulkCreateTags', { token: each, body })).status,
      ).toBe(403);
  });
});

it('names the type in the summary of each operation', () => {
  const summaries = itemRoutes.map(({ summary }) => summary);
  expect(summaries).toContain('Create an item of type Lakehouse');
  expect(summaries).toContain('Create an item');
  expect(summaries.filter((each) => /\ban [^aeiou]/i.test(each))).toEqual([]);
});
