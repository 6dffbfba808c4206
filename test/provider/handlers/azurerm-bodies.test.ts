import { dataSources, resources } from '../../../provider/handlers/azurerm/index.js';
import type { Context, ResourceHandler } from '../../../provider/handlers/handler.js';
import type { ValueMap } from '../../../provider/values/value.js';

type Body = Record<string, unknown>;

/**
 * A context whose resource manager answers with the body that it was sent, as the cloud does, and
 * records it.
 *
 * @param existing the resource that it has before.
 */
function echoingContext(existing: object | undefined): {
  readonly context: Context;
  readonly sentBodies: Body[];
} {
  const sentBodies: Body[] = [];
  const answerWithBody = (id: string, _version: string, body: Body): Promise<Body> => {
    sentBodies.push(body);
    return Promise.resolve({ id, ...body });
  };
  const secretsOf = (): unknown =>
    (((sentBodies.at(-1)?.['properties'] as Body)['configuration'] as Body)[
      'secrets'
    ] as unknown) ?? [];
  const manager = {
    resources: {
      find: () => Promise.resolve(undefined),
      get: () => Promise.resolve(existing),
      put: answerWithBody,
      patch: answerWithBody,
    },
    managedEnvironments: { get: () => Promise.resolve({ location: 'westeurope' }) },
    containerApps: { listSecrets: () => Promise.resolve(secretsOf()) },
  };
  const api = { identity: { subscriptionId: 's' }, resourceManager: manager };
  return {
    context: {
      api,
      providerConfig: {},
      signal: new AbortController().signal,
    } as unknown as Context,
    sentBodies,
  };
}

const app: ValueMap = {
  name: 'web',
  resource_group_name: 'rg',
  location: 'westeurope',
  tags: { team: 'web' },
  container_app_environment_id: '/environments/e',
  workload_profile_name: 'D4',
  revision_mode: 'Multiple',
  max_inactive_revisions: 3,
  dapr: [{ app_id: 'web', app_port: 80, app_protocol: 'grpc' }],
  ingress: [
    {
      allow_insecure_connections: false,
      client_certificate_mode: 'accept',
      cors: [
        {
          allow_credentials_enabled: true,
          allowed_headers: ['a'],
          allowed_methods: ['GET'],
          allowed_origins: ['*'],
          exposed_headers: ['b'],
          max_age_in_seconds: 5,
        },
      ],
      exposed_port: 0,
      external_enabled: true,
      ip_security_restriction: [
        { name: 'n', action: 'Allow', ip_address_range: '10.0.0.0/8', description: 'd' },
      ],
      target_port: 8080,
      traffic_weight: [
        { label: 'blue', latest_revision: false, percentage: 40, revision_suffix: 'v1' },
        { label: null, latest_revision: true, percentage: 60, revision_suffix: null },
      ],
      transport: 'http2',
    },
  ],
  registry: [{ server: 'ghcr.io', username: 'u', password_secret_name: 'p', identity: null }],
  secret: [
    { name: 'p', value: 'v', identity: null, key_vault_secret_id: null },
    {
      name: 'k',
      value: null,
      identity: 'System',
      key_vault_secret_id: 'https://vault.example/secrets/k',
    },
  ],
  template: [
    {
      min_replicas: 1,
      max_replicas: 5,
      cooldown_period_in_seconds: 60,
      polling_interval_in_seconds: 15,
      revision_suffix: 'v2',
      termination_grace_period_seconds: 30,
      container: [
        {
          name: 'web',
          image: 'web:1',
          args: ['a'],
          command: ['b'],
          cpu: 0.5,
          memory: '1Gi',
          env: [
            { name: 'A', value: '', secret_name: null },
            { name: 'B', value: null, secret_name: 'p' },
          ],
          volume_mounts: [{ name: 'v', path: '/v', sub_path: 's' }],
          liveness_probe: [
            probe({
              transport: 'TCP',
              path: '',
              header: [],
              host: null,
              termination_grace_period_seconds: 0,
            }),
          ],
          readiness_probe: [probe({ transport: 'HTTPS', success_count_threshold: 2 })],
          startup_probe: [probe({ transport: 'HTTP', termination_grace_period_seconds: 0 })],
        },
      ],
      init_container: [
        {
          name: 'in',
          image: 'in:1',
          args: null,
          command: null,
          cpu: null,
          memory: null,
          env: [],
          volume_mounts: [],
        },
      ],
      volume: [{ name: 'v', storage_name: 's', storage_type: 'AzureFile', mount_options: 'ro' }],
      azure_queue_scale_rule: [
        {
          name: 'q',
          queue_name: 'jobs',
          queue_length: 5,
          authentication: [{ secret_name: 'p', trigger_parameter: 'connection' }],
        },
      ],
      custom_scale_rule: [
        {
          name: 'c',
          custom_rule_type: 'cpu',
          metadata: { type: 'Utilization' },
          identity_id: null,
          authentication: [],
        },
      ],
      http_scale_rule: [{ name: 'h', concurrent_requests: '10', authentication: [] }],
      tcp_scale_rule: [{ name: 't', concurrent_requests: '20', authentication: [] }],
    },
  ],
};

function probe(overrides: ValueMap): ValueMap {
  const request = {
    host: 'web.example',
    port: 80,
    path: '/live',
    header: [{ name: 'x', value: '' }],
  };
  return {
    ...request,
    initial_delay: 1,
    interval_seconds: 10,
    timeout: 1,
    failure_count_threshold: 3,
    ...overrides,
  };
}

const containerApp = resources['azurerm_container_app'] as ResourceHandler;

describe('the bodies of azurerm', () => {
  it('contain everything that is planned of an app, and are read back as planned', async () => {
    const { context, sentBodies } = echoingContext(undefined);
    const state = await containerApp.create({
      ...context,
      planned: app,
      config: app,
      reportCreated: () => undefined,
    });
    expect(state).toMatchObject(app);
    const { template, configuration } = sentBodies[0]?.['properties'] as {
      template: Body;
      configuration: Body;
    };
    expect(template['scale']).toEqual({
      minReplicas: 1,
      maxReplicas: 5,
      cooldownPeriod: 60,
      pollingInterval: 15,
      rules: [
        {
          name: 'q',
          azureQueue: {
            queueName: 'jobs',
            queueLength: 5,
            auth: [{ secretRef: 'p', triggerParameter: 'connection' }],
          },
        },
        { name: 'c', custom: { type: 'cpu', metadata: { type: 'Utilization' }, auth: [] } },
        { name: 'h', http: { metadata: { concurrentRequests: '10' }, auth: [] } },
        { name: 't', tcp: { metadata: { concurrentRequests: '20' }, auth: [] } },
      ],
    });
    expect((template['containers'] as Body[])[0]?.['probes']).toMatchObject([
      { type: 'Liveness', tcpSocket: { port: 80 }, periodSeconds: 10 },
      {
        type: 'Readiness',
        httpGet: { scheme: 'HTTPS', path: '/live', httpHeaders: [{ name: 'x', value: '' }] },
        successThreshold: 2,
      },
      { type: 'Startup', httpGet: { scheme: 'HTTP', host: 'web.example' } },
    ]);
    expect((configuration['ingress'] as Body)['traffic']).toMatchObject([
      { revisionName: 'web--v1' },
      { latestRevision: true },
    ]);
  });

  it('omit replicas and a grace period of 0, which are the defaults of the service', async () => {
    const { context, sentBodies } = echoingContext(undefined);
    const [template] = app['template'] as readonly [ValueMap];
    const zeros = { min_replicas: 0, termination_grace_period_seconds: 0 };
    const planned = { ...app, template: [{ ...template, ...zeros }] };
    const state = await containerApp.create({
      ...context,
      planned,
      config: planned,
      reportCreated: () => undefined,
    });
    expect(state).toMatchObject({ template: [zeros] });
    const { template: body } = sentBodies[0]?.['properties'] as { template: Body };
    expect(body['scale']).not.toHaveProperty('minReplicas');
    expect(body).not.toHaveProperty('terminationGracePeriodSeconds');
  });

  it('keep custom domains when an app changes, and send the revision suffix only if it changes', async () => {
    const customDomains = [{ name: 'shop.example', bindingType: 'SniEnabled' }];
    const { context, sentBodies } = echoingContext({
      location: 'westeurope',
      properties: { configuration: { ingress: { customDomains } } },
    });
    const prior = {
      ...app,
      id: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.App/containerApps/web',
    };
    await containerApp.update?.({ ...context, prior, planned: app, config: app });
    const { template, configuration } = sentBodies[0]?.['properties'] as {
      template: Body;
      configuration: Body;
    };
    expect(template).not.toHaveProperty('revisionSuffix');
    expect(configuration['ingress']).toMatchObject({ customDomains });
  });

  it.each([
    ['only a user name', { username: 'u' }],
    [
      'an identity and a password',
      { identity: 'System', username: 'u', password_secret_name: 'p' },
    ],
    ['nothing', {}],
  ])('refuse a registry with %s', async (_mistake, registry) => {
    const planned = { ...app, registry: [{ server: 'ghcr.io', ...registry }] } as ValueMap;
    const { context } = echoingContext(undefined);
    const creation = containerApp.create({
      ...context,
      planned,
      config: planned,
      reportCreated: () => undefined,
    });
    await expect(creation).rejects.toThrow(
      'must supply either `identity` or `username` and `password_secret_name`',
    );
  });

  it.each([
    [{ name: 'Safe' }, 'recover'],
    [{ name: 'another' }, undefined],
  ])(
    'recover a deleted vault of the name of a new one, if it is %o',
    async (deleted, createMode) => {
      const { context, sentBodies } = echoingContext(undefined);
      const { resources: manager } = context.api.resourceManager;
      (manager as { list: unknown }).list = async function* () {
        yield deleted;
      };
      const vault = { name: 'safe', resource_group_name: 'rg', sku_name: 'standard' };
      const create = (providerConfig: ValueMap) =>
        resources['azurerm_key_vault']?.create({
          ...context,
          providerConfig,
          planned: vault,
          config: vault,
          reportCreated: () => undefined,
        });
      await create({});
      await create({ features: [{ key_vault: [{ recover_soft_deleted_key_vaults: false }] }] });
      expect(sentBodies.map(({ properties }) => (properties as Body)['createMode'])).toEqual([
        createMode,
        undefined,
      ]);
    },
  );

  it('leave secrets out of the data source if they must not be read', async () => {
    const { context } = echoingContext({ id: '/a', properties: {} });
    const listSecrets = vi.fn(() => Promise.resolve([{ name: 'p', value: 'v' }]));
    context.api.resourceManager.containerApps.listSecrets = listSecrets;
    const read = (config: ValueMap) =>
      dataSources['azurerm_container_app']?.({ ...context, config: { name: 'web', ...config } });
    expect((await read({}))?.['secret']).toHaveLength(1);
    expect((await read({ read_secrets: false }))?.['secret']).toEqual([]);
    expect(listSecrets).toHaveBeenCalledTimes(1);
  });
});
