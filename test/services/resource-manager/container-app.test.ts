import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  resourcePath,
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

/**
 * @claim app-as-sent: What a plan compares is returned as it was sent.
 * @source terraform-provider-azurerm, conversation of azurerm_container_app
 * @seen azurerm
 */
test('properties that a plan of the official provider compares are returned exactly as sent', async () => {
  const created = await manager.send('PUT', app1, appBody());
  expect(created.status).toBe(201);
  expect(created.headers['x-go-azure-sdk-skip-polling-delay']).toBe('true');
  const { body } = await manager.send('GET', app1);
  expect(body).toMatchObject({
    id: app1,
    name: 'app1',
    type: 'Microsoft.App/containerApps',
    location: 'westeurope',
  });
  const { configuration, template, ...properties } = body.properties;
  expect(configuration.maxInactiveRevisions).toBe(0);
  expect(properties.workloadProfileName).toBe('');
  expect(properties.managedEnvironmentId).toBe(environment);
  expect(configuration.ingress).toEqual(
    expect.objectContaining({ exposedPort: 0, transport: 'auto', external: true }),
  );
  expect(configuration).not.toHaveProperty('dapr');
  expect(configuration.ingress).not.toHaveProperty('clientCertificateMode');
  expect(template.scale).toEqual({ maxReplicas: 10, cooldownPeriod: 300, pollingInterval: 30 });
  expect(properties.provisioningState).toBe('Succeeded');
});

/**
 * @claim app-secrets: Values of secrets come by listSecrets only.
 * @source https://learn.microsoft.com/rest/api/containerapps/container-apps/list-secrets
 * @seen azurerm
 */
test('secret values are in listSecrets only, without empty references beside them', async () => {
  await manager.send('PUT', app1, appBody());
  const { body } = await manager.send('GET', app1);
  expect(body.properties.configuration.secrets).toEqual([{ name: 'one' }]);
  expect(JSON.stringify(body)).not.toContain('s3cret');
  expect((await manager.send('POST', `${app1}/listSecrets`)).body).toEqual({
    value: [{ name: 'one', value: 's3cret' }],
  });
});

test('a PUT without secrets or ingress has none', async () => {
  await manager.send('PUT', app1, appBody());
  await manager.send('PUT', app1, appBody({ secrets: undefined, ingress: undefined }));
  const { body } = await manager.send('GET', app1);
  expect(body.properties.configuration).not.toHaveProperty('secrets');
  expect(body.properties.configuration).not.toHaveProperty('ingress');
  expect((await manager.send('POST', `${app1}/listSecrets`)).body).toEqual({ value: [] });
});

test("the app's host is its name below the environment's domain", async () => {
  const { body } = await manager.send('PUT', app1, appBody());
  const { body: environmentBody } = await manager.send('GET', environment);
  expect(body.properties.configuration.ingress.fqdn).toBe(
    `app1.${environmentBody.properties.defaultDomain}`,
  );
  expect(body.properties.latestRevisionFqdn).toBe(
    `${body.properties.latestRevisionName}.${environmentBody.properties.defaultDomain}`,
  );
});

/**
 * @claim app-revisions: A changed template makes a revision, an equal one none.
 * @source https://learn.microsoft.com/azure/container-apps/revisions
 * @seen azurerm
 */
test('the revision suffix stays while the template stays, and a new template creates a new revision', async () => {
  const first = await manager.send('PUT', app1, appBody({}, { revisionSuffix: 'v1' }));
  expect(first.body.properties.latestRevisionName).toBe('app1--v1');
  const withSameTemplate = await manager.send('PUT', app1, appBody({ maxInactiveRevisions: 3 }));
  expect(withSameTemplate.body.properties).toMatchObject({
    latestRevisionName: 'app1--v1',
    template: { revisionSuffix: 'v1' },
  });
  const changed = await manager.send('PUT', app1, appBody({}, { scale: { maxReplicas: 2 } }));
  expect(changed.body.properties.latestRevisionName).toMatch(/^app1--[a-z][a-z0-9]{6}$/);
  const withUsedSuffix = await manager.send('PUT', app1, appBody({}, { revisionSuffix: 'v1' }));
  expect(withUsedSuffix.body.error.code).toBe('ContainerAppRevisionSuffixInUse');
});

test('refuses a revision suffix with two hyphens, and one that makes the name too long', async () => {
  const codeFor = async (revisionSuffix: string): Promise<unknown> => {
    const { body } = await manager.send('PUT', app1, appBody({}, { revisionSuffix }));
    return (body as { error?: { code: string } }).error?.code;
  };
  expect(await codeFor('a--b')).toBe('ContainerAppInvalidRevisionSuffix');
  expect(await codeFor('a'.repeat(51))).toBe('ContainerAppInvalidRevisionName');
  expect(await codeFor('a'.repeat(50))).toBeUndefined();
});

test("a revision has the app's name as spelled at its creation", async () => {
  await manager.send('PUT', app1, appBody());
  const { body } = await manager.send(
    'PUT',
    app1.replace(/app1$/, 'APP1'),
    appBody({}, { revisionSuffix: 'v2' }),
  );
  expect(body.properties.latestRevisionName).toBe('app1--v2');
});

/**
 * @claim app-round-trip: What was read can be sent back whole.
 * @source terraform-provider-azapi: reads, merges and sends
 * @seen azapi
 */
test('a read resource can be sent back whole, including read-only properties', async () => {
  await manager.send('PUT', app1, appBody());
  const { body } = await manager.send('GET', app1);
  const { body: secrets } = await manager.send('POST', `${app1}/listSecrets`);
  body.properties.configuration.secrets = secrets.value;
  const answer = await manager.send('PUT', app1, body);
  expect(answer.status).toBe(200);
  const { body: after } = await manager.send('GET', app1);
  expect(after.properties.latestRevisionName).toBe(body.properties.latestRevisionName);
});

/**
 * @claim app-patch: PATCH merges, and keeps the secrets that it does not name.
 * @source https://learn.microsoft.com/rest/api/containerapps/container-apps/update
 */
test('a patch merges, and keeps the secrets that it does not name', async () => {
  await manager.send('PUT', app1, appBody());
  const answer = await manager.send('PATCH', app1, {
    tags: { a: 'b' },
    properties: { template: { scale: { maxReplicas: 4 } } },
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    tags: { a: 'b' },
    properties: { template: { scale: { maxReplicas: 4, cooldownPeriod: 300 } } },
  });
  expect((await manager.send('POST', `${app1}/listSecrets`)).body.value).toEqual([
    { name: 'one', value: 's3cret' },
  ]);
});

test('a value in a patch takes the place of a reference to a key vault, and the other way round', async () => {
  const reference = { keyVaultUrl: 'https://v.vault.azure.net/secrets/s', identity: 'system' };
  const named = (one: object, two: object) => ({
    secrets: [
      { name: 'one', ...one },
      { name: 'two', ...two },
    ],
  });
  await manager.send('PUT', app1, appBody(named({ value: 'old' }, reference)));
  const configuration = named(reference, { value: 'new' });
  await manager.send('PATCH', app1, { properties: { configuration } });
  const { body } = await manager.send('POST', `${app1}/listSecrets`);
  expect(body.value).toEqual(configuration.secrets);
});

test.each([null, 'one', 1])('a patch with the secret %j is refused', async (secret) => {
  await manager.send('PUT', app1, appBody());
  const properties = { configuration: { secrets: [secret] } };
  const { status, body } = await manager.send('PATCH', app1, { properties });
  expect([status, body.error.code]).toEqual([400, 'InvalidRequestContent']);
});

/**
 * @claim app-identities: A managed identity gets its ids once.
 * @source https://learn.microsoft.com/azure/container-apps/managed-identity
 * @seen azurerm
 */
test('identities get ids and keep them', async () => {
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id1`;
  const created = await manager.send(
    'PUT',
    identity,
    { location: 'westeurope', properties: { isolationScope: 'None' }, tags: {} },
    '2024-11-30',
  );
  expect(created.body.properties).toEqual({
    isolationScope: 'None',
    principalId: expect.any(String),
    clientId: expect.any(String),
    tenantId: expect.any(String),
  });
  const body = {
    ...appBody(),
    identity: { type: 'SystemAssigned,UserAssigned', userAssignedIdentities: { [identity]: {} } },
  };
  const first = await manager.send('PUT', app1, body);
  expect(first.body.identity).toEqual({
    type: 'SystemAssigned, UserAssigned',
    principalId: expect.any(String),
    tenantId: created.body.properties.tenantId,
    userAssignedIdentities: {
      [identity]: {
        principalId: created.body.properties.principalId,
        clientId: created.body.properties.clientId,
      },
    },
  });
  expect((await manager.send('PUT', app1, body)).body.identity).toEqual(first.body.identity);
});

const container = { name: 'c', image: 'img:1', resources: { cpu: 0.25, memory: '0.5Gi' } };

test.each<[string, string, object, object]>([
  [
    'a core and memory pair that does not exist',
    'ContainerAppInvalidResourceTotal',
    {},
    { containers: [{ ...container, resources: { cpu: 0.3, memory: '1Gi' } }] },
  ],
  [
    'memory in another unit',
    'ContainerAppInvalidMemory',
    {},
    { containers: [{ ...container, resources: { cpu: 0.25, memory: '512Mi' } }] },
  ],
  [
    'containers that together make no allowed pair',
    'ContainerAppInvalidResourceTotal',
    {},
    {
      containers: [
        { ...container, resources: { cpu: 4, memory: '8Gi' } },
        { ...container, name: 'd' },
      ],
    },
  ],
  ['no container', 'ContainerAppContainersRequired', {}, { containers: [] }],
  [
    'two containers of one name',
    'ContainerAppDuplicateContainerName',
    {},
    { containers: [container, container] },
  ],
  [
    'a container without an image',
    'ContainerAppImageRequired',
    {},
    { containers: [{ ...container, image: '' }] },
  ],
  [
    'fewer replicas at most than at least',
    'ContainerAppInvalidScaleSpec',
    {},
    { scale: { minReplicas: 5, maxReplicas: 2 } },
  ],
  ['too many replicas', 'ContainerAppInvalidScaleSpec', {}, { scale: { maxReplicas: 301 } }],
  [
    'weights that make 150',
    'ContainerAppInvalidTrafficWeight',
    {
      ingress: {
        targetPort: 80,
        traffic: [
          { latestRevision: true, weight: 100 },
          { latestRevision: true, weight: 50 },
        ],
      },
    },
    {},
  ],
  [
    'traffic to a revision that is not there',
    'RevisionNotFound',
    { ingress: { targetPort: 80, traffic: [{ revisionName: 'app1--v9', weight: 100 }] } },
    {},
  ],
  [
    'a port too high',
    'ContainerAppInvalidIngressTargetPort',
    { ingress: { targetPort: 70000 } },
    {},
  ],
  [
    'an unknown transport',
    'ContainerAppInvalidIngressTransport',
    { ingress: { targetPort: 80, transport: 'quic' } },
    {},
  ],
  [
    'an unknown revision mode',
    'ContainerAppInvalidRevisionMode',
    { activeRevisionsMode: 'Some' },
    {},
  ],
  [
    'an environment variable from a secret that is not there',
    'ContainerAppSecretRefNotFound',
    {},
    { containers: [{ ...container, env: [{ name: 'A', secretRef: 'two' }] }] },
  ],
  [
    'a registry password from a secret that is not there',
    'ContainerAppSecretRefNotFound',
    { registries: [{ server: 'r', passwordSecretRef: 'two' }] },
    {},
  ],
  [
    'a secret in capitals',
    'ContainerAppSecretInvalidName',
    { secrets: [{ name: 'ONE', value: 'x' }] },
    {},
  ],
  ['a secret without a name', 'ContainerAppSecretInvalidName', { secrets: [{ value: 'x' }] }, {}],
  [
    'a secret whose name is a number',
    'ContainerAppSecretInvalidName',
    { secrets: [{ name: 1, value: 'x' }] },
    {},
  ],
  [
    'a secret twice',
    'ContainerAppSecretDuplicate',
    {
      secrets: [
        { name: 'one', value: 'x' },
        { name: 'one', value: 'y' },
      ],
    },
    {},
  ],
  ['a secret without a value', 'ContainerAppSecretInvalid', { secrets: [{ name: 'one' }] }, {}],
  ['a text where a number belongs', 'InvalidRequestContent', { ingress: { targetPort: '80' } }, {}],
  [
    'a custom domain without a name',
    'InvalidRequestContent',
    { ingress: { targetPort: 80, customDomains: [{}] } },
    {},
  ],
  [
    'a text where a list of custom domains belongs',
    'InvalidRequestContent',
    { ingress: { targetPort: 80, customDomains: 'web.example' } },
    {},
  ],
])('%s is refused', async (_, code, configuration, template) => {
  const answer = await manager.send('PUT', app1, appBody(configuration, template));
  expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  expect((await manager.send('GET', app1)).status).toBe(404);
});

test.each(['App', '1app', 'app-', 'a--b', 'a'.repeat(33)])(
  'the name "%s" is refused',
  async (name) => {
    const answer = await manager.send(
      'PUT',
      `${group}/providers/Microsoft.App/containerApps/${name}`,
      appBody(),
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, 'ContainerAppInvalidName']);
  },
);

const tenthOfACore = {
  containers: [{ name: 'c', image: 'img:1', resources: { cpu: 0.1, memory: '0.4Gi' } }],
};

test('on a workload profile a container may have a tenth of a core', async () => {
  await manager.send('PUT', environment, {
    location: 'westeurope',
    properties: {
      workloadProfiles: [
        { name: 'large', workloadProfileType: 'D4', minimumCount: 1, maximumCount: 2 },
      ],
    },
  });
  const answer = await manager.send(
    'PUT',
    app1,
    appBody({}, tenthOfACore, { workloadProfileName: 'large' }),
  );
  expect(answer.status).toBe(201);
  expect((await manager.send('PUT', `${app1}-2`, appBody({}, tenthOfACore))).body.error.code).toBe(
    'ContainerAppInvalidResourceTotal',
  );
});

/**
 * @claim environment-with-apps: An environment that has apps cannot be deleted.
 * @source https://learn.microsoft.com/azure/container-apps/environment
 */
test('a missing environment is refused, and one with apps cannot be deleted', async () => {
  const bodyWithMissingEnvironment = appBody({}, {}, { managedEnvironmentId: `${environment}x` });
  expect((await manager.send('PUT', app1, bodyWithMissingEnvironment)).body.error.code).toBe(
    'ManagedEnvironmentNotFound',
  );
  await manager.send('PUT', app1, appBody());
  expect((await manager.send('DELETE', environment)).body.error.code).toBe(
    'ManagedEnvironmentInUse',
  );
});

test('an environment that has jobs cannot be deleted', async () => {
  const job = resourcePath('Microsoft.App/jobs', 'nightly');
  await manager.send('PUT', job, {
    location: 'westeurope',
    properties: { environmentId: environment.toUpperCase() },
  });
  expect((await manager.send('DELETE', environment)).body.error).toEqual({
    code: 'ManagedEnvironmentInUse',
    message: "The managed environment 'env1' can't be deleted: it still holds nightly.",
  });
  await manager.send('DELETE', job);
  expect((await manager.send('DELETE', environment)).status).toBe(200);
});

/**
 * @claim group-in-use: A resource group whose environment has apps of other groups cannot be deleted.
 * @source https://learn.microsoft.com/azure/azure-resource-manager/management/delete-resource-group
 */
test('a group whose environment has apps of another group cannot be deleted', async () => {
  const otherGroup = `/subscriptions/${subscription}/resourceGroups/rg2`;
  const otherApp = `${otherGroup}/providers/Microsoft.App/containerApps/app2`;
  await manager.send('PUT', otherGroup, { location: 'westeurope' });
  await manager.send('PUT', app1, appBody());
  await manager.send('PUT', otherApp, appBody());
  const refusal = await manager.send('DELETE', group);
  expect(refusal.status).toBe(409);
  expect(refusal.body.error).toEqual({
    code: 'ResourceGroupDeletionBlocked',
    message: `Deletion of resource group 'rg1' failed as resources with identifiers 'Microsoft.App/managedEnvironments/env1' could not be deleted: '${otherApp}' must be deleted first.`,
  });
  expect((await manager.send('GET', app1)).status).toBe(200);
  await manager.send('DELETE', otherGroup);
  expect((await manager.send('DELETE', group)).status).toBe(200);
});

test('listeners are notified of every change of an app', async () => {
  let notifications = 0;
  manager.service.onAppsChanged(() => void (notifications += 1));
  await manager.send('PUT', app1, appBody());
  await manager.send('PUT', `${app1}/authConfigs/current`, { properties: {} });
  await manager.send('DELETE', app1);
  expect(notifications).toBe(3);
});

test('below one domain no two apps have the same name', async () => {
  const oneDomainManager = await startManager({
    domainOf: () => 'localhost:8443',
    hasOneDomain: true,
  });
  await withEnvironment(oneDomainManager);
  await oneDomainManager.send('PUT', app1, appBody());
  const second = `/subscriptions/${subscription}/resourceGroups/rg2`;
  await oneDomainManager.send('PUT', second, { location: 'westeurope' });
  const answer = await oneDomainManager.send(
    'PUT',
    `${second}/providers/Microsoft.App/containerApps/app1`,
    appBody(),
  );
  expect([answer.status, answer.body.error.code]).toEqual([409, 'ContainerAppHostTaken']);
  expect(
    (await oneDomainManager.send('GET', app1)).body.properties.configuration.ingress.fqdn,
  ).toBe('app1.localhost:8443');
  await oneDomainManager.close();
});
