import { ContainerAppEnvironment } from '@cdktf/provider-azurerm/lib/container-app-environment';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { StorageContainer } from '@cdktf/provider-azurerm/lib/storage-container';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { PlatformStack } from './platform';

/** The shop, on the team's platform. */
export class ShopStack extends TerraformStack {
  constructor(scope: Construct, id: string, platform: PlatformStack) {
    super(scope, id);
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    const group = new ResourceGroup(this, 'rg', { name: 'rg-shop', location: 'westeurope' });
    new StorageContainer(this, 'orders', {
      name: 'orders',
      storageAccountId: platform.storage.id,
    });
    new ContainerAppEnvironment(this, 'environment', {
      name: 'shop',
      location: group.location,
      resourceGroupName: group.name,
      infrastructureSubnetId: platform.subnet.id,
    });
  }
}
