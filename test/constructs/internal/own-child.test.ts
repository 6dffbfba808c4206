import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import {
  App,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
  Secret,
  SecurityGroup,
  Workspace,
} from '../../../constructs/index.js';
import { Construct, TerraformVariable } from '../../../constructs/internal/cdktf.js';
import { checkTree } from '../../../constructs/stack/check-tree.js';
import { synthesized, westEurope } from '../support/synthesized.js';

const environments = 'azurerm_container_app_environment';
const groups = 'azurerm_resource_group';
const newApp = (stack: CastellanStack, props = {}) =>
  new ContainerApp(stack, 'web', { image: 'nginx:1.2', ...props });
const failuresIn = (stack: CastellanStack) =>
  checkTree(stack).flatMap(({ verdict, ruleId }) => (verdict === 'fail' ? [ruleId] : []));

describe('what castellan creates once in a stack', () => {
  it.each<[string, (stack: CastellanStack) => unknown]>([
    ['a variable', (stack) => new TerraformVariable(stack, 'environment', { type: 'string' })],
    ['a scope', (stack) => new Construct(stack, 'environment')],
  ])('has another id than %s of the program', (_what, create) => {
    const { resource } = synthesized((stack) => {
      create(stack);
      newApp(stack);
      new ContainerApp(stack, 'api', { image: 'nginx:1.2' });
      expect(failuresIn(stack)).toEqual([]);
    });
    expect(resource[environments]).toMatchObject({ shop: { name: 'cae-shop' } });
    expect(resource['azurerm_container_app']?.['api']).toMatchObject({
      container_app_environment_id: `\${${environments}.shop.id}`,
    });
  });

  it('has no profiles under its other id', () => {
    const stack = new CastellanStack(new App(), 'shop', westEurope);
    new Construct(stack, 'environment');
    newApp(stack, { workloadProfile: 'large' });
    expect(failuresIn(stack)).toEqual(['app-workload-profile']);
  });

  it('is no resource group of the program, whatever its id', () => {
    const { resource } = synthesized((stack) => {
      new ResourceGroup(stack, 'resource-group', { name: 'rg-data', location: 'northeurope' });
      newApp(stack);
    });
    expect(resource[groups]).toEqual({
      'resource-group': { name: 'rg-data', location: 'northeurope' },
      shop: { name: 'rg-shop', location: 'westeurope' },
    });
    expect(resource['azurerm_container_app']?.['web']).toMatchObject({
      resource_group_name: `\${${groups}.shop.name}`,
    });
  });

  it('leaves the ids of providers, of the caller and of variables to the program', () => {
    const { provider, data, variable } = synthesized((stack) => {
      for (const id of ['azuread', 'azurerm', 'fabric', 'caller', 'variables'])
        new Construct(new Construct(stack, id), 'TOKEN');
      new SecurityGroup(stack, 'g', { displayName: 'G', description: 'd' });
      new Workspace(stack, 'w', { displayName: 'W' });
      newApp(stack, { secrets: { token: Secret.fromEnvironment('TOKEN') } });
    });
    expect(Object.keys(provider)).toEqual(['azuread', 'azurerm', 'fabric']);
    expect(Object.keys(data['azuread_client_config'] ?? {})).toHaveLength(1);
    expect(Object.keys(variable)).toEqual(['TOKEN']);
  });
});

describe('a resource that is named after its stack', () => {
  it('is not merged with one of the program', () => {
    const declare = () =>
      synthesized((stack) => {
        new ResourceGroup(stack, 'shop', { name: 'rg-data', location: 'northeurope' });
        newApp(stack);
      });
    expect(declare).toThrow(/shop\/shop is azurerm_resource_group\.shop, too/);
  });

  it('is only the environment directly in the stack', () => {
    const { resource } = synthesized((stack) => {
      for (const id of ['a', 'b']) {
        const environment = new ContainerAppEnvironment(new Construct(stack, id), 'environment');
        new ContainerApp(stack, `app-${id}`, { image: 'nginx:1.2', environment });
      }
    });
    const names = Object.values(resource[environments] ?? {}).map(({ name }) => name);
    expect(names).toEqual(['a-environment', 'b-environment']);
  });
});
