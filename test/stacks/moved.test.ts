import {
  type CastellanStack,
  ContainerApp,
  Group,
  SecurityGroup,
  Workspace,
} from '../../constructs/index.js';
import { Construct } from '../../constructs/internal/cdktf.js';
import { synthesized, type TerraformJson } from '../constructs/support/synthesized.js';
import { config, synthesizedConfig } from './support.js';

const movedIn = (json: TerraformJson): unknown => (json as unknown as { moved?: unknown }).moved;
const address = { location: 'westeurope', resourceGroup: 'rg-shop' } as const;

describe('the section moved', () => {
  it('writes a moved block for each resource of a renamed group, and keeps its mail nickname', () => {
    const { json } = synthesizedConfig(
      config({
        moved: [{ from: 'groups.old', to: 'groups.new' }],
        groups: {
          new: {
            displayName: 'New',
            kind: 'unified',
            settings: { 'Group.Unified.Guest': { AllowToAddGuests: false } },
          },
        },
      }),
    );
    expect(movedIn(json)).toEqual([
      { from: 'azuread_group.old', to: 'azuread_group.new' },
      {
        from: expect.stringMatching(/^castellan_group_settings\.old_settings-/) as string,
        to: expect.stringMatching(/^castellan_group_settings\.new_settings-/) as string,
      },
    ]);
    expect(json.resource['azuread_group']?.['new']).toMatchObject({ mail_nickname: 'old' });
  });

  it('moves a renamed resource from the address that it really had', () => {
    const group = {
      displayName: 'G',
      kind: 'unified',
      settings: { 'Group.Unified.Guest': { AllowToAddGuests: false } },
    } as const;
    const addressesOf = ({ resource }: TerraformJson) =>
      Object.entries(resource).flatMap(([type, each]) =>
        Object.keys(each).map((name) => `${type}.${name}`),
      );
    const configOfEverything = (name: string, otherSections: object = {}) =>
      config({
        ...otherSections,
        azure: address,
        principals: { ada: { user: 'ada@contoso.example' } },
        groups: { [`g${name}`]: group },
        registrations: { [`r${name}`]: { displayName: 'Login' } },
        workspaces: {
          [`w${name}`]: {
            displayName: 'W',
            capacityId: '11111111-2222-4333-8444-555555555555',
            roles: [
              { principal: `g${name}`, role: 'Viewer' },
              { principal: 'ada', role: 'Admin' },
            ],
          },
        },
        eventhouses: { [`h${name}`]: { displayName: 'H', workspace: `w${name}` } },
        environments: { [`e${name}`]: { logs: { retentionInDays: 30 } } },
        containerApps: {
          [`a${name}`]: {
            image: 'web:1',
            environment: `e${name}`,
            targetPort: 80,
            ingress: { external: true },
            customDomains: { 'shop.contoso.example': {} },
            auth: { providers: { directory: { registration: `r${name}` } } },
          },
        },
      });
    const [before] = synthesizedConfig(configOfEverything('-old')).all;
    const moved = [
      'groups.g',
      'registrations.r',
      'workspaces.w',
      'eventhouses.h',
      'environments.e',
      'containerApps.a',
    ].map((each) => ({ from: `${each}-old`, to: `${each}-new` }));
    const [after] = synthesizedConfig(configOfEverything('-new', { moved })).all;
    const blocks = movedIn(after as TerraformJson) as { from: string; to: string }[];
    const oldAddresses = new Map(blocks.map(({ from, to }) => [to, from]));
    expect(
      addressesOf(after as TerraformJson)
        .map((each) => oldAddresses.get(each) ?? each)
        .sort(),
    ).toEqual(addressesOf(before as TerraformJson).sort());
    expect(JSON.stringify(after?.resource)).toContain('"name":"a-old"');
  });

  it('writes one block for each step of a declaration that was renamed several times', () => {
    const { json } = synthesizedConfig(
      config({
        moved: [
          { from: 'groups.a', to: 'groups.b' },
          { from: 'groups.b', to: 'groups.c' },
        ],
        groups: { c: { displayName: 'C', kind: 'security' } },
      }),
    );
    expect(movedIn(json)).toEqual([
      { from: 'azuread_group.a', to: 'azuread_group.b' },
      { from: 'azuread_group.b', to: 'azuread_group.c' },
    ]);
    expect(json.resource['azuread_group']?.['c']).toMatchObject({ mail_nickname: 'a' });
  });

  it('writes the same bytes for movedFrom of a construct', () => {
    const fromConfig = synthesizedConfig(
      config({
        azure: { ...address, tenantId: '11111111-2222-4333-8444-555555555555' },
        moved: [{ from: 'groups.old', to: 'groups.new' }],
        groups: { new: { displayName: 'New', kind: 'security' } },
      }),
    );
    const fromProgram = synthesized((stack) => {
      new SecurityGroup(stack, 'new', { displayName: 'New', movedFrom: 'old' });
    });
    expect(JSON.stringify(movedIn(fromProgram))).toBe(JSON.stringify(movedIn(fromConfig.json)));
    expect(JSON.stringify(fromProgram.resource)).toBe(JSON.stringify(fromConfig.json.resource));
  });

  it('moves what is in a scope of the user from its earlier path', () => {
    const inScope = (scope: string, id: string, movedFrom?: string) => (stack: CastellanStack) => {
      const shop = new Construct(stack, scope);
      const staff = new Group(shop, id, { displayName: 'Staff', kind: 'security', movedFrom });
      new Workspace(stack, 'w', {
        displayName: 'W',
        capacityId: '11111111-2222-4333-8444-555555555555',
        roles: [{ principal: staff, role: 'Viewer' }],
      });
    };
    const before = synthesized(inScope('shop', 'staff'));
    const after = synthesized(inScope('market', 'people', 'shop/staff'));
    expect(movedIn(after)).toHaveLength(2);
    for (const { from, to } of movedIn(after) as { from: string; to: string }[]) {
      const [type = '', name = ''] = from.split('.');
      expect(before.resource[type]?.[name]).toBeDefined();
      expect(after.resource[type]?.[to.split('.')[1] ?? '']).toBeDefined();
    }
    expect(Object.values(after.resource['azuread_group'] ?? {})[0]).toMatchObject({
      mail_nickname: 'shop-staff',
    });
  });

  it('moves the domain of an app that a program renames', () => {
    const withApp = (id: string, movedFrom?: string) => (stack: CastellanStack) => {
      const shop = new Construct(stack, 'shop');
      const app = new ContainerApp(shop, id, {
        image: 'web:1',
        targetPort: 80,
        ingress: { external: true },
        movedFrom,
      });
      app.addCustomDomain('shop.contoso.example');
    };
    const type = 'azurerm_container_app_custom_domain';
    const [nameBefore] = Object.keys(synthesized(withApp('old')).resource[type] ?? {});
    const after = synthesized(withApp('new', 'shop/old'));
    const [nameAfter] = Object.keys(after.resource[type] ?? {});
    expect(movedIn(after)).toContainEqual({
      from: `${type}.${nameBefore}`,
      to: `${type}.${nameAfter}`,
    });
  });

  it('says which addresses a stack gets from the state of another one', () => {
    const { stacks, all } = synthesizedConfig([
      config({ stack: 'storefront' }),
      config({
        stack: 'platform',
        moved: [{ from: 'storefront/groups.old', to: 'groups.new' }],
        groups: { new: { displayName: 'New', kind: 'security' } },
      }),
    ]);
    expect(stacks.map(({ moves }) => moves)).toEqual([
      undefined,
      {
        stacks: [],
        addresses: [{ stack: 'storefront', from: 'azuread_group.old', to: 'azuread_group.new' }],
      },
    ]);
    expect(all.map(movedIn)).toEqual([undefined, undefined]);
    expect(all[1]?.resource['azuread_group']?.['new']).toMatchObject({ mail_nickname: 'old' });
  });

  it('keeps what is named after a stack that is renamed', () => {
    const apps = { web: { image: 'web:1' } };
    const { stacks, json } = synthesizedConfig(
      config({ stack: 'shop', moved: [{ from: 'storefront', to: 'shop' }], containerApps: apps }),
    );
    expect(stacks[0]?.moves).toEqual({ stacks: ['storefront'], addresses: [] });
    expect(movedIn(json)).toEqual([
      {
        from: 'azurerm_container_app_environment.storefront',
        to: 'azurerm_container_app_environment.shop',
      },
      { from: 'azurerm_resource_group.storefront', to: 'azurerm_resource_group.shop' },
    ]);
    expect(json.resource['azurerm_resource_group']?.['shop']).toMatchObject({
      name: 'rg-storefront',
    });
    expect(json.resource['azurerm_container_app_environment']?.['shop']).toMatchObject({
      name: 'cae-storefront',
    });
  });
});
