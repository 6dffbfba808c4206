import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import {
  App,
  AzapiProvider,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
  Eventhouse,
  Eventstream,
  FabricProvider,
  Registration,
  SecurityGroup,
  User,
  Workspace,
} from '../../constructs/index.js';
import { TerraformIterator } from '../../constructs/internal/cdktf.js';
import { synthesized, westEurope } from './support/synthesized.js';

const ada = '11111111-1111-4222-8333-444455556666';

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
    const commonArguments = {
      provider: 'azuread.partner',
      depends_on: ['azuread_group.raw', 'azuread_group.first'],
    };
    expect(resource).toMatchObject({
      azuread_group: { raw: { depends_on: ['azuread_group.first'] } },
      azuread_application: {
        login: {
          ...commonArguments,
          owners: ['${data.azuread_client_config.caller-partner.object_id}'],
          lifecycle: { ignore_changes: ['web[0].redirect_uris'], prevent_destroy: true },
        },
      },
      azuread_service_principal: { login: commonArguments },
      azuread_application_password: {
        login: { ...commonArguments, lifecycle: { create_before_destroy: true } },
      },
    });
    expect(data['azuread_client_config']).toEqual({
      'caller-partner': { provider: 'azuread.partner' },
    });
    expect(provider).toEqual({ azuread: [{ alias: 'partner', tenant_id: ada }, {}] });
  });

  it('make a stack depend on the other stack that dependsOn refers to', () => {
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

  it('create the resources of a construct for each entry of a map, by for_each', () => {
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

  it('give the alias of a provider to all of its resources and data sources, for each kind', () => {
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
      Object.entries(all).flatMap(([type, byName]) =>
        Object.entries(byName).map(
          ([name, { provider }]) => [`${type}.${name}`, provider] as const,
        ),
      ),
    );
    const others = blocks.filter(([, provider]) => !String(provider).endsWith('.partner'));
    expect(blocks.length).toBeGreaterThan(12);
    // the resource group is the stack's, and other constructs of the stack use it, too
    expect(others.map(([address]) => address)).toEqual(['azurerm_resource_group.shop']);
  });

  it('take a list of providers, of which each resource gets that of its type', () => {
    const { resource } = synthesized((stack) => {
      const azurerm = new AzurermProvider(stack, 'other', { alias: 'other', features: [{}] });
      new ContainerApp(stack, 'web', { image: 'nginx:1', provider: [azurerm] });
    }, westEurope);
    expect(resource['azurerm_container_app']?.['web']?.['provider']).toBe('azurerm.other');
  });
});
