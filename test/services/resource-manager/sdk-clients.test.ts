// Requests that the cloud's own SDKs send, and the providers do not.
import {
  app1,
  appBody,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

test('paths may start with two slashes: SDKs put a slash before a scope that starts with one', async () => {
  expect((await manager.send('GET', `/${group}`)).body.name).toBe('rg1');
});

/**
 * @claim groups-by-tag: Resource groups are filtered by tagName and tagValue.
 * @source https://learn.microsoft.com/rest/api/resources/resource-groups/list
 */
test('resource groups are filtered by tag and paged', async () => {
  for (const name of ['rg2', 'rg3', 'rg4'])
    await manager.send('PUT', `/subscriptions/${subscription}/resourceGroups/${name}`, {
      location: 'westeurope',
      tags: { team: name },
    });
  const groupsPath = `/subscriptions/${subscription}/resourceGroups`;
  const names = (answer: { body: { value: { name: string }[] } }): string[] =>
    answer.body.value.map(({ name }) => name);
  expect(names(await manager.send('GET', `${groupsPath}?$filter=tagName eq 'team'`))).toEqual([
    'rg2',
    'rg3',
    'rg4',
  ]);
  expect(
    names(
      await manager.send('GET', `${groupsPath}?$filter=tagName eq 'team' and tagValue eq 'rg3'`),
    ),
  ).toEqual(['rg3']);
  const first = await manager.send('GET', `${groupsPath}?$top=3`);
  expect(names(first)).toEqual(['rg1', 'rg2', 'rg3']);
  const { pathname, search } = new URL(first.body.nextLink as string);
  const second = await manager.server.inject(`${pathname}${search}`);
  expect([
    second.json().value.map(({ name }: { name: string }) => name),
    second.json().nextLink,
  ]).toEqual([['rg4'], undefined]);
});

describe('revisions of an app', () => {
  const image = (tag: string): object => ({
    containers: [{ name: 'c', image: `img:${tag}`, resources: { cpu: 0.25, memory: '0.5Gi' } }],
  });

  it('are listed and read with their templates; in single mode only the latest is active', async () => {
    await manager.send('PUT', app1, appBody({}, { ...image('1'), revisionSuffix: 'one' }));
    await manager.send('PUT', app1, appBody({}, { ...image('2'), revisionSuffix: 'two' }));
    const { value } = (await manager.send('GET', `${app1}/revisions`)).body;
    expect(value).toMatchObject([
      {
        name: 'app1--one',
        type: 'Microsoft.App/containerApps/revisions',
        properties: { active: false, trafficWeight: 0 },
      },
      {
        name: 'app1--two',
        properties: {
          active: true,
          trafficWeight: 100,
          template: { containers: [{ image: 'img:2' }] },
        },
      },
    ]);
    expect((await manager.send('GET', `${app1}/revisions/app1--one`)).body).toEqual(value[0]);
    expect((await manager.send('GET', `${app1}/revisions/app1--none`)).status).toBe(404);
  });

  it('have their share of the traffic in multiple mode', async () => {
    const multiple = { activeRevisionsMode: 'Multiple' };
    await manager.send('PUT', app1, appBody(multiple, { ...image('1'), revisionSuffix: 'one' }));
    const traffic = [
      { revisionName: 'app1--one', weight: 80 },
      { latestRevision: true, weight: 20 },
    ];
    await manager.send(
      'PUT',
      app1,
      appBody(
        { ...multiple, ingress: { external: true, targetPort: 80, traffic } },
        { ...image('2'), revisionSuffix: 'two' },
      ),
    );
    const { value } = (await manager.send('GET', `${app1}/revisions`)).body;
    expect(value.map(({ properties }: { properties: object }) => properties)).toMatchObject([
      { active: true, trafficWeight: 80 },
      { active: true, trafficWeight: 20 },
    ]);
  });

  it('are created by the app only', async () => {
    await manager.send('PUT', app1, appBody({}, { revisionSuffix: 'one' }));
    for (const method of ['PUT', 'DELETE'])
      expect(
        (
          await manager.send(
            method,
            `${app1}/revisions/app1--one`,
            method === 'PUT' ? { properties: {} } : undefined,
          )
        ).status,
      ).toBe(400);
    expect((await manager.send('GET', '/'.concat(app1.slice(1), '2/revisions'))).status).toBe(404);
  });
});

describe('the tags of a scope', () => {
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/vault1`;
  const tagsOf = async (scope: string): Promise<unknown> =>
    (await manager.send('GET', scope)).body.tags;
  const tags = (scope: string): string => `${scope}/providers/Microsoft.Resources/tags/default`;

  it.each(['a group', 'a resource'])(
    'of %s are replaced, merged, taken away and read',
    async (scopeKind) => {
      const scope = scopeKind === 'a group' ? group : vault;
      await manager.send('PUT', scope, {
        location: 'westeurope',
        ...(scope !== group && { properties: {} }),
        tags: { old: '1' },
      });
      const replacement = await manager.send('PUT', tags(scope), {
        properties: { tags: { a: '1', b: '2' } },
      });
      expect([replacement.status, replacement.body]).toEqual([
        200,
        {
          id: tags(scope),
          name: 'default',
          type: 'Microsoft.Resources/tags',
          properties: { tags: { a: '1', b: '2' } },
        },
      ]);
      const change = async (operation: string, changed: object): Promise<unknown> => {
        const answer = await manager.send('PATCH', tags(scope), {
          operation,
          properties: { tags: changed },
        });
        expect(answer.status).toBe(200);
        return answer.body.properties.tags;
      };
      expect(await change('Merge', { b: '3', c: '4' })).toEqual({ a: '1', b: '3', c: '4' });
      expect(await change('Delete', { b: 'another value', c: '4' })).toEqual({ a: '1', b: '3' });
      expect(await change('replace', { z: '0' })).toEqual({ z: '0' });
      expect(await tagsOf(scope)).toEqual({ z: '0' });
      expect((await manager.send('GET', tags(scope))).body.properties.tags).toEqual({ z: '0' });
      expect((await manager.send('DELETE', tags(scope))).status).toBe(200);
      expect(await tagsOf(scope)).toEqual({});
    },
  );

  it('are refused if invalid, for missing scopes, and for locked ones', async () => {
    expect(
      (await manager.send('PATCH', tags(group), { operation: 'Add', properties: { tags: {} } }))
        .status,
    ).toBe(400);
    expect(
      (await manager.send('PUT', tags(group), { properties: { tags: { 'a<b': '1' } } })).status,
    ).toBe(400);
    expect((await manager.send('PUT', tags(vault), { properties: { tags: {} } })).status).toBe(404);
    await manager.send('PUT', `${group}/providers/Microsoft.Authorization/locks/l`, {
      properties: { level: 'ReadOnly' },
    });
    expect((await manager.send('PUT', tags(group), { properties: { tags: {} } })).status).toBe(409);
  });
});

test("a vault's secret never returns its value, and a deleted vault is listed", async () => {
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/vault1`;
  await manager.send('PUT', vault, { location: 'westeurope', properties: {} });
  const written = await manager.send('PUT', `${vault}/secrets/s`, {
    properties: { value: 's3cret', contentType: 'text' },
  });
  for (const { body } of [
    written,
    await manager.send('GET', `${vault}/secrets/s`),
    await manager.send('GET', `${vault}/secrets`),
  ])
    expect(JSON.stringify(body)).not.toContain('s3cret');
  await manager.send('DELETE', vault);
  const deleted = await manager.send(
    'GET',
    `/subscriptions/${subscription}/providers/Microsoft.KeyVault/deletedVaults`,
  );
  expect(deleted.body.value).toMatchObject([{ name: 'vault1', properties: { vaultId: vault } }]);
});
