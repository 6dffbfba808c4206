import { Subnet } from '@cdktf/provider-azurerm/lib/subnet';
import {
  App,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
  type ContainerAppEnvironmentProps,
} from '../../../constructs/index.js';
import { buildStack, ConfiguredStack } from '../../../stacks/synthesize.js';
import type { StackConfig } from '../../../kinds/index.js';
import {
  synthesized,
  type TerraformJson,
  westEurope,
  withoutComments,
} from '../support/synthesized.js';

const subnet =
  '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/rg-net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/apps';
const workspaceId =
  '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/rg-logs/providers/Microsoft.OperationalInsights/workspaces/log-shared';
const inner: ContainerAppEnvironmentProps = {
  subnet,
  internal: true,
  zoneRedundant: true,
  logs: { workspaceId },
  workloadProfiles: [
    { name: 'Consumption', type: 'Consumption' },
    { name: 'large', type: 'D4', min: 1, max: 3 },
  ],
};
const environments = 'azurerm_container_app_environment';

describe('ContainerAppEnvironment', () => {
  it('has the line of the app that it is created for', () => {
    const stack = new CastellanStack(new App(), 'shop', westEurope);
    const app = new ContainerApp(stack, 'web', { image: 'a:1' });
    expect(app.creationLocation?.file).toBe(__filename);
    expect(ContainerAppEnvironment.getOrCreate(stack).creationLocation).toEqual(
      app.creationLocation,
    );
  });

  it('is in a subnet, behind an internal load balancer, over zones, with machines and logs of its own', () => {
    const { resource } = synthesized((stack) => {
      const environment = new ContainerAppEnvironment(stack, 'inner', inner);
      new ContainerApp(stack, 'web', { image: 'a:1', environment, workloadProfile: 'large' });
    });
    expect(resource[environments]?.['inner']).toEqual({
      name: 'inner',
      location: '${azurerm_resource_group.shop.location}',
      resource_group_name: '${azurerm_resource_group.shop.name}',
      infrastructure_subnet_id: subnet,
      internal_load_balancer_enabled: true,
      zone_redundancy_enabled: true,
      logs_destination: 'log-analytics',
      log_analytics_workspace_id: workspaceId,
      workload_profile: [
        { name: 'Consumption', workload_profile_type: 'Consumption' },
        { name: 'large', workload_profile_type: 'D4', minimum_count: 1, maximum_count: 3 },
      ],
    });
    expect(resource['azurerm_log_analytics_workspace']).toBeUndefined();
  });

  it('is the same in YAML', () => {
    const json = (stack: CastellanStack) => JSON.stringify(withoutComments(stack.toTerraform()));
    const inYaml = new ConfiguredStack(new App(), 'shop', { ...westEurope, skipValidation: true });
    buildStack(inYaml, { config: { environments: { inner } } as unknown as StackConfig });
    const typedStack = new CastellanStack(new App(), 'shop', westEurope);
    new ContainerAppEnvironment(typedStack, 'inner', inner);
    expect(json(inYaml)).toBe(json(typedStack));
  });

  it('of the name environment is one of its own in YAML', () => {
    const stack = new ConfiguredStack(new App(), 'shop', { ...westEurope, skipValidation: true });
    const containerApps = {
      web: { image: 'a:1' },
      api: { image: 'a:1', environment: 'environment' },
    };
    const config = { environments: { environment: { logs: { retentionInDays: 90 } } } };
    buildStack(stack, { config: { ...config, containerApps } as unknown as StackConfig });
    const { resource } = stack.toTerraform() as TerraformJson;
    expect(resource[environments]).toMatchObject({
      environment: { name: 'environment', logs_destination: 'log-analytics' },
      shop: { name: 'cae-shop' },
    });
    expect(resource['azurerm_container_app']).toMatchObject({
      web: { container_app_environment_id: `\${${environments}.shop.id}` },
      api: { container_app_environment_id: `\${${environments}.environment.id}` },
    });
  });

  it('may be in a subnet of the same program, and sets no load balancer without one', () => {
    const { resource } = synthesized((stack) => {
      const apps = new Subnet(stack, 'apps', {
        name: 'apps',
        resourceGroupName: 'rg-net',
        virtualNetworkName: 'vnet',
        addressPrefixes: ['10.0.0.0/23'],
      });
      new ContainerAppEnvironment(stack, 'inner', { subnet: apps.id, internal: true });
      new ContainerAppEnvironment(stack, 'open', { internal: false, zoneRedundant: false });
    });
    expect(resource[environments]).toMatchObject({
      inner: { infrastructure_subnet_id: '${azurerm_subnet.apps.id}' },
      open: {
        name: 'open',
        location: '${azurerm_resource_group.shop.location}',
        resource_group_name: '${azurerm_resource_group.shop.name}',
      },
    });
    expect(resource[environments]?.['open']).not.toHaveProperty('internal_load_balancer_enabled');
  });
});
