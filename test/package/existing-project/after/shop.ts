import { ContainerAppEnvironment as AzurermEnvironment } from '@cdktf/provider-azurerm/lib/container-app-environment';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { StorageContainer } from '@cdktf/provider-azurerm/lib/storage-container';
import {
  CloudSettings,
  ContainerApp,
  ContainerAppEnvironment,
  Secret,
  SecurityGroup,
  User,
} from 'castellan/constructs';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { PlatformStack } from './platform';

/** The shop, on the team's platform. */
export class ShopStack extends TerraformStack {
  readonly admins: SecurityGroup;

  constructor(scope: Construct, id: string, platform: PlatformStack) {
    super(scope, id);
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    const group = new ResourceGroup(this, 'rg', { name: 'rg-shop', location: 'westeurope' });
    CloudSettings.of(this).set({ location: 'westeurope', resourceGroup: group });
    new StorageContainer(this, 'orders', {
      name: 'orders',
      storageAccountId: platform.storage.id,
    });
    const { id: environmentId } = new AzurermEnvironment(this, 'environment', {
      name: 'shop',
      location: group.location,
      resourceGroupName: group.name,
      infrastructureSubnetId: platform.subnet.id,
    });
    new ContainerApp(this, 'web', {
      environment: ContainerAppEnvironment.fromId(this, 'apps', environmentId),
      resourceGroup: group,
      image: 'ghcr.io/contoso/shop:1.4.2',
      targetPort: 80,
      ingress: { external: false },
      secrets: { token: Secret.fromEnvironment('SHOP_TOKEN') },
      env: { SHOP_TOKEN: { secret: 'token' } },
    });
    this.admins = new SecurityGroup(this, 'admins', {
      displayName: 'Shop administrators',
      description: 'Who may change the shop',
      owners: [
        User.fromPrincipalName(this, 'ada', 'ada@contoso.example'),
        User.fromPrincipalName(this, 'grace', 'grace@contoso.example'),
      ],
    });
    this.createPartners();
  }

  /** The partner has a tenant of its own: a second configuration of the provider. */
  private createPartners(): void {
    const provider = new AzureadProvider(this, 'partner', {
      alias: 'partner',
      tenantId: process.env['PARTNER_TENANT_ID'],
    });
    new SecurityGroup(this, 'partners', {
      displayName: 'Partners of the shop',
      owners: [
        User.fromPrincipalName(this, 'lin', 'lin@partner.example', { provider }),
        User.fromPrincipalName(this, 'kim', 'kim@partner.example', { provider }),
      ],
      provider,
    });
  }
}
