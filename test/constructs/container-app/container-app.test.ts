import {
  App,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
  type ContainerAppProps,
  Secret,
} from '../../../constructs/index.js';
import { synthesized } from '../support/synthesized.js';

const declare = (props: Partial<ContainerAppProps> = {}) =>
  synthesized((stack) => {
    new ContainerApp(stack, 'web', { image: 'ghcr.io/contoso/web:1', ...props });
  });
const app = (props: Partial<ContainerAppProps> = {}) =>
  declare(props).resource['azurerm_container_app']?.['web'];

describe('ContainerApp', () => {
  it("is created in the stack's own resource group and environment by default", () => {
    expect(declare().resource).toEqual({
      azurerm_resource_group: { shop: { name: 'rg-shop', location: 'westeurope' } },
      azurerm_container_app_environment: {
        shop: {
          name: 'cae-shop',
          location: '${azurerm_resource_group.shop.location}',
          resource_group_name: '${azurerm_resource_group.shop.name}',
        },
      },
      azurerm_container_app: {
        web: {
          name: 'web',
          resource_group_name: '${azurerm_resource_group.shop.name}',
          container_app_environment_id: '${azurerm_container_app_environment.shop.id}',
          revision_mode: 'Single',
          template: {
            container: [
              { name: 'web', image: 'ghcr.io/contoso/web:1', cpu: 0.25, memory: '0.5Gi' },
            ],
          },
        },
      },
    });
  });

  it("configures its providers with the stack's cloud settings", () => {
    const { provider, terraform } = declare();
    expect(provider).toEqual({
      azurerm: [{ features: [{}], tenant_id: '11111111-2222-4333-8444-555555555555' }],
    });
    expect(terraform).toEqual({
      backend: { local: { path: '../../../terraform.shop.tfstate' } },
      required_providers: { azurerm: { source: 'azurerm', version: '>= 4.55.0, < 6.0.0' } },
    });
  });

  it('refuses plain HTTP and sends everything to the newest revision, unless declared otherwise', () => {
    expect(app({ targetPort: 8080, ingress: { external: true } })?.['ingress']).toEqual({
      external_enabled: true,
      allow_insecure_connections: false,
      target_port: 8080,
      traffic_weight: [{ latest_revision: true, percentage: 100 }],
    });
    const revision = {
      mode: 'multiple',
      traffic: [
        { latest: true, weight: 80 },
        { revision: 'v1', weight: 20, label: 'old' },
      ],
    } as const;
    expect(app({ targetPort: 8080, revision })).toMatchObject({
      revision_mode: 'Multiple',
      ingress: {
        external_enabled: false,
        traffic_weight: [
          { latest_revision: true, percentage: 80 },
          { latest_revision: false, revision_suffix: 'v1', percentage: 20, label: 'old' },
        ],
      },
    });
  });

  it('has every setting of ingress, container, probes, scale and registries', () => {
    expect(
      app({
        name: 'shop-web',
        targetPort: 8080,
        cpu: 1,
        command: ['serve'],
        args: ['--verbose'],
        replicas: {
          min: 1,
          max: 5,
          cooldownSeconds: 60,
          pollingSeconds: 15,
          concurrentRequests: 20,
        },
        env: { MODE: 'prod', TEMPLATE: '${x}', KEY: { secret: 'api-key' } },
        secrets: { 'api-key': Secret.fromEnvironment('API_KEY') },
        registries: [
          {
            server: 'ghcr.io',
            username: 'bot',
            password: Secret.fromEnvironment('REGISTRY_PASSWORD'),
          },
        ],
        probes: {
          liveness: { path: '/live', periodSeconds: 5 },
          readiness: { transport: 'tcp', port: 9000, successThreshold: 2 },
          startup: { path: '/up', headers: { 'X-Probe': '1' } },
        },
        ingress: {
          external: true,
          transport: 'http2',
          ipRestrictions: [{ name: 'office', action: 'allow', range: '203.0.113.0/24' }],
          cors: { allowedOrigins: ['https://shop.example'], allowCredentials: true },
        },
        workloadProfile: 'Consumption',
        terminationGracePeriodSeconds: 30,
        revision: { suffix: 'v2', maxInactive: 3 },
        tags: { team: 'shop' },
      }),
    ).toEqual({
      name: 'shop-web',
      resource_group_name: '${azurerm_resource_group.shop.name}',
      container_app_environment_id: '${azurerm_container_app_environment.shop.id}',
      revision_mode: 'Single',
      max_inactive_revisions: 3,
      workload_profile_name: 'Consumption',
      tags: { team: 'shop' },
      secret: [
        { name: 'api-key', value: '${var.API_KEY}' },
        { name: 'ghcr-io-password', value: '${var.REGISTRY_PASSWORD}' },
      ],
      registry: [{ server: 'ghcr.io', username: 'bot', password_secret_name: 'ghcr-io-password' }],
      ingress: {
        external_enabled: true,
        allow_insecure_connections: false,
        target_port: 8080,
        transport: 'http2',
        traffic_weight: [{ latest_revision: true, percentage: 100 }],
        ip_security_restriction: [
          { name: 'office', action: 'Allow', ip_address_range: '203.0.113.0/24' },
        ],
        cors: { allowed_origins: ['https://shop.example'], allow_credentials_enabled: true },
      },
      template: {
        min_replicas: 1,
        max_replicas: 5,
        cooldown_period_in_seconds: 60,
        polling_interval_in_seconds: 15,
        revision_suffix: 'v2',
        termination_grace_period_seconds: 30,
        http_scale_rule: [{ name: 'concurrent-requests', concurrent_requests: '20' }],
        container: [
          {
            name: 'shop-web',
            image: 'ghcr.io/contoso/web:1',
            cpu: 1,
            memory: '2Gi',
            command: ['serve'],
            args: ['--verbose'],
            env: [
              { name: 'MODE', value: 'prod' },
              { name: 'TEMPLATE', value: '$${x}' },
              { name: 'KEY', secret_name: 'api-key' },
            ],
            liveness_probe: [{ transport: 'HTTP', port: 8080, path: '/live', interval_seconds: 5 }],
            readiness_probe: [{ transport: 'TCP', port: 9000, success_count_threshold: 2 }],
            startup_probe: [
              {
                transport: 'HTTP',
                port: 8080,
                path: '/up',
                header: [{ name: 'X-Probe', value: '1' }],
              },
            ],
          },
        ],
      },
    });
  });

  it('passes secrets of the environment as sensitive variables, one for each name', () => {
    const { variable } = declare({
      secrets: { one: Secret.fromEnvironment('SHARED'), two: Secret.fromEnvironment('SHARED') },
    });
    expect(variable).toEqual({
      SHARED: {
        type: 'string',
        sensitive: true,
        description: 'Fed by the environment variable TF_VAR_SHARED.',
      },
    });
  });

  it('reads key vaults with an identity, by default its own', () => {
    const vault = Secret.fromKeyVault('https://vault.example/secrets/key');
    const identity =
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/puller';
    expect(app({ secrets: { key: vault } })).toMatchObject({
      identity: { type: 'SystemAssigned' },
      secret: [
        {
          name: 'key',
          key_vault_secret_id: 'https://vault.example/secrets/key',
          identity: 'System',
        },
      ],
    });
    expect(app({ secrets: { key: vault }, identity: { userAssigned: [identity] } })).toMatchObject({
      identity: { type: 'UserAssigned', identity_ids: [identity] },
      secret: [{ name: 'key', identity }],
    });
    expect(
      app({ identity: { systemAssigned: true, userAssigned: [identity] } })?.['identity'],
    ).toEqual({
      type: 'SystemAssigned, UserAssigned',
      identity_ids: [identity],
    });
  });

  it('may run in an environment of its own, with logs', () => {
    const { resource } = synthesized((stack) => {
      const environment = new ContainerAppEnvironment(stack, 'logged', {
        logs: { retentionInDays: 60 },
      });
      new ContainerApp(stack, 'web', { image: 'nginx:1', environment });
    });
    expect(Object.keys(resource['azurerm_container_app_environment'] ?? {})).toEqual(['logged']);
    expect(resource['azurerm_container_app_environment']?.['logged']).toMatchObject({
      name: 'logged',
      logs_destination: 'log-analytics',
      log_analytics_workspace_id: '${azurerm_log_analytics_workspace.logged.id}',
    });
    expect(resource['azurerm_log_analytics_workspace']?.['logged']).toMatchObject({
      name: 'log-logged',
      sku: 'PerGB2018',
      retention_in_days: 60,
    });
  });

  it("carries the stack's tags and its own", () => {
    const { resource } = synthesized(
      (stack) => new ContainerApp(stack, 'web', { image: 'nginx:1', tags: { team: 'web' } }),
      {
        azure: { location: 'westeurope', tags: { cost: 'shop', team: 'all' } },
      },
    );
    expect(resource['azurerm_container_app']?.['web']?.['tags']).toEqual({
      cost: 'shop',
      team: 'web',
    });
    expect(resource['azurerm_resource_group']?.['shop']).toMatchObject({
      name: 'rg-shop',
      tags: { cost: 'shop', team: 'all' },
    });
  });

  it('requires a location of the stack', () => {
    const stack = new CastellanStack(new App(), 'nowhere');
    expect(() => new ContainerApp(stack, 'web', { image: 'nginx:1' })).toThrow(
      /needs a location: .* in castellan\.yaml or of a CastellanStack/,
    );
  });
});
