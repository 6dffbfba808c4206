import { KeyVault } from '@cdktf/provider-azurerm/lib/key-vault';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { StorageAccount } from '@cdktf/provider-azurerm/lib/storage-account';
import { Subnet } from '@cdktf/provider-azurerm/lib/subnet';
import { VirtualNetwork } from '@cdktf/provider-azurerm/lib/virtual-network';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';

/** What the team's apps share: network, storage and key vault. */
export class PlatformStack extends TerraformStack {
  readonly subnet: Subnet;
  readonly storage: StorageAccount;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    const group = new ResourceGroup(this, 'rg', { name: 'rg-platform', location: 'westeurope' });
    const inGroup = { location: group.location, resourceGroupName: group.name };
    const network = new VirtualNetwork(this, 'network', {
      ...inGroup,
      name: 'platform',
      addressSpace: ['10.0.0.0/16'],
    });
    this.subnet = new Subnet(this, 'subnet', {
      name: 'apps',
      resourceGroupName: group.name,
      virtualNetworkName: network.name,
      addressPrefixes: ['10.0.0.0/23'],
    });
    this.storage = new StorageAccount(this, 'storage', {
      ...inGroup,
      name: 'shopplatform',
      accountTier: 'Standard',
      accountReplicationType: 'LRS',
    });
    new KeyVault(this, 'vault', {
      ...inGroup,
      name: 'shop-platform',
      skuName: 'standard',
      tenantId: '11111111-2222-4333-8444-555555555555',
    });
  }
}
