import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import {
  App,
  checkTree,
  CloudSettings,
  ContainerApp,
  ContainerAppEnvironment,
} from '../../../constructs/index.js';
import { TerraformStack } from '../../../constructs/internal/cdktf.js';

const findingsOf = (declare: (stack: TerraformStack, group: ResourceGroup) => void) => {
  const stack = new TerraformStack(new App(), 'shop');
  const group = new ResourceGroup(stack, 'rg', { name: 'rg-shop', location: 'westeurope' });
  CloudSettings.of(stack).set({ location: 'westeurope' });
  declare(stack, group);
  return checkTree(stack).filter(({ messageId }) => messageId === 'createdTwice');
};

describe('a resource group that is created a second time', () => {
  it('is found where a name is given in place of the group, at the line of its construct', () => {
    const [finding, ...others] = findingsOf((stack, group) => {
      new ContainerAppEnvironment(stack, 'apps', { resourceGroup: group.name });
    });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      ruleId: 'reference-exists',
      severity: 'error',
      constructPath: 'shop/apps',
      location: { file: __filename, line: 22 },
    });
    expect(finding?.message).toContain('resourceGroup: group, not group.name');
  });

  it('is found where both have the same name', () => {
    expect(
      findingsOf((stack) => {
        new ContainerApp(stack, 'web', { image: 'a:1', resourceGroup: 'rg-shop' });
      }),
    ).toHaveLength(1);
  });

  it('is none where the group itself is given, a name of one that exists, or another name', () => {
    expect(
      findingsOf((stack, resourceGroup) => {
        new ContainerAppEnvironment(stack, 'one', { resourceGroup });
        new ContainerAppEnvironment(stack, 'two', { resourceGroup: { existing: 'rg-shop' } });
        new ContainerAppEnvironment(stack, 'three', { resourceGroup: 'rg-other' });
      }),
    ).toEqual([]);
  });
});
