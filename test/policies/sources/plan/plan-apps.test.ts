import type { Finding } from '../../../../core/findings/finding.js';
import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

const lines = (findings: readonly Finding[]): readonly string[] =>
  findings
    .map(({ verdict, ruleId, path = [] }) => `${verdict} ${ruleId} ${path.slice(2).join('.')}`)
    .sort();

const group = '/subscriptions/s/resourceGroups/rg';
const yaml = `version: 1
stack: shop
azure: { location: westeurope }
containerApps:
  shop:
    name: shop--1
    image: "shop :1"
    targetPort: 70000
    replicas: { min: 301, max: 5 }
    env: { A: { secret: gone } }
    registries: [{ server: "https://r" }]
    probes: { readiness: { port: 80, path: healthz, periodSeconds: 300 } }
    revision: { traffic: [{ weight: 101, latest: true }] }
    ingress: { external: true, transport: tcp, ipRestrictions: [{ name: a, action: allow, range: nowhere }], cors: { allowedOrigins: ["*"], allowCredentials: true } }
`;

/** The same app as the official provider plans it. */
const azurerm = {
  name: 'shop--1',
  resource_group_name: 'rg',
  revision_mode: 'Single',
  ingress: [
    {
      external_enabled: true,
      target_port: 70000,
      transport: 'tcp',
      ip_security_restriction: [{ name: 'a', action: 'Allow', ip_address_range: 'nowhere' }],
      cors: [{ allowed_origins: ['*'], allow_credentials_enabled: true }],
      traffic_weight: [{ percentage: 101, latest_revision: true }],
    },
  ],
  registry: [{ server: 'https://r' }],
  template: [
    {
      min_replicas: 301,
      max_replicas: 5,
      container: [
        {
          image: 'shop :1',
          env: [{ name: 'A', secret_name: 'gone' }],
          readiness_probe: [
            { transport: 'HTTP', port: 80, path: 'healthz', interval_seconds: 300 },
          ],
        },
      ],
    },
  ],
};

/** The same app as the body of an `azapi_resource`. */
const azapi = {
  type: 'Microsoft.App/containerApps@2025-07-01',
  name: 'shop--1',
  parent_id: group,
  body: {
    properties: {
      configuration: {
        activeRevisionsMode: 'Single',
        ingress: {
          external: true,
          targetPort: 70000,
          transport: 'Tcp',
          ipSecurityRestrictions: [{ name: 'a', action: 'Allow', ipAddressRange: 'nowhere' }],
          corsPolicy: { allowedOrigins: ['*'], allowCredentials: true },
          traffic: [{ weight: 101, latestRevision: true }],
        },
        registries: [{ server: 'https://r' }],
      },
      template: {
        scale: { minReplicas: 301, maxReplicas: 5 },
        containers: [
          {
            image: 'shop :1',
            env: [{ name: 'A', secretRef: 'gone' }],
            probes: [
              { type: 'Liveness', httpGet: { port: 80, path: '/' } },
              {
                type: 'Readiness',
                httpGet: { port: 80, path: 'healthz', scheme: 'HTTP' },
                periodSeconds: 300,
              },
            ],
          },
        ],
      },
    },
  },
};

describe('checking the container apps of a plan', () => {
  it.each([
    ['azurerm_container_app', azurerm],
    ['azapi_resource', azapi],
  ])(
    'finds in an %s what it finds in the declaration, with the same fingerprints',
    async (type, resource) => {
      const inSource = await check(yaml, []);
      const inPlan = await check(undefined, [change(type, 'shop', resource)]);
      expect(lines(inPlan)).toEqual(lines(inSource));
      expect(new Set(inPlan.map(({ fingerprint }) => fingerprint))).toEqual(
        new Set(inSource.map(({ fingerprint }) => fingerprint)),
      );
      expect(inSource.length).toBeGreaterThan(10);
    },
  );

  it('joins a sign-in setting with the app that another azapi_resource declares', async () => {
    const app = {
      ...azapi,
      name: 'shop',
      body: {
        properties: {
          configuration: {
            ingress: { targetPort: 80, traffic: [{ weight: 100, latestRevision: true }] },
            secrets: [{ name: 'github' }],
          },
          template: {
            containers: [
              { name: 'shop', image: 'shop:1', resources: { cpu: 0.25, memory: '0.5Gi' } },
            ],
          },
        },
      },
    };
    const body = {
      properties: {
        identityProviders: {
          gitHub: { registration: { clientId: 'a', clientSecretSettingName: 'githb' } },
        },
      },
    };
    const auth = {
      type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
      name: 'current',
      body,
    };
    const parent = `${group}/providers/Microsoft.App/containerApps/shop`;
    expect(
      lines(
        await check(undefined, [
          change('azapi_resource', 'web', app),
          change('azapi_resource', 'layer', { ...auth, parent_id: parent }),
        ]),
      ),
    ).toEqual([
      'fail app-secret-references auth.providers.codehost.clientSecret',
      'fail auth-external-ingress ingress.external',
      'fail auth-open-provider auth.providers.codehost',
    ]);
  });

  it('leaves the content of a sensitive_body unknown, which a plan does not show', async () => {
    const container = { name: 'shop', image: 'shop:1', env: [{ name: 'A', secretRef: 'hidden' }] };
    const app = {
      ...azapi,
      name: 'shop',
      body: { properties: { template: { containers: [container] } } },
    };
    const findingLines = async (expressions: object): Promise<readonly string[]> => {
      const resources = [{ address: 'azapi_resource.shop', mode: 'managed', expressions }];
      const findings = await check(
        undefined,
        [change('azapi_resource', 'shop', app)],
        {},
        { configuration: { root_module: { resources } } },
      );
      return lines(findings).filter((line) => line.includes('app-secret-references'));
    };
    expect(await findingLines({ body: {} })).toEqual(['fail app-secret-references env.A.secret']);
    expect(await findingLines({ body: {}, sensitive_body: { references: ['var.s'] } })).toEqual([
      'unknown app-secret-references secrets',
    ]);
  });

  it('checks all containers and scale rules of either resource', async () => {
    const scaling = {
      name: 'orders',
      queue_length: 0,
      authentication: [{ secret_name: 'gone', trigger_parameter: 'c' }],
    };
    const logContainer = {
      name: 'log',
      image: 'log:1',
      liveness_probe: [{ transport: 'TCP', port: 99999 }],
    };
    const container = { name: 'shop', image: 'shop:1' };
    const expected = [
      'fail app-secret-references scaleRules.orders',
      'fail property-value containers.log.probes.liveness.port',
      'fail property-value scaleRules.orders.queueLength',
    ];
    const official = {
      name: 'shop',
      template: [{ container: [container, logContainer], azure_queue_scale_rule: [scaling] }],
    };
    expect(
      lines(await check(undefined, [change('azurerm_container_app', 'shop', official)])),
    ).toEqual(expected);
    const probe = { type: 'Liveness', tcpSocket: { port: 99999 } };
    const rule = {
      name: 'orders',
      azureQueue: { queueLength: 0, auth: [{ secretRef: 'gone', triggerParameter: 'c' }] },
    };
    const template = {
      containers: [container, { name: 'log', image: 'log:1', probes: [probe] }],
      scale: { rules: [rule] },
    };
    expect(
      lines(
        await check(undefined, [
          change('azapi_resource', 'shop', {
            ...azapi,
            name: 'shop',
            body: { properties: { template } },
          }),
        ]),
      ),
    ).toEqual(expected);
  });

  it('finds a further container with the name of the first one, in either resource', async () => {
    const [first, log] = [
      { name: 'web', image: 'web:1' },
      { name: 'log', image: 'log:1' },
    ];
    const nameFindings = async (type: string, after: object) =>
      lines(await check(undefined, [change(type, 'shop', { name: 'shop', ...after })])).filter(
        (line) => line.includes('app-container-name'),
      );
    const official = { template: [{ container: [first, log, first] }] };
    expect(await nameFindings('azurerm_container_app', official)).toEqual([
      'fail app-container-name containers.web',
    ]);
    const template = { containers: [first, log], initContainers: [first] };
    const body = { properties: { template } };
    expect(await nameFindings('azapi_resource', { type: azapi.type, body })).toEqual([
      'fail app-container-name initContainers.web',
    ]);
  });

  it('judges how long log workspaces keep logs, but those of the free tier', async () => {
    const workspace = (days: number) =>
      change('azurerm_log_analytics_workspace', 'logs', {
        name: 'log-shop',
        retention_in_days: days,
      });
    expect(lines(await check(undefined, [workspace(10)]))).toEqual([
      'fail property-value logs.retentionInDays',
    ]);
    expect(lines(await check(undefined, [workspace(7)]))).toEqual([]);
  });

  it('judges the names of environments', async () => {
    const plannedResource = change('azurerm_container_app_environment', 'e', {
      name: '1env',
      resource_group_name: 'rg',
    });
    expect(lines(await check(undefined, [plannedResource]))).toEqual([
      'fail environment-name name',
    ]);
  });

  it('takes no name of a workspace for logs for that of an environment', async () => {
    const plannedResource = change('azurerm_log_analytics_workspace', 'w', { name: 'logs' });
    expect(lines(await check(undefined, [plannedResource]))).toEqual([]);
  });
});
