import { callerId, tenantId } from '../support/control-plane.js';

const inGroup = {
  resource_group_name: '${azurerm_resource_group.rg.name}',
  location: '${azurerm_resource_group.rg.location}',
};
const { resource_group_name } = inGroup;
const zone = { resource_group_name, zone_name: '${azurerm_dns_zone.z.name}', ttl: 300 };
const privateZone = {
  resource_group_name,
  zone_name: '${azurerm_private_dns_zone.z.name}',
  ttl: 300,
};
const inHub = {
  resource_group_name,
  namespace_name: '${azurerm_eventhub_namespace.ns.name}',
  eventhub_name: '${azurerm_eventhub.h.name}',
};
const rights = { listen: true, send: true, manage: false };

/** A resource of nearly every type of azurerm that is served by its data. */
export const landscape = {
  azurerm_resource_group: { rg: { name: 'rg-all', location: 'westeurope' } },
  azurerm_virtual_network: {
    n: {
      ...inGroup,
      name: 'net',
      address_space: ['10.0.0.0/16'],
      dns_servers: ['10.0.0.4', '10.0.0.5'],
    },
    inline: {
      ...inGroup,
      name: 'net-inline',
      address_space: ['10.1.0.0/16'],
      subnet: [
        { name: 'a', address_prefixes: ['10.1.0.0/24'] },
        {
          name: 'b',
          address_prefixes: ['10.1.1.0/24'],
          security_group: '${azurerm_network_security_group.g.id}',
        },
      ],
    },
  },
  azurerm_subnet: {
    s: {
      resource_group_name,
      name: 'apps',
      virtual_network_name: '${azurerm_virtual_network.n.name}',
      address_prefixes: ['10.0.1.0/24'],
      service_endpoints: ['Microsoft.Storage'],
      delegation: [
        {
          name: 'apps',
          service_delegation: {
            name: 'Microsoft.App/environments',
            actions: ['Microsoft.Network/virtualNetworks/subnets/join/action'],
          },
        },
      ],
    },
  },
  azurerm_network_security_group: {
    g: {
      ...inGroup,
      name: 'nsg',
      security_rule: [
        {
          name: 'https',
          priority: 100,
          direction: 'Inbound',
          access: 'Allow',
          protocol: 'Tcp',
          source_port_range: '*',
          destination_port_range: '443',
          source_address_prefix: '*',
          destination_address_prefix: '*',
        },
      ],
    },
    bare: { ...inGroup, name: 'nsg-bare' },
  },
  azurerm_network_security_rule: {
    r: {
      resource_group_name,
      name: 'web',
      network_security_group_name: '${azurerm_network_security_group.bare.name}',
      priority: 200,
      direction: 'Inbound',
      access: 'Allow',
      protocol: 'Tcp',
      source_port_range: '*',
      destination_port_ranges: ['80', '443'],
      source_address_prefix: '*',
      destination_address_prefix: '*',
    },
  },
  azurerm_subnet_network_security_group_association: {
    a: {
      subnet_id: '${azurerm_subnet.s.id}',
      network_security_group_id: '${azurerm_network_security_group.g.id}',
    },
  },
  azurerm_route_table: {
    t: {
      ...inGroup,
      name: 'routes',
      route: [{ name: 'out', address_prefix: '0.0.0.0/0', next_hop_type: 'Internet' }],
    },
  },
  azurerm_subnet_route_table_association: {
    a: { subnet_id: '${azurerm_subnet.s.id}', route_table_id: '${azurerm_route_table.t.id}' },
  },
  azurerm_public_ip: {
    p: { ...inGroup, name: 'ip', allocation_method: 'Static', zones: ['1', '2'] },
  },
  azurerm_nat_gateway: { n: { ...inGroup, name: 'nat' } },
  azurerm_storage_account: {
    a: {
      ...inGroup,
      name: 'storeall',
      account_tier: 'Standard',
      account_replication_type: 'GRS',
    },
  },
  azurerm_private_endpoint: {
    e: {
      ...inGroup,
      name: 'pe',
      subnet_id: '${azurerm_subnet.s.id}',
      private_service_connection: {
        name: 'blob',
        is_manual_connection: false,
        private_connection_resource_id: '${azurerm_storage_account.a.id}',
        subresource_names: ['blob'],
      },
      private_dns_zone_group: {
        name: 'default',
        private_dns_zone_ids: ['${azurerm_private_dns_zone.z.id}'],
      },
    },
  },
  azurerm_dns_zone: { z: { resource_group_name, name: 'shop.example' } },
  azurerm_dns_a_record: { r: { ...zone, name: 'www', records: ['203.0.113.1', '203.0.113.2'] } },
  azurerm_dns_cname_record: { r: { ...zone, name: 'docs', record: 'docs.example.net' } },
  azurerm_dns_txt_record: {
    r: { ...zone, name: '@', record: [{ value: 'v=spf1 -all' }, { value: 'other' }] },
  },
  azurerm_dns_mx_record: {
    r: { ...zone, name: '@', record: [{ preference: '10', exchange: 'mail.shop.example' }] },
  },
  azurerm_dns_ns_record: { r: { ...zone, name: 'sub', records: ['ns1.example.', 'ns2.example.'] } },
  azurerm_dns_srv_record: {
    r: {
      ...zone,
      name: '_sip._tcp',
      record: [{ priority: 1, weight: 5, port: 5060, target: 'sip.shop.example' }],
    },
  },
  azurerm_dns_caa_record: {
    r: { ...zone, name: '@', record: [{ flags: 0, tag: 'issue', value: 'ca.example' }] },
  },
  azurerm_private_dns_zone: { z: { resource_group_name, name: 'privatelink.shop.example' } },
  azurerm_private_dns_a_record: { r: { ...privateZone, name: 'db', records: ['10.0.0.9'] } },
  azurerm_private_dns_cname_record: { r: { ...privateZone, name: 'c', record: 'db.example' } },
  azurerm_private_dns_zone_virtual_network_link: {
    l: {
      resource_group_name,
      name: 'link',
      private_dns_zone_name: '${azurerm_private_dns_zone.z.name}',
      virtual_network_id: '${azurerm_virtual_network.n.id}',
    },
  },
  azurerm_key_vault: {
    v: {
      ...inGroup,
      name: 'vault-all',
      tenant_id: tenantId,
      sku_name: 'standard',
      access_policy: [
        { tenant_id: tenantId, object_id: callerId, secret_permissions: ['Get', 'Set'] },
      ],
    },
  },
  azurerm_key_vault_secret: {
    s: {
      name: 'password',
      value: 'a-secret-value',
      key_vault_id: '${azurerm_key_vault.v.id}',
      content_type: 'text/plain',
      expiration_date: '2030-01-01T00:00:00Z',
    },
  },
  azurerm_user_assigned_identity: { i: { ...inGroup, name: 'ident' } },
  azurerm_role_assignment: {
    r: {
      scope: '${azurerm_storage_account.a.id}',
      role_definition_name: 'Storage Blob Data Contributor',
      principal_id: '${azurerm_user_assigned_identity.i.principal_id}',
    },
  },
  azurerm_management_lock: {
    l: { name: 'keep', scope: '${azurerm_nat_gateway.n.id}', lock_level: 'ReadOnly', notes: 'x' },
  },
  azurerm_container_registry: {
    r: { ...inGroup, name: 'registryall', sku: 'Basic', admin_enabled: true },
  },
  azurerm_log_analytics_workspace: { w: { ...inGroup, name: 'logs-all' } },
  azurerm_application_insights: {
    i: {
      ...inGroup,
      name: 'insights',
      application_type: 'web',
      workspace_id: '${azurerm_log_analytics_workspace.w.id}',
      daily_data_cap_in_gb: 5,
    },
  },
  azurerm_monitor_diagnostic_setting: {
    d: {
      name: 'all',
      target_resource_id: '${azurerm_key_vault.v.id}',
      log_analytics_workspace_id: '${azurerm_log_analytics_workspace.w.id}',
      enabled_log: [{ category: 'AuditEvent' }],
      enabled_metric: [{ category: 'AllMetrics' }],
    },
  },
  azurerm_mssql_server: {
    s: {
      ...inGroup,
      name: 'sqlall',
      version: '12.0',
      administrator_login: 'boss',
      administrator_login_password: 'a-sql-password',
      azuread_administrator: { login_username: 'ada', object_id: callerId },
    },
  },
  azurerm_mssql_database: {
    d: {
      name: 'orders',
      server_id: '${azurerm_mssql_server.s.id}',
      sku_name: 'S0',
      max_size_gb: 10,
      short_term_retention_policy: { retention_days: 14 },
    },
  },
  azurerm_mssql_firewall_rule: {
    f: {
      name: 'office',
      server_id: '${azurerm_mssql_server.s.id}',
      start_ip_address: '203.0.113.1',
      end_ip_address: '203.0.113.9',
    },
  },
  azurerm_postgresql_flexible_server: {
    s: {
      ...inGroup,
      name: 'pgall',
      version: '16',
      sku_name: 'GP_Standard_D2s_v3',
      storage_mb: 65536,
      administrator_login: 'boss',
      administrator_password: 'a-pg-password',
      authentication: { active_directory_auth_enabled: true, tenant_id: tenantId },
      high_availability: { mode: 'ZoneRedundant' },
    },
  },
  azurerm_postgresql_flexible_server_database: {
    d: { name: 'orders', server_id: '${azurerm_postgresql_flexible_server.s.id}' },
  },
  azurerm_postgresql_flexible_server_configuration: {
    c: {
      name: 'azure.extensions',
      server_id: '${azurerm_postgresql_flexible_server.s.id}',
      value: 'PG_TRGM',
    },
  },
  azurerm_servicebus_namespace: { ns: { ...inGroup, name: 'busall', sku: 'Standard' } },
  azurerm_servicebus_queue: {
    q: {
      name: 'work',
      namespace_id: '${azurerm_servicebus_namespace.ns.id}',
      lock_duration: 'PT30S',
    },
  },
  azurerm_servicebus_topic: {
    t: { name: 'events', namespace_id: '${azurerm_servicebus_namespace.ns.id}' },
  },
  azurerm_servicebus_subscription: {
    s: { name: 'all', topic_id: '${azurerm_servicebus_topic.t.id}', max_delivery_count: 5 },
  },
  azurerm_servicebus_queue_authorization_rule: {
    r: { name: 'worker', queue_id: '${azurerm_servicebus_queue.q.id}', ...rights },
  },
  azurerm_servicebus_namespace_authorization_rule: {
    r: { name: 'reader', namespace_id: '${azurerm_servicebus_namespace.ns.id}', listen: true },
  },
  azurerm_eventhub_namespace: {
    ns: { ...inGroup, name: 'huball', sku: 'Standard', capacity: 2 },
  },
  azurerm_eventhub: {
    h: {
      name: 'orders',
      namespace_id: '${azurerm_eventhub_namespace.ns.id}',
      partition_count: 3,
      message_retention: 1,
    },
  },
  azurerm_eventhub_consumer_group: { c: { ...inHub, name: 'app' } },
  azurerm_eventhub_authorization_rule: { r: { ...inHub, name: 'sender', ...rights } },
};

/** The data sources that read some of {@link landscape}. */
export const landscapeData = {
  azurerm_storage_account: { a: { name: 'storeall', resource_group_name: 'rg-all' } },
  azurerm_virtual_network: { n: { name: 'net', resource_group_name: 'rg-all' } },
  azurerm_subnet: {
    s: { name: 'apps', virtual_network_name: 'net', resource_group_name: 'rg-all' },
  },
  azurerm_network_security_group: { g: { name: 'nsg', resource_group_name: 'rg-all' } },
  azurerm_dns_zone: { z: { name: 'shop.example', resource_group_name: 'rg-all' } },
  azurerm_key_vault: { v: { name: 'vault-all', resource_group_name: 'rg-all' } },
  azurerm_container_registry: { r: { name: 'registryall', resource_group_name: 'rg-all' } },
  azurerm_application_insights: { i: { name: 'insights', resource_group_name: 'rg-all' } },
  azurerm_mssql_server: { s: { name: 'sqlall', resource_group_name: 'rg-all' } },
  azurerm_postgresql_flexible_server: { s: { name: 'pgall', resource_group_name: 'rg-all' } },
  azurerm_servicebus_namespace: { ns: { name: 'busall', resource_group_name: 'rg-all' } },
  azurerm_eventhub_namespace: { ns: { name: 'huball', resource_group_name: 'rg-all' } },
};
