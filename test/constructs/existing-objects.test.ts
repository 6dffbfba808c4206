import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import {
  App,
  CloudSettings,
  ContainerApp,
  ContainerAppEnvironment,
  Eventhouse,
  Eventstream,
  Group,
  Registration,
  Secret,
  SecurityGroup,
  ServicePrincipal,
  User,
  Workspace,
} from '../../constructs/index.js';
import { TerraformStack, TerraformVariable } from '../../constructs/internal/cdktf.js';
import { synthesized } from './support/synthesized.js';

const someObjectId = '11111111-1111-4222-8333-444455556666';
const sharedEnvironmentId =
  '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/rg-shared/providers/Microsoft.App/managedEnvironments/cae-shared';

describe('objects that exist already', () => {
  it('are looked up by name, or known by id', () => {
    const { resource, data } = synthesized((stack) => {
      new SecurityGroup(stack, 'g', {
        displayName: 'G',
        owners: [
          User.fromPrincipalName(stack, 'grace', 'grace@contoso.example'),
          User.fromObjectId(stack, 'ada', someObjectId.toUpperCase()),
        ],
        members: [
          Group.fromDisplayName(stack, 'staff', 'Staff', { kind: 'security' }),
          Group.fromObjectId(stack, 'guests', someObjectId),
          ServicePrincipal.fromApplicationId(stack, 'robot', someObjectId),
          ServicePrincipal.fromDisplayName(stack, 'pipeline', 'Pipeline'),
          ServicePrincipal.fromObjectId(stack, 'other', someObjectId),
        ],
      });
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      owners: ['${data.azuread_user.grace.object_id}', someObjectId],
      members: [
        '${data.azuread_group.staff.object_id}',
        someObjectId,
        '${data.azuread_service_principal.robot.object_id}',
        '${data.azuread_service_principal.pipeline.object_id}',
        someObjectId,
      ],
    });
    expect(data).toEqual({
      azuread_user: { grace: { user_principal_name: 'grace@contoso.example' } },
      azuread_group: { staff: { display_name: 'Staff', mail_enabled: false } },
      azuread_service_principal: {
        robot: { client_id: someObjectId },
        pipeline: { display_name: 'Pipeline' },
      },
    });
  });

  it('are refused by a text that is not an object id, at the line of the call', () => {
    const stack = new TerraformStack(new App(), 'shop');
    expect(() => User.fromObjectId(stack, 'ada', 'ada@contoso.example')).toThrow(
      /"ada@contoso.example" is not an object id/,
    );
    const staff = Group.fromDisplayName(stack, 'staff', 'Staff') as unknown as {
      creationLocation: { file: string };
    };
    expect(staff.creationLocation.file).toBe(__filename);
  });

  it('may be an object id with its type in a role of a workspace', () => {
    const { resource } = synthesized((stack) => {
      const principal = { objectId: someObjectId, principalType: 'User' } as const;
      new Workspace(stack, 'w', { displayName: 'W' }).grant(principal, 'Viewer');
    });
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})).toEqual([
      {
        workspace_id: '${fabric_workspace.w.id}',
        principal: { id: someObjectId, type: 'User' },
        role: 'Viewer',
      },
    ]);
  });

  it('may be resources of the plain bindings, and values known only after apply', () => {
    const { resource } = synthesized((stack) => {
      const plainGroup = new AzureadGroup(stack, 'raw', {
        displayName: 'Raw',
        securityEnabled: true,
      });
      const id = new TerraformVariable(stack, 'id', { type: 'string' }).stringValue as string;
      new SecurityGroup(stack, 'g', {
        displayName: 'G',
        members: [plainGroup, User.fromObjectId(stack, 'ada', id), { objectId: someObjectId }],
      });
      new Workspace(stack, 'w', { displayName: 'W' }).grant(plainGroup, 'Viewer');
    });
    expect(resource['azuread_group']?.['g']?.['members']).toEqual([
      '${azuread_group.raw.object_id}',
      '${var.id}',
      someObjectId,
    ]);
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})).toEqual([
      {
        workspace_id: '${fabric_workspace.w.id}',
        principal: { id: '${azuread_group.raw.object_id}', type: 'Group' },
        role: 'Viewer',
      },
    ]);
  });

  it('may be workspaces and eventhouses', () => {
    const { resource, data } = synthesized((stack) => {
      const workspace = Workspace.fromWorkspaceId(stack, 'w', someObjectId);
      new Eventhouse(stack, 'e', { workspace, displayName: 'e' });
      new Eventhouse(stack, 'f', {
        workspace: Workspace.fromDisplayName(stack, 'named', 'Named'),
        displayName: 'f',
      });
      const eventhouse = Eventhouse.fromItemId(stack, 'h', {
        workspaceId: someObjectId,
        itemId: someObjectId,
      });
      new Eventstream(stack, 's', {
        workspace,
        displayName: 's',
        definition: {
          sources: [{ name: 'web', type: 'CustomEndpoint' }],
          destinations: [{ name: 'store', type: 'Eventhouse', eventhouse, inputNodes: ['web'] }],
        },
      });
    });
    expect(resource['fabric_eventhouse']).toMatchObject({
      e: { workspace_id: someObjectId },
      f: { workspace_id: '${data.fabric_workspace.named.id}' },
    });
    expect(data['fabric_workspace']).toEqual({ named: { display_name: 'Named' } });
    expect(JSON.stringify(resource['fabric_eventstream'])).toContain(
      `\\"itemId\\" = \\"${someObjectId}\\"`,
    );
  });

  it('may be environments, whose domain is looked up where it is used', () => {
    const { resource, data } = synthesized(
      (stack) => {
        const environment = ContainerAppEnvironment.fromId(stack, 'shared', sharedEnvironmentId);
        new ContainerApp(stack, 'worker', { image: 'nginx:1', environment });
        const registration = new Registration(stack, 'login', { displayName: 'L' });
        new ContainerApp(stack, 'web', {
          image: 'nginx:1',
          targetPort: 80,
          environment,
          auth: { providers: { directory: { registration } } },
        });
      },
      { azure: { tenantId: someObjectId } },
    );
    expect(resource['azurerm_container_app']?.['worker']).toMatchObject({
      container_app_environment_id: sharedEnvironmentId,
      resource_group_name: 'rg-shared',
    });
    expect(resource).not.toHaveProperty('azurerm_container_app_environment');
    expect(resource).not.toHaveProperty('azurerm_resource_group');
    expect(data['azurerm_container_app_environment']).toEqual({
      shared: { name: 'cae-shared', resource_group_name: 'rg-shared' },
    });
    expect(() =>
      ContainerAppEnvironment.fromId(new TerraformStack(new App(), 'x'), 'e', 'cae-shared'),
    ).toThrow(/is not the resource id of an environment/);
  });

  it('may be registrations, which need a secret', () => {
    const { resource } = synthesized((stack) => {
      const registration = Registration.fromClientId(stack, 'login', someObjectId);
      const app = new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: 80,
        auth: {
          providers: {
            directory: { registration, clientSecret: Secret.fromEnvironment('LOGIN') },
          },
        },
      });
      expect(app.declaration.value).toMatchObject({
        auth: {
          providers: { directory: { clientId: someObjectId, clientSecret: '${env:LOGIN}' } },
        },
      });
    });
    expect(resource['azapi_resource']?.['web']).toMatchObject({
      body: {
        properties: {
          identityProviders: { azureActiveDirectory: { registration: { clientId: someObjectId } } },
        },
      },
    });
    expect(resource).not.toHaveProperty('azuread_application_redirect_uris');
  });
});

describe('the resource group of container apps', () => {
  const groupsOf = (declared: ReturnType<typeof synthesized>) => [
    declared.resource['azurerm_resource_group'],
    declared.resource['azurerm_container_app']?.['web']?.['resource_group_name'],
    Object.values(declared.resource['azurerm_container_app_environment'] ?? {}).map((each) => [
      each['resource_group_name'],
      each['location'],
    ]),
  ];

  it('may exist already', () => {
    const declared = synthesized((stack) => new ContainerApp(stack, 'web', { image: 'nginx:1' }), {
      azure: { location: 'westeurope', resourceGroup: { existing: 'rg' } },
    });
    expect(groupsOf(declared)).toEqual([undefined, 'rg', [['rg', 'westeurope']]]);
  });

  it('gives its location where the stack has none', () => {
    const declared = synthesized((stack) => new ContainerApp(stack, 'web', { image: 'nginx:1' }), {
      azure: { resourceGroup: { existing: 'rg' } },
    });
    const [name] = Object.keys(declared.data['azurerm_resource_group'] ?? {});
    expect(declared.data['azurerm_resource_group']).toEqual({ [String(name)]: { name: 'rg' } });
    expect(groupsOf(declared)).toEqual([
      undefined,
      'rg',
      [['rg', `\${data.azurerm_resource_group.${String(name)}.location}`]],
    ]);
  });

  it.each<[string, (raw: ResourceGroup, app: object) => object]>([
    ['as a prop of the app', (resourceGroup) => ({ resourceGroup })],
    [
      'as a setting of the stack',
      (resourceGroup) => {
        CloudSettings.of(resourceGroup).set({ resourceGroup });
        return {};
      },
    ],
    [
      'by an interface',
      ({ name, location }) => ({ resourceGroup: { resourceGroupName: name, location } }),
    ],
  ])('may be one of the plain bindings in the same stack, %s', (_how, props) => {
    const declared = synthesized((stack) => {
      const raw = new ResourceGroup(stack, 'rg', { name: 'rg-shop', location: 'northeurope' });
      new ContainerApp(stack, 'web', { image: 'nginx:1', ...props(raw, {}) });
    }, {});
    expect(groupsOf(declared)).toEqual([
      { rg: { name: 'rg-shop', location: 'northeurope' } },
      '${azurerm_resource_group.rg.name}',
      [['${azurerm_resource_group.rg.name}', '${azurerm_resource_group.rg.location}']],
    ]);
  });

  it('is that of an environment with one of its own', () => {
    const declared = synthesized((stack) => {
      const environment = new ContainerAppEnvironment(stack, 'own', {
        resourceGroup: { existing: 'rg-own' },
      });
      new ContainerApp(stack, 'web', { image: 'nginx:1', environment });
    });
    expect(groupsOf(declared)).toEqual([undefined, 'rg-own', [['rg-own', 'westeurope']]]);
  });

  it('is set before it is used', () => {
    const stack = new TerraformStack(new App(), 'shop');
    CloudSettings.of(stack).set({ location: 'westeurope' });
    new ContainerApp(stack, 'web', { image: 'nginx:1' });
    expect(() => CloudSettings.of(stack).set({ resourceGroup: 'rg' })).toThrow(
      /the cloud settings of shop were used by shop\/\S+ before they were set/,
    );
  });
});
