import { type App, TerraformStack } from '../../../constructs/internal/cdktf.js';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { StorageAccount } from '@cdktf/provider-azurerm/lib/storage-account';
import { StorageContainer } from '@cdktf/provider-azurerm/lib/storage-container';
import { StorageQueue } from '@cdktf/provider-azurerm/lib/storage-queue';
import { StorageTable } from '@cdktf/provider-azurerm/lib/storage-table';
import { StorageShare } from '@cdktf/provider-azurerm/lib/storage-share';
import { VirtualNetwork } from '@cdktf/provider-azurerm/lib/virtual-network';
import { Subnet } from '@cdktf/provider-azurerm/lib/subnet';
import { NetworkSecurityGroup } from '@cdktf/provider-azurerm/lib/network-security-group';
import { SubnetNetworkSecurityGroupAssociation } from '@cdktf/provider-azurerm/lib/subnet-network-security-group-association';
import { KeyVault } from '@cdktf/provider-azurerm/lib/key-vault';
import { KeyVaultSecret } from '@cdktf/provider-azurerm/lib/key-vault-secret';
import { RoleAssignment } from '@cdktf/provider-azurerm/lib/role-assignment';
import { UserAssignedIdentity } from '@cdktf/provider-azurerm/lib/user-assigned-identity';
import { ContainerRegistry } from '@cdktf/provider-azurerm/lib/container-registry';
import { LogAnalyticsWorkspace } from '@cdktf/provider-azurerm/lib/log-analytics-workspace';
import { ApplicationInsights } from '@cdktf/provider-azurerm/lib/application-insights';
import { PrivateEndpoint } from '@cdktf/provider-azurerm/lib/private-endpoint';
import { DnsZone } from '@cdktf/provider-azurerm/lib/dns-zone';
import { DnsARecord } from '@cdktf/provider-azurerm/lib/dns-a-record';
import { MssqlServer } from '@cdktf/provider-azurerm/lib/mssql-server';
import { MssqlDatabase } from '@cdktf/provider-azurerm/lib/mssql-database';
import { PostgresqlFlexibleServer } from '@cdktf/provider-azurerm/lib/postgresql-flexible-server';
import { ServicebusNamespace } from '@cdktf/provider-azurerm/lib/servicebus-namespace';
import { ServicebusQueue } from '@cdktf/provider-azurerm/lib/servicebus-queue';
import { EventhubNamespace } from '@cdktf/provider-azurerm/lib/eventhub-namespace';
import { Eventhub } from '@cdktf/provider-azurerm/lib/eventhub';
import { DataAzurermClientConfig } from '@cdktf/provider-azurerm/lib/data-azurerm-client-config';

/**
 * A stack of the plain azurerm bindings, without any construct of castellan: what the sandbox must
 * serve, as it is created and, with `isChanged`, with everything changed that can change in place.
 */
export class RawStack extends TerraformStack {
  constructor(app: App, isChanged: boolean) {
    super(app, 'raw');
    new AzurermProvider(this, 'azurerm', { features: [{}] });
    const me = new DataAzurermClientConfig(this, 'me');
    const rg = new ResourceGroup(this, 'rg', {
      name: 'rg-raw',
      location: 'West Europe',
      tags: isChanged ? { a: 'b' } : {},
    });
    const placement = {
      resourceGroupName: rg.name,
      location: rg.location,
      tags: { team: isChanged ? 'two' : 'one' },
    };
    const storage = new StorageAccount(this, 'storage', {
      ...placement,
      name: 'rawstore',
      accountTier: 'Standard',
      accountReplicationType: isChanged ? 'GRS' : 'LRS',
      minTlsVersion: 'TLS1_2',
      allowNestedItemsToBePublic: isChanged,
    });
    new StorageContainer(this, 'container', {
      name: 'c',
      storageAccountId: storage.id,
      containerAccessType: isChanged ? 'blob' : 'private',
    });
    new StorageQueue(this, 'queue', {
      name: 'q',
      storageAccountName: storage.name,
      metadata: isChanged ? { a: 'b' } : undefined,
    });
    new StorageTable(this, 'table', { name: 't', storageAccountName: storage.name });
    new StorageShare(this, 'share', {
      name: 'f',
      storageAccountId: storage.id,
      quota: isChanged ? 20 : 10,
    });
    const net = new VirtualNetwork(this, 'net', {
      ...placement,
      name: 'net',
      addressSpace: isChanged ? ['10.0.0.0/16', '10.1.0.0/16'] : ['10.0.0.0/16'],
    });
    const subnet = new Subnet(this, 'subnet', {
      name: 'apps',
      resourceGroupName: rg.name,
      virtualNetworkName: net.name,
      addressPrefixes: ['10.0.1.0/24'],
      serviceEndpoints: isChanged ? ['Microsoft.Sql'] : undefined,
    });
    const nsg = new NetworkSecurityGroup(this, 'nsg', {
      ...placement,
      name: 'nsg',
      securityRule: [
        {
          name: 'https',
          priority: isChanged ? 200 : 100,
          direction: 'Inbound',
          access: 'Allow',
          protocol: 'Tcp',
          sourcePortRange: '*',
          destinationPortRange: '443',
          sourceAddressPrefix: '*',
          destinationAddressPrefix: '*',
        },
      ],
    });
    new SubnetNetworkSecurityGroupAssociation(this, 'assoc', {
      subnetId: subnet.id,
      networkSecurityGroupId: nsg.id,
    });
    const vault = new KeyVault(this, 'vault', {
      ...placement,
      name: 'raw-vault',
      skuName: isChanged ? 'premium' : 'standard',
      tenantId: me.tenantId,
      rbacAuthorizationEnabled: true,
      purgeProtectionEnabled: isChanged,
    });
    new KeyVaultSecret(this, 'secret', {
      name: 'pw',
      value: isChanged ? 'two' : 'one',
      keyVaultId: vault.id,
    });
    const ident = new UserAssignedIdentity(this, 'ident', { ...placement, name: 'ident' });
    new RoleAssignment(this, 'role', {
      scope: storage.id,
      roleDefinitionName: 'Reader',
      principalId: ident.principalId,
    });
    new ContainerRegistry(this, 'acr', {
      ...placement,
      name: 'rawregistry',
      sku: isChanged ? 'Standard' : 'Basic',
      adminEnabled: isChanged,
    });
    const logs = new LogAnalyticsWorkspace(this, 'logs', {
      ...placement,
      name: 'logs',
      sku: 'PerGB2018',
      retentionInDays: isChanged ? 60 : 30,
    });
    new ApplicationInsights(this, 'insights', {
      ...placement,
      name: 'insights',
      applicationType: 'web',
      workspaceId: logs.id,
      retentionInDays: isChanged ? 60 : 90,
    });
    new PrivateEndpoint(this, 'pe', {
      ...placement,
      name: 'pe',
      subnetId: subnet.id,
      privateServiceConnection: {
        name: 'blob',
        isManualConnection: false,
        privateConnectionResourceId: storage.id,
        subresourceNames: ['blob'],
      },
    });
    const zone = new DnsZone(this, 'zone', {
      name: 'raw.example',
      resourceGroupName: rg.name,
      tags: placement.tags,
    });
    new DnsARecord(this, 'a', {
      name: 'www',
      zoneName: zone.name,
      resourceGroupName: rg.name,
      ttl: isChanged ? 60 : 300,
      records: isChanged ? ['203.0.113.2'] : ['203.0.113.1'],
    });
    const sql = new MssqlServer(this, 'sql', {
      ...placement,
      name: 'rawsql',
      version: '12.0',
      administratorLogin: 'boss',
      administratorLoginPassword: isChanged ? 'Another1!' : 'Password1!',
      publicNetworkAccessEnabled: isChanged,
    });
    new MssqlDatabase(this, 'sqldb', {
      name: 'orders',
      serverId: sql.id,
      skuName: isChanged ? 'S1' : 'S0',
      maxSizeGb: 10,
      tags: placement.tags,
    });
    new PostgresqlFlexibleServer(this, 'pg', {
      ...placement,
      name: 'rawpg',
      version: '16',
      skuName: isChanged ? 'GP_Standard_D4s_v3' : 'GP_Standard_D2s_v3',
      storageMb: 65536,
      administratorLogin: 'boss',
      administratorPassword: isChanged ? 'Another1!' : 'Password1!',
      zone: '1',
      publicNetworkAccessEnabled: true,
    });
    const bus = new ServicebusNamespace(this, 'bus', {
      ...placement,
      name: 'rawbus',
      sku: 'Standard',
    });
    new ServicebusQueue(this, 'busq', {
      name: 'work',
      namespaceId: bus.id,
      maxDeliveryCount: isChanged ? 5 : 10,
    });
    const hubs = new EventhubNamespace(this, 'hubs', {
      ...placement,
      name: 'rawhubs',
      sku: 'Standard',
      capacity: isChanged ? 2 : 1,
    });
    new Eventhub(this, 'hub', {
      name: 'orders',
      namespaceId: hubs.id,
      partitionCount: 2,
      messageRetention: isChanged ? 2 : 1,
    });
  }
}
