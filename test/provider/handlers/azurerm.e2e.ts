import {
  configWith,
  type ControlPlane,
  startControlPlane,
  subscriptionId,
} from '../support/control-plane.js';
import { flat } from '../support/seeded-services.js';
import { createWorkspace, type Workspace } from '../support/terraform.js';

const app = {
  name: 'storefront',
  resource_group_name: '${azurerm_resource_group.rg.name}',
  container_app_environment_id: '${azurerm_container_app_environment.env.id}',
  revision_mode: 'Single',
  ingress: {
    external_enabled: true,
    target_port: 8080,
    traffic_weight: [{ latest_revision: true, percentage: 100 }],
  },
  secret: [
    { name: 'one', value: 'first-secret-value' },
    { name: 'two', value: 'second-secret-value' },
  ],
  identity: { type: 'SystemAssigned' },
  template: {
    container: [
      {
        name: 'c',
        image: 'img:1',
        cpu: 0.25,
        memory: '0.5Gi',
        env: [
          { name: 'A', value: 'b' },
          { name: 'S', secret_name: 'one' },
        ],
        liveness_probe: [{ port: 8080, transport: 'HTTP', path: '/healthz' }],
        readiness_probe: [{ port: 8080, transport: 'TCP' }],
      },
    ],
    min_replicas: 1,
    max_replicas: 3,
    http_scale_rule: [{ name: 'http', concurrent_requests: '50' }],
  },
};

const base = {
  azurerm_resource_group: { rg: { name: 'rg-one', location: 'West Europe', tags: { a: 'b' } } },
  azurerm_log_analytics_workspace: {
    logs: {
      name: 'logs-one',
      location: 'westeurope',
      resource_group_name: '${azurerm_resource_group.rg.name}',
      retention_in_days: 30,
      internet_query_enabled: true,
    },
  },
  azurerm_user_assigned_identity: {
    id: {
      name: 'identity-one',
      location: '${azurerm_resource_group.rg.location}',
      resource_group_name: '${azurerm_resource_group.rg.name}',
    },
  },
  azurerm_container_app_environment: {
    env: {
      name: 'env-one',
      location: '${azurerm_resource_group.rg.location}',
      resource_group_name: '${azurerm_resource_group.rg.name}',
      logs_destination: 'log-analytics',
      log_analytics_workspace_id: '${azurerm_log_analytics_workspace.logs.id}',
    },
  },
  azurerm_container_app: { app },
};

describe('azurerm in the sandbox', () => {
  let controlPlane: ControlPlane;
  let workspace: Workspace;

  beforeEach(async () => {
    controlPlane = await startControlPlane({ services: ['resource-manager'] });
    workspace = await createWorkspace(controlPlane.env);
  });
  afterEach(async () => {
    await workspace.remove();
    await controlPlane.close();
  });

  test('creates a group, logs, an identity, an environment and an app; plans no changes; updates; destroys', async () => {
    const { logs_destination: _destination, ...environmentWithoutDestination } =
      base.azurerm_container_app_environment.env;
    await workspace.write(
      configWith({
        ...base,
        azurerm_container_app_environment: { env: environmentWithoutDestination },
      }),
    );
    await workspace.succeed('init');
    expect(flat(await workspace.fail('plan'))).toContain(
      'can only be set when `logs_destination` is set',
    );
    await workspace.write(
      configWith(base, {
        data: { azurerm_client_config: { me: {} } },
        output: {
          fqdn: { value: '${azurerm_container_app.app.ingress[0].fqdn}' },
          tenant: { value: '${data.azurerm_client_config.me.tenant_id}' },
          location: { value: '${azurerm_resource_group.rg.location}' },
        },
      }),
    );
    await workspace.succeed('init');
    const applied = await workspace.succeed('apply', '-auto-approve');
    expect(applied).toContain('5 added');
    expect(applied).not.toContain('secret-value');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.outputs()).toMatchObject({
      location: 'westeurope',
      fqdn: expect.stringContaining('storefront') as string,
    });

    const changedApp = {
      ...app,
      secret: [app.secret[0], { name: 'two', value: 'rotated-secret-value' }],
      template: { ...app.template, max_replicas: 5 },
      identity: {
        type: 'SystemAssigned, UserAssigned',
        identity_ids: ['${azurerm_user_assigned_identity.id.id}'],
      },
    };
    await workspace.write(configWith({ ...base, azurerm_container_app: { app: changedApp } }));
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed, 0 destroyed');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    const id = `/subscriptions/${subscriptionId}/resourceGroups/rg-one/providers/Microsoft.App/containerApps/storefront`;
    expect(
      (await controlPlane.resourceManager.containerApps.listSecrets(id)).find(
        ({ name }) => name === 'two',
      )?.value,
    ).toBe('rotated-secret-value');

    const { ingress: _ingress, secret: _secret, identity: _identity, ...minimalApp } = changedApp;
    await workspace.write(
      configWith({
        ...base,
        azurerm_container_app: {
          app: {
            ...minimalApp,
            template: { container: [{ name: 'c', image: 'img:2', cpu: 0.5, memory: '1Gi' }] },
          },
        },
      }),
    );
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('5 destroyed');
  });

  test('a changed location replaces the resources; an imported app has no changes', async () => {
    await workspace.write(configWith(base));
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    const group = `/subscriptions/${subscriptionId}/resourceGroups/rg-one`;
    const ids: Record<string, string> = {
      'azurerm_resource_group.rg': group,
      'azurerm_log_analytics_workspace.logs': `${group}/providers/Microsoft.OperationalInsights/workspaces/logs-one`,
      'azurerm_user_assigned_identity.id': `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/identity-one`,
      'azurerm_container_app_environment.env': `${group}/providers/Microsoft.App/managedEnvironments/env-one`,
      'azurerm_container_app.app': `${group}/providers/Microsoft.App/containerApps/storefront`,
    };
    for (const [address, id] of Object.entries(ids)) {
      await workspace.succeed('state', 'rm', address);
      await workspace.succeed('import', address, id);
    }
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(
      await workspace.fail(
        'import',
        'azurerm_container_app.app',
        ids['azurerm_container_app.app']?.replace('containerApps', 'containerapps') ?? '',
      ),
    ).toContain('Error');
    await workspace.write(
      configWith({
        ...base,
        azurerm_resource_group: { rg: { name: 'rg-one', location: 'northeurope' } },
      }),
    );
    const plan = await workspace.succeed('plan');
    expect(plan).toContain('# forces replacement');
    expect(plan).toMatch(/Plan: 4 to add, 0 to change, 4 to destroy/);
  });

  test('an app gets custom domains, keeps them when it changes, and loses a removed one', async () => {
    const certificate = '${azurerm_container_app_environment.env.id}/certificates/shop';
    const domains = {
      shop: {
        name: 'shop.contoso.example',
        container_app_id: '${azurerm_container_app.app.id}',
        certificate_binding_type: 'SniEnabled',
        container_app_environment_certificate_id: certificate,
      },
      plain: {
        name: 'plain.contoso.example',
        container_app_id: '${azurerm_container_app.app.id}',
        certificate_binding_type: 'Disabled',
      },
    };
    const withDomains = { ...base, azurerm_container_app_custom_domain: domains };
    await workspace.write(configWith(withDomains));
    await workspace.succeed('init');
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('7 added');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    const state = await workspace.state();
    const appId = String(state['azurerm_container_app.app']?.['id']);
    expect(state['azurerm_container_app_custom_domain.shop']).toMatchObject({
      id: `${appId}/customDomainName/shop.contoso.example`,
      certificate_binding_type: 'SniEnabled',
      container_app_environment_certificate_id: expect.stringMatching(
        /\/managedEnvironments\/env-one\/certificates\/shop$/,
      ) as string,
    });

    const changedApp = { ...app, template: { ...app.template, max_replicas: 2 } };
    const { plain: _plain, ...remainingDomains } = domains;
    await workspace.write(
      configWith({
        ...withDomains,
        azurerm_container_app: { app: changedApp },
        azurerm_container_app_custom_domain: remainingDomains,
      }),
    );
    expect(await workspace.succeed('apply', '-auto-approve')).toContain(
      '0 added, 1 changed, 1 destroyed',
    );
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    const keptApp = await controlPlane.resourceManager.containerApps.get(appId);
    expect(keptApp.properties?.configuration?.ingress).toMatchObject({
      customDomains: [{ name: 'shop.contoso.example', bindingType: 'SniEnabled' }],
    });
    expect(await controlPlane.resourceManager.containerApps.listSecrets(appId)).toHaveLength(2);

    const address = 'azurerm_container_app_custom_domain.shop';
    await workspace.succeed('state', 'rm', address);
    expect(flat(await workspace.fail('apply', '-auto-approve'))).toContain('already exists');
    await workspace.succeed('import', address, `${appId}/customDomainName/shop.contoso.example`);
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('6 destroyed');
  });

  test('an app without ingress gets no custom domain', async () => {
    const { ingress: _ingress, ...appWithoutIngress } = app;
    const domain = {
      name: 'shop.contoso.example',
      container_app_id: '${azurerm_container_app.app.id}',
    };
    await workspace.write(
      configWith({
        ...base,
        azurerm_container_app: { app: appWithoutIngress },
        azurerm_container_app_custom_domain: { domain },
      }),
    );
    await workspace.succeed('init');
    expect(flat(await workspace.fail('apply', '-auto-approve'))).toContain(
      'has no Ingress configuration for Custom Domains',
    );
  });

  test('existing resources are not adopted, and a group with resources is not deleted', async () => {
    await workspace.write(
      configWith({ azurerm_resource_group: { rg: { name: 'rg-one', location: 'westeurope' } } }),
    );
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    await controlPlane.resourceManager.identities.createOrUpdate(
      `/subscriptions/${subscriptionId}/resourceGroups/rg-one/providers/Microsoft.ManagedIdentity/userAssignedIdentities/other`,
      { location: 'westeurope' },
    );
    expect(await workspace.fail('destroy', '-auto-approve')).toContain('still contains Resources');
    await workspace.write(
      configWith({
        azurerm_resource_group: {
          rg: { name: 'rg-one', location: 'westeurope' },
          again: { name: 'rg-one', location: 'westeurope' },
        },
      }),
    );
    expect((await workspace.fail('apply', '-auto-approve')).replaceAll(/\s+/g, ' ')).toContain(
      'needs to be imported into the State',
    );
  });
});
