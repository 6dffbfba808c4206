import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import {
  App,
  AzapiProvider,
  CastellanStack,
  CloudSettings,
  ContainerApp,
  ContainerAppEnvironment,
  Eventhouse,
  Eventstream,
  FabricProvider,
  Group,
  Registration,
  Secret,
  SecurityGroup,
  ServicePrincipal,
  User,
  Workspace,
} from '../../constructs/index.js';
import {
  TerraformIterator,
  TerraformStack,
  TerraformVariable,
} from '../../constructs/internal/cdktf.js';
import { checkTree } from '../../constructs/stack/declared-tree.js';
import { synthesized, westEurope } from './support/synthesized.js';

const ada = '11111111-1111-4222-8333-444455556666';
const shared =
  '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/rg-shared/providers/Microsoft.App/managedEnvironments/cae-shared';

describe('objects that exist already', () => {
  it('are looked up by name, or known by id', () => {
    const { resource, data } = synthesized((stack) => {
      new SecurityGroup(stack, 'g', {
        displayName: 'G',
        owners: [
          User.fromPrincipalName(stack, 'grace', 'grace@contoso.example'),
          User.fromObjectId(stack, 'ada', ada.toUpperCase()),
        ],
        members: [
          Group.fromDisplayName(stack, 'staff', 'Staff', { kind: 'security' }),
          Group.fromObjectId(stack, 'guests', ada),
          ServicePrincipal.fromApplicationId(stack, 'robot', ada),
          ServicePrincipal.fromDisplayName(stack, 'pipeline', 'Pipeline'),
          ServicePrincipal.fromObjectId(stack, 'other', ada),
        ],
      });
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      owners: ['${data.azuread_user.grace.object_id}', ada],
      members: [
        '${data.azuread_group.staff.object_id}',
        ada,
        '${data.azuread_service_principal.robot.object_id}',
        '${data.azuread_service_principal.pipeline.object_id}',
        ada,
      ],
    });
    expect(data).toEqual({
      azuread_user: { grace: { user_principal_name: 'grace@contoso.example' } },
      azuread_group: { staff: { display_name: 'Staff', mail_enabled: false } },
      azuread_service_principal: {
        robot: { client_id: ada },
        pipeline: { display_name: 'Pipeline' },
      },
    });
  });

  it('are refused by a text that is no object id, at the line of the call', () => {
    const stack = new TerraformStack(new App(), 'shop');
    expect(() => User.fromObjectId(stack, 'ada', 'ada@contoso.example')).toThrow(
      /"ada@contoso.example" is no object id/,
    );
    const staff = Group.fromDisplayName(stack, 'staff', 'Staff') as unknown as {
      createdAt: { file: string };
    };
    expect(staff.createdAt.file).toBe(__filename);
  });

  it('may be an object id with its type in a role of a workspace', () => {
    const { resource } = synthesized((stack) => {
      const principal = { objectId: ada, principalType: 'User' } as const;
      new Workspace(stack, 'w', { displayName: 'W' }).grant(principal, 'Viewer');
    });
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})).toEqual([
      {
        workspace_id: '${fabric_workspace.w.id}',
        principal: { id: ada, type: 'User' },
        role: 'Viewer',
      },
    ]);
  });

  it('may be resources of the plain bindings, and values known only after apply', () => {
    const { resource } = synthesized((stack) => {
      const raw = new AzureadGroup(stack, 'raw', { displayName: 'Raw', securityEnabled: true });
      const id = new TerraformVariable(stack, 'id', { type: 'string' }).stringValue as string;
      new SecurityGroup(stack, 'g', {
        displayName: 'G',
        members: [raw, User.fromObjectId(stack, 'ada', id), { objectId: ada }],
      });
      new Workspace(stack, 'w', { displayName: 'W' }).grant(raw, 'Viewer');
    });
    expect(resource['azuread_group']?.['g']?.['members']).toEqual([
      '${azuread_group.raw.object_id}',
      '${var.id}',
      ada,
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
      const workspace = Workspace.fromWorkspaceId(stack, 'w', ada);
      new Eventhouse(stack, 'e', { workspace, displayName: 'e' });
      new Eventhouse(stack, 'f', {
        workspace: Workspace.fromDisplayName(stack, 'named', 'Named'),
        displayName: 'f',
      });
      const eventhouse = Eventhouse.fromItemId(stack, 'h', { workspaceId: ada, itemId: ada });
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
      e: { workspace_id: ada },
      f: { workspace_id: '${data.fabric_workspace.named.id}' },
    });
    expect(data['fabric_workspace']).toEqual({ named: { display_name: 'Named' } });
    expect(JSON.stringify(resource['fabric_eventstream'])).toContain(`\\"itemId\\" = \\"${ada}\\"`);
  });

  it('may be environments, whose domain is looked up where it is used', () => {
    const { resource, data } = synthesized(
      (stack) => {
        const environment = ContainerAppEnvironment.fromId(stack, 'shared', shared);
        new ContainerApp(stack, 'worker', { image: 'nginx:1', environment });
        const registration = new Registration(stack, 'login', { displayName: 'L' });
        new ContainerApp(stack, 'web', {
          image: 'nginx:1',
          targetPort: 80,
          environment,
          auth: { providers: { directory: { registration } } },
        });
      },
      { azure: { tenantId: ada } },
    );
    expect(resource['azurerm_container_app']?.['worker']).toMatchObject({
      container_app_environment_id: shared,
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
      const registration = Registration.fromClientId(stack, 'login', ada);
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
        auth: { providers: { directory: { clientId: ada, clientSecret: '${env:LOGIN}' } } },
      });
    });
    expect(resource['azapi_resource']?.['web']).toMatchObject({
      body: {
        properties: {
          identityProviders: { azureActiveDirectory: { registration: { clientId: ada } } },
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

describe('methods of constructs', () => {
  it('add members and owners, which are judged', () => {
    const { resource } = synthesized((stack) => {
      const group = new SecurityGroup(stack, 'g', { displayName: 'G' });
      group.addMember(User.fromObjectId(stack, 'ada', ada));
      group.addOwner(User.fromPrincipalName(stack, 'grace', 'grace@contoso.example'));
      group.addOwner(ada);
      expect(group.declaration.value).toMatchObject({ members: ['ada'], owners: ['grace', ada] });
      expect(checkTree(stack).filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      members: [ada],
      owners: ['${data.azuread_user.grace.object_id}', ada],
    });
  });

  it('refuse members that follow from a rule', () => {
    const stack = new TerraformStack(new App(), 'shop');
    const group = new SecurityGroup(stack, 'g', {
      displayName: 'G',
      dynamicMembership: { rule: 'user.department -eq "Retail"' },
    });
    expect(() => group.addMember(ada)).toThrow(/follow from a rule/);
  });

  it('grant access to an app, and name the group in tokens', () => {
    const { resource } = synthesized((stack) => {
      const registration = new Registration(stack, 'login', { displayName: 'L' });
      const app = new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: 80,
        auth: { providers: { directory: { registration } } },
      });
      app.grantAccess(new SecurityGroup(stack, 'shoppers', { displayName: 'Shoppers' }));
      app.grantAccess(User.fromObjectId(stack, 'ada', ada));
      expect(app.declaration.value).toMatchObject({
        auth: {
          providers: { directory: { allowedGroups: ['shoppers'], allowedPrincipals: ['ada'] } },
        },
      });
    });
    expect(JSON.stringify(resource['azapi_resource'])).toContain(
      '"allowedPrincipals":{"groups":["${azuread_group.shoppers.object_id}"],"identities":["' + ada,
    );
    expect(resource['azuread_application_registration']?.['login']).toMatchObject({
      group_membership_claims: ['SecurityGroup'],
    });
  });

  it('refuse access to an app without sign-in', () => {
    const stack = new TerraformStack(new App(), 'shop');
    CloudSettings.of(stack).set({ location: 'westeurope' });
    const app = new ContainerApp(stack, 'web', { image: 'nginx:1' });
    expect(() => app.grantAccess({ objectId: ada })).toThrow(/has no sign-in with the directory/);
  });

  it('judge a redirect URI that is added', () => {
    const stack = new TerraformStack(new App(), 'shop');
    const login = new Registration(stack, 'login', { displayName: 'L' });
    login.addRedirectUri('http://evil.example/*');
    expect(() => (stack.node.root as App).synth()).toThrow(
      /error: .*\(registration-redirect-uris\)/,
    );
  });
});

describe('secrets', () => {
  it('come from the environment, a key vault, a variable, or a value known after apply', () => {
    const { resource, variable } = synthesized((stack) => {
      const own = new TerraformVariable(stack, 'own', { type: 'string', sensitive: true });
      new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        secrets: {
          a: Secret.fromEnvironment('A'),
          b: Secret.fromKeyVault('https://vault.example/secrets/b'),
          c: Secret.fromVariable(own),
          d: Secret.fromToken(own.stringValue as string),
        },
      });
    });
    expect(resource['azurerm_container_app']?.['web']?.['secret']).toEqual([
      { name: 'a', value: '${var.A}' },
      { name: 'b', key_vault_secret_id: 'https://vault.example/secrets/b', identity: 'System' },
      { name: 'c', value: '${var.own}' },
      { name: 'd', value: '${var.own}' },
    ]);
    expect(Object.keys(variable)).toEqual(['A', 'own']);
  });

  it('are never written out', () => {
    expect(() => Secret.fromToken('correct-horse')).toThrow(/a secret is written out/);
    expect(() => Secret.fromEnvironment('not a name')).toThrow(/not the name of an environment/);
    // @ts-expect-error -- a text may be the secret itself
    const written: Secret = '${env:NAME}';
    expect(written).toBeDefined();
  });
});

describe('meta-arguments', () => {
  it('reach every resource and data source of a construct', () => {
    const { resource, data, provider } = synthesized((stack) => {
      const partner = new AzureadProvider(stack, 'partner', { alias: 'partner', tenantId: ada });
      const first = new SecurityGroup(stack, 'first', { displayName: 'First', owners: [ada] });
      const raw = new AzureadGroup(stack, 'raw', {
        displayName: 'Raw',
        securityEnabled: true,
        dependsOn: [first],
      });
      new Registration(stack, 'login', {
        displayName: 'L',
        tags: ['a'],
        provider: partner,
        dependsOn: [raw, first],
        lifecycle: { preventDestroy: true },
      });
    }, {});
    const common = {
      provider: 'azuread.partner',
      depends_on: ['azuread_group.raw', 'azuread_group.first'],
    };
    expect(resource).toMatchObject({
      azuread_group: { raw: { depends_on: ['azuread_group.first'] } },
      azuread_application: {
        login: {
          ...common,
          owners: ['${data.azuread_client_config.caller-partner.object_id}'],
          lifecycle: { ignore_changes: ['web[0].redirect_uris'], prevent_destroy: true },
        },
      },
      azuread_service_principal: { login: common },
      azuread_application_password: {
        login: { ...common, lifecycle: { create_before_destroy: true } },
      },
    });
    expect(data['azuread_client_config']).toEqual({
      'caller-partner': { provider: 'azuread.partner' },
    });
    expect(provider).toEqual({ azuread: [{ alias: 'partner', tenant_id: ada }, {}] });
  });

  it('put the stack of a dependency before the own one', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-order-')) });
    const [first, second] = ['first', 'second'].map((id) => new CastellanStack(app, id));
    const group = new SecurityGroup(first as CastellanStack, 'a', { displayName: 'A' });
    new SecurityGroup(second as CastellanStack, 'b', { displayName: 'B', dependsOn: [group] });
    app.synth();
    const manifest = JSON.parse(readFileSync(join(app.outdir, 'manifest.json'), 'utf8')) as {
      readonly stacks: Readonly<Record<string, { readonly dependencies: readonly string[] }>>;
    };
    expect(manifest.stacks['second']?.dependencies).toEqual(['first']);
    expect(manifest.stacks['first']?.dependencies).toEqual([]);
    const text = readFileSync(join(app.outdir, 'stacks/second/cdk.tf.json'), 'utf8');
    expect(text).not.toContain('depends_on');
  });

  it('create a construct for each entry', () => {
    const { resource } = synthesized((stack) => {
      const teams = TerraformIterator.fromMap({ red: { name: 'Red' }, blue: { name: 'Blue' } });
      const group = new SecurityGroup(stack, 'team', {
        displayName: `Team ${teams.getString('name')}`,
        mailNickname: teams.key,
        owners: [ada],
        preferredLanguage: 'en-GB',
        forEach: teams,
      });
      expect(group.fqn).toContain('TfToken');
    }, {});
    expect(resource).toMatchObject({
      azuread_group: {
        team: {
          for_each: { red: { name: 'Red' }, blue: { name: 'Blue' } },
          display_name: 'Team ${each.value.name}',
        },
      },
      castellan_group_properties: {
        team: { group_object_id: '${azuread_group.team[each.key].object_id}' },
      },
    });
  });

  it('give the alias to everything that each kind of construct makes of the provider', () => {
    const { resource, data } = synthesized((stack) => {
      const [azuread, azurerm, azapi, fabric] = [
        new AzureadProvider(stack, 'p1', { alias: 'partner' }),
        new AzurermProvider(stack, 'p2', { alias: 'partner', features: [{}] }),
        new AzapiProvider(stack, 'p3', { alias: 'partner' }),
        new FabricProvider(stack, 'p4', { alias: 'partner' }),
      ];
      const provider = [azuread, azurerm, azapi, fabric];
      const user = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example', { provider });
      const group = new SecurityGroup(stack, 'g', { displayName: 'G', provider });
      const login = new Registration(stack, 'login', { displayName: 'L', provider });
      const environment = new ContainerAppEnvironment(stack, 'env', { provider });
      new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: 80,
        environment,
        auth: { providers: { directory: { registration: login, allowedGroups: [group] } } },
        provider,
      });
      const workspace = new Workspace(stack, 'w', { displayName: 'W', capacityId: ada, provider });
      workspace.grant(user, 'Viewer');
      const eventhouse = new Eventhouse(stack, 'e', { workspace, displayName: 'e', provider });
      new Eventstream(stack, 's', { workspace, displayName: 's', provider })
        .addSource({ name: 'in', type: 'CustomEndpoint' })
        .to({ name: 'out', type: 'Eventhouse', eventhouse });
    });
    const blocks = [resource, data].flatMap((all) =>
      Object.entries(all).flatMap(([type, named]) =>
        Object.entries(named).map(([name, { provider }]) => [`${type}.${name}`, provider] as const),
      ),
    );
    const others = blocks.filter(([, provider]) => !String(provider).endsWith('.partner'));
    expect(blocks.length).toBeGreaterThan(12);
    // that of the stack, which other constructs of the stack use, too
    expect(others.map(([address]) => address)).toEqual(['azurerm_resource_group.shop']);
  });

  it('take one provider of each kind', () => {
    const { resource } = synthesized((stack) => {
      const azurerm = new AzurermProvider(stack, 'other', { alias: 'other', features: [{}] });
      new ContainerApp(stack, 'web', { image: 'nginx:1', provider: [azurerm] });
    }, westEurope);
    expect(resource['azurerm_container_app']?.['web']?.['provider']).toBe('azurerm.other');
  });
});
