import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

let manager: Harness;
let apps: { name: string; isStopped?: boolean }[];
beforeEach(async () => {
  manager = await startManager({
    replicasOf: (app, revision) =>
      apps.some(({ name, isStopped }) => name === app && isStopped !== true)
        ? [{ name: `${revision}-abc`, createdTime: '2026-01-02T03:04:05.000Z', isReady: true }]
        : [],
  });
  apps = [];
  manager.service.onAppsChanged(async () => void (apps = await manager.service.apps()));
  await withEnvironment(manager);
});
afterEach(() => manager.close());

describe('a container app', () => {
  beforeEach(() => manager.send('PUT', app1, appBody({}, { revisionSuffix: 'one' })));
  const status = async (): Promise<unknown> =>
    (await manager.send('GET', app1)).body.properties.runningStatus;

  /**
   * @claim app-stop: A stopped app stays stopped when it is changed; the answer links to its
   *   operation.
   * @source https://learn.microsoft.com/rest/api/containerapps/container-apps/stop
   */
  it('is stopped, stays so when it is changed, and is started: the answer links to the app', async () => {
    const stopped = await manager.send('POST', `${app1}/stop`);
    expect(stopped).toMatchObject({
      status: 202,
      headers: {
        location: `http://localhost:80${app1}?api-version=2025-07-01`,
        'retry-after': '0',
      },
      body: { name: 'app1', properties: { runningStatus: 'Stopped' } },
    });
    expect(
      (await manager.send('GET', new URL(String(stopped.headers['location'])).pathname)).body.id,
    ).toBe(app1);
    expect(apps).toMatchObject([{ name: 'app1', isStopped: true }]);
    await manager.send('PATCH', app1, { tags: { a: 'b' } });
    expect(await status()).toBe('Stopped');
    expect(
      (await manager.send('GET', `${app1}/revisions/app1--one`)).body.properties,
    ).toMatchObject({
      runningState: 'Stopped',
      replicas: 0,
    });
    const started = await manager.send('POST', `${app1}/start`);
    expect([started.status, started.body.properties.runningStatus, await status()]).toEqual([
      202,
      'Running',
      'Running',
    ]);
    expect(apps[0]).not.toHaveProperty('isStopped');
    expect((await manager.send('POST', `${app1}2/stop`)).status).toBe(404);
    expect((await manager.send('POST', `${app1}/suspend`)).status).toBe(404);
  });

  /**
   * @claim app-auth-token: getAuthtoken returns a token of an hour.
   * @source https://learn.microsoft.com/rest/api/containerapps/container-apps/get-auth-token
   */
  it('returns a token of an hour, another one each time', async () => {
    const [first, second] = [
      await manager.send('POST', `${app1}/getAuthtoken`),
      await manager.send('POST', `${app1}/getAuthToken`),
    ];
    expect(first).toMatchObject({
      status: 200,
      body: { id: app1, name: 'app1', location: 'westeurope', tags: {} },
    });
    const { token, expires } = first.body.properties;
    expect(token).not.toBe(second.body.properties.token);
    const seconds = (Date.parse(expires) - Date.now()) / 1000;
    expect(seconds > 3500 && seconds <= 3600).toBe(true);
  });

  /**
   * @claim revision-running-state: A replica that runs has runningState Running, a stopped
   *   revision Stopped.
   * @guess the cloud has more states (Processing, Degraded, Activating); when it uses them was
   *   not observed
   */
  it('lists the running replicas of its revision', async () => {
    const replicas = `${app1}/revisions/app1--one/replicas`;
    const { value } = (await manager.send('GET', replicas)).body;
    expect(value).toMatchObject([
      {
        id: `${replicas}/app1--one-abc`,
        name: 'app1--one-abc',
        type: 'Microsoft.App/containerApps/revisions/replicas',
        properties: {
          createdTime: '2026-01-02T03:04:05.000Z',
          runningState: 'Running',
          containers: [{ name: 'c', ready: true, started: true, runningState: 'Running' }],
          initContainers: [],
        },
      },
    ]);
    expect((await manager.send('GET', `${replicas}/app1--one-abc`)).body).toEqual(value[0]);
    expect((await manager.send('GET', `${app1}/revisions`)).body.value[0].properties.replicas).toBe(
      1,
    );
    expect((await manager.send('GET', `${replicas}/app1--one-other`)).status).toBe(404);
    expect((await manager.send('GET', `${app1}/revisions/app1--two/replicas`)).status).toBe(404);
    expect((await manager.send('DELETE', `${replicas}/app1--one-abc`)).status).toBe(400);
  });
});

/**
 * @claim job-executions: A started job has an execution named after it, with the template of the
 *   start and one of the documented states.
 * @source https://github.com/Azure/azure-rest-api-specs/blob/main/specification/app/resource-manager/Microsoft.App/ContainerApps/stable/2025-07-01/examples/Job_Executions_Get.json
 */
test('a started job has an execution, with the template of the start', async () => {
  const job = `${group}/providers/Microsoft.App/jobs/job1`;
  const containers = [{ name: 'c', image: 'img:1' }];
  const properties = {
    environmentId: environment,
    configuration: { triggerType: 'Manual', replicaTimeout: 60 },
    template: { containers },
  };
  await manager.send('PUT', job, { location: 'westeurope', properties });
  const started = await manager.send('POST', `${job}/start`);
  expect(started.body.name).toMatch(/^job1-[a-z0-9]{7}$/);
  expect([started.status, started.body.id]).toEqual([
    202,
    `${job}/executions/${started.body.name}`,
  ]);
  expect(
    (await manager.send('GET', new URL(String(started.headers['location'])).pathname)).body.name,
  ).toBe(started.body.name);
  await manager.send('POST', `${job}/start`, { containers: [{ name: 'c', image: 'img:2' }] });
  const { value } = (await manager.send('GET', `${job}/executions`)).body;
  expect(
    value
      .map(
        ({
          properties: { template },
        }: {
          properties: { template: { containers: { image: string }[] } };
        }) => template.containers[0]?.image,
      )
      .sort(),
  ).toEqual(['img:1', 'img:2']);
  expect(value[0]).toMatchObject({
    type: 'Microsoft.App/jobs/executions',
    properties: { status: 'Succeeded', message: expect.stringContaining('recorded') },
  });
  expect((await manager.send('POST', `${job}/executions/${started.body.name}/stop`)).status).toBe(
    200,
  );
  expect((await manager.send('POST', `${job}/executions/none/stop`)).status).toBe(404);
  expect((await manager.send('POST', `${job}/stop`)).body).toEqual({ value: [] });
  expect((await manager.send('PUT', `${job}/executions/mine`, { properties: {} })).status).toBe(
    400,
  );
  await manager.send('DELETE', job);
  expect((await manager.send('GET', `${job}/executions/${started.body.name}`)).status).toBe(404);
});

test('tag names are listed with their values and how often each is used', async () => {
  await manager.send('PUT', `/subscriptions/${subscription}/resourceGroups/rg2`, {
    location: 'westeurope',
    tags: { team: 'a', only: 'x' },
  });
  await manager.send('PUT', app1, { ...appBody(), tags: { team: 'a' } });
  await manager.send('PATCH', environment, { tags: { team: 'b' } });
  const { value } = (await manager.send('GET', `/subscriptions/${subscription}/tagNames`)).body;
  const id = `/subscriptions/${subscription}/tagNames/team`;
  expect(value.map(({ tagName }: { tagName: string }) => tagName).sort()).toEqual(['only', 'team']);
  const team = value.find(({ tagName }: { tagName: string }) => tagName === 'team');
  expect(team).toMatchObject({ id, count: { type: 'Total', value: 3 } });
  expect(team.values).toContainEqual({
    id: `${id}/tagValues/a`,
    tagValue: 'a',
    count: { type: 'Total', value: 2 },
  });
  expect(team.values).toHaveLength(2);
});

describe('the template of a group', () => {
  const exportTemplate = async (body: object): Promise<Awaited<ReturnType<Harness['send']>>> =>
    manager.send('POST', `${group}/exportTemplate`, body);
  const auth = `${app1}/authConfigs/current`;
  beforeEach(async () => {
    await manager.send('PUT', app1, appBody());
    await manager.send('PUT', auth, { properties: { platform: { enabled: true } } });
  });

  /**
   * @claim export-api-version: An exported template declares children after their parents, each
   *   with the newest apiVersion that is served.
   * @guess the cloud chooses a version of its own for each type
   */
  it('declares the resources of the group, children after their parents, without values of the service and secrets', async () => {
    const { status, body } = await exportTemplate({
      resources: ['*'],
      options: 'IncludeParameterDefaultValue',
    });
    expect([status, body.template.$schema, body.template.contentVersion]).toEqual([
      200,
      expect.stringContaining('deploymentTemplate'),
      '1.0.0.0',
    ]);
    expect(body.template.parameters).toEqual({
      containerApps_app1_name: { defaultValue: 'app1', type: 'String' },
      managedEnvironments_env1_name: { defaultValue: 'env1', type: 'String' },
    });
    const types = body.template.resources.map(({ type }: { type: string }) => type);
    expect(types).toEqual([
      'Microsoft.App/containerApps',
      'Microsoft.App/containerApps/authConfigs',
      'Microsoft.App/managedEnvironments',
    ]);
    const [app, authConfig] = body.template.resources;
    expect(app).toMatchObject({
      apiVersion: '2026-07-01',
      name: "[parameters('containerApps_app1_name')]",
      location: 'westeurope',
      properties: { configuration: {} },
    });
    for (const name of ['id', 'systemData', 'type.id']) expect(app).not.toHaveProperty(name);
    expect(authConfig).toMatchObject({
      name: "[concat(parameters('containerApps_app1_name'), '/current')]",
      dependsOn: [
        "[resourceId('Microsoft.App/containerApps', parameters('containerApps_app1_name'))]",
      ],
    });
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  it('has a parameter for each name, also for names that differ in punctuation only', async () => {
    const ids = ['a-b', 'a_b'].map((name) => `${group}/providers/Contoso.Shop/shops/${name}`);
    for (const id of ids) await manager.send('PUT', id, { location: 'westeurope' });
    const { body } = await exportTemplate({
      options: 'IncludeParameterDefaultValue',
      resources: ids,
    });
    expect(body.template.parameters).toEqual({
      shops_a_b_name: { defaultValue: 'a-b', type: 'String' },
      shops_a_b_name_2: { defaultValue: 'a_b', type: 'String' },
    });
    expect(body.template.resources.map(({ name }: { name: string }) => name)).toEqual([
      "[parameters('shops_a_b_name')]",
      "[parameters('shops_a_b_name_2')]",
    ]);
  });

  it('contains only the requested resources, with their names if the options say so', async () => {
    const { body } = await exportTemplate({
      resources: [environment],
      options: 'SkipAllParameterization',
    });
    expect(body.template).toMatchObject({
      parameters: {},
      resources: [{ type: 'Microsoft.App/managedEnvironments', name: 'env1' }],
    });
    expect((await exportTemplate({ resources: [`${environment}2`] })).status).toBe(400);
    expect(
      (await manager.send('POST', `${group}2/exportTemplate`, { resources: ['*'] })).status,
    ).toBe(404);
  });
});
