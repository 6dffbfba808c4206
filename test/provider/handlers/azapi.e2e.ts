import {
  configWith,
  type ControlPlane,
  startControlPlane,
  subscriptionId,
} from '../support/control-plane.js';
import { createWorkspace, type Workspace } from '../support/terraform.js';

const appId = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.App/containerApps/app`;
const environmentId = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.App/managedEnvironments/env`;
const type = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
const body = {
  properties: {
    platform: { enabled: true },
    globalValidation: {
      unauthenticatedClientAction: 'RedirectToLoginPage',
      redirectToProvider: 'github',
      excludedPaths: ['/healthz', '/public/*'],
    },
    identityProviders: {
      gitHub: {
        enabled: true,
        registration: { clientId: 'id-1', clientSecretSettingName: 'secret' },
        login: { scopes: ['read:user'] },
      },
    },
    login: { tokenStore: { enabled: true, tokenRefreshExtensionHours: 72 } },
  },
};
const authResource = (changes: object = {}): object => ({
  azapi_resource: { auth: { type, name: 'current', parent_id: appId, body, ...changes } },
});
const normalizeSpaces = (text: string): string => text.replaceAll(/[\s│]+/g, ' ');

describe('azapi in the sandbox', () => {
  let controlPlane: ControlPlane;
  let workspace: Workspace;

  beforeEach(async () => {
    controlPlane = await startControlPlane({ services: ['resource-manager'] });
    workspace = await createWorkspace(controlPlane.env);
    const group = `/subscriptions/${subscriptionId}/resourceGroups/rg`;
    await controlPlane.resourceManager.resourceGroups.createOrUpdate(group, {
      location: 'westeurope',
    });
    await controlPlane.resourceManager.managedEnvironments.createOrUpdate(environmentId, {
      location: 'westeurope',
      properties: {},
    });
    const template = {
      containers: [{ name: 'c', image: 'i', resources: { cpu: 0.25, memory: '0.5Gi' } }],
    };
    await controlPlane.resourceManager.containerApps.createOrUpdate(appId, {
      location: 'westeurope',
      properties: {
        managedEnvironmentId: environmentId,
        configuration: { secrets: [{ name: 'secret', value: 'very-secret' }] },
        template,
      },
    });
  });
  afterEach(async () => {
    await workspace.remove();
    await controlPlane.close();
  });

  const storedProperties = async (): Promise<unknown> =>
    (await controlPlane.resourceManager.authConfigs.get(`${appId}/authConfigs/current`)).properties;

  test('a resource of azurerm becomes one of azapi by a moved block', async () => {
    const parent = `/subscriptions/${subscriptionId}/resourceGroups/rg`;
    const identity = { name: 'worker', location: 'westeurope' };
    await workspace.write(
      configWith({
        azurerm_user_assigned_identity: { a: { ...identity, resource_group_name: 'rg' } },
      }),
    );
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    const moved = { from: 'azurerm_user_assigned_identity.a', to: 'azapi_resource.a' };
    const resource = {
      type: 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30',
      ...identity,
      parent_id: parent,
      body: {},
    };
    await workspace.write(configWith({ azapi_resource: { a: resource } }, { moved: [moved] }));
    const output = await workspace.succeed('apply', '-auto-approve');
    expect(output).toContain('has moved to azapi_resource.a');
    expect(output).toContain('0 added, ');
    expect(output).toContain(' 0 destroyed');
    expect(await workspace.succeed('plan')).toContain('No changes');
  });

  test('puts exactly the body, then plans no changes, updates, replaces and destroys', async () => {
    await workspace.write(
      configWith(authResource(), { output: { id: { value: '${azapi_resource.auth.output.id}' } } }),
    );
    await workspace.succeed('init');
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 added');
    expect(await storedProperties()).toEqual(body.properties);
    expect(await workspace.outputs()).toEqual({ id: `${appId}/authConfigs/current` });
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    await workspace.write(
      configWith(
        authResource({
          body: { properties: { ...body.properties, platform: { enabled: false } } },
        }),
      ),
    );
    const plan = await workspace.succeed('plan');
    expect(normalizeSpaces(plan)).toContain('enabled = true -> false');
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('1 destroyed');
  });

  test('a removed property is no change, an explicit null is; another api-version alone is none', async () => {
    await workspace.write(configWith(authResource()));
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    const { globalValidation: _removed, ...rest } = body.properties;
    await workspace.write(
      configWith(
        authResource({
          body: { properties: rest },
          type: type.replace('2025-07-01', '2025-01-01'),
        }),
      ),
    );
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    await workspace.write(
      configWith(authResource({ body: { properties: { ...rest, globalValidation: null } } })),
    );
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('drift is detected; letter case matters unless it is ignored', async () => {
    await workspace.write(configWith(authResource()));
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    const driftedBody = {
      properties: {
        ...body.properties,
        globalValidation: { ...body.properties.globalValidation, redirectToProvider: 'GitHub' },
      },
    };
    await controlPlane.resourceManager.authConfigs.createOrUpdate(
      `${appId}/authConfigs/current`,
      driftedBody,
    );
    expect(normalizeSpaces(await workspace.succeed('plan'))).toContain('"GitHub" -> "github"');
    await workspace.write(configWith(authResource({ ignore_casing: true })));
    await workspace.succeed('apply', '-auto-approve');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('an import has no changes', async () => {
    await controlPlane.resourceManager.authConfigs.createOrUpdate(
      `${appId}/authConfigs/current`,
      body,
    );
    await workspace.write(configWith(authResource()));
    await workspace.succeed('init');
    expect(normalizeSpaces(await workspace.fail('apply', '-auto-approve'))).toContain(
      'needs to be imported into the State',
    );
    await workspace.succeed(
      'import',
      'azapi_resource.auth',
      `${appId}/authConfigs/current?api-version=2025-07-01`,
    );
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('mistakes in the body are all named at once, booleans too', async () => {
    const invalidBody = {
      properties: {
        platform: { enabled: 'yes' },
        globalValidation: { unauthenticatedClientAction: 'Redirect' },
        identityProviders: { azureActiveDirectory: { registration: { clientID: 'x' } } },
        login: { tokenStore: { tokenRefreshExtensionHours: '72', azureBlobStorage: {} } },
      },
    };
    await workspace.write(configWith(authResource({ body: invalidBody })));
    await workspace.succeed('init');
    const output = normalizeSpaces(await workspace.fail('validate'));
    for (const text of [
      '`properties.platform.enabled` is invalid, expect `bool`',
      "`properties.globalValidation.unauthenticatedClientAction`'s value `Redirect` is invalid. The supported values are [RedirectToLoginPage, AllowAnonymous, Return401, Return403]",
      '`properties.identityProviders.azureActiveDirectory.registration.clientID` is not expected here. Do you mean `properties.identityProviders.azureActiveDirectory.registration.clientId`?',
      '`properties.login.tokenStore.tokenRefreshExtensionHours` is invalid, expect `integer`',
      '`properties.login.tokenStore.azureBlobStorage.sasUrlSettingName` is required, but no definition was found',
    ])
      expect(output).toContain(text);
    await workspace.write(
      configWith(authResource({ body: invalidBody, schema_validation_enabled: false })),
    );
    await workspace.succeed('validate');
  });

  test('secrets of sensitive_body are sent and not stored', async () => {
    const { identityProviders, ...rest } = body.properties;
    await workspace.write(
      configWith(
        authResource({
          body: { properties: rest },
          sensitive_body: { properties: { identityProviders } },
        }),
      ),
    );
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    expect(await storedProperties()).toEqual(body.properties);
    expect(JSON.stringify((await workspace.state())['azapi_resource.auth'])).not.toContain('id-1');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('a changed sensitive_body is planned as a changed output, and sent', async () => {
    const write = (clientId: string, sensitive: object = {}): Promise<void> => {
      const { identityProviders: _providers, ...rest } = body.properties;
      const { gitHub } = body.properties.identityProviders;
      const registration = { ...gitHub.registration, clientId };
      return workspace.write(
        configWith(
          authResource({
            body: { properties: rest },
            sensitive_body: {
              properties: { identityProviders: { gitHub: { ...gitHub, registration } } },
            },
            ...sensitive,
          }),
        ),
      );
    };
    await write('first');
    await workspace.succeed('init');
    await workspace.succeed('apply', '-auto-approve');
    await write('second');
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('~ output');
    expect(JSON.stringify(await storedProperties())).toContain('second');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    await write('third', { sensitive_body_version: { 'properties.identityProviders': '1' } });
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed');
    await write('fourth', { sensitive_body_version: { 'properties.identityProviders': '1' } });
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('data sources, actions and updates of existing resources', async () => {
    await workspace.write(
      configWith(
        {
          ...authResource(),
          azapi_update_resource: {
            env: {
              type: 'Microsoft.App/managedEnvironments@2025-07-01',
              resource_id: environmentId,
              body: { tags: { team: 'a' } },
            },
          },
          azapi_resource_action: {
            secrets: {
              type: 'Microsoft.App/containerApps@2025-07-01',
              resource_id: appId,
              action: 'listSecrets',
              sensitive_response_export_values: ['value'],
            },
          },
        },
        {
          data: {
            azapi_resource: {
              app: {
                type: 'Microsoft.App/containerApps@2025-07-01',
                resource_id: appId,
                response_export_values: { fqdn: 'properties.managedEnvironmentId' },
              },
            },
            azapi_resource_id: {
              app: { type: 'Microsoft.App/containerApps@2025-07-01', resource_id: appId },
            },
            azapi_client_config: { me: {} },
          },
          output: {
            env: { value: '${data.azapi_resource.app.output.fqdn}' },
            group: { value: '${data.azapi_resource_id.app.resource_group_name}' },
          },
        },
      ),
    );
    await workspace.succeed('init');
    expect(await workspace.succeed('apply', '-auto-approve')).not.toContain('very-secret');
    expect(await workspace.outputs()).toMatchObject({
      group: 'rg',
      env: expect.stringContaining('managedEnvironments/env') as string,
    });
    expect(
      (await controlPlane.resourceManager.managedEnvironments.get(environmentId)).tags,
    ).toEqual({
      team: 'a',
    });
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    await workspace.succeed('destroy', '-auto-approve');
  });
});
