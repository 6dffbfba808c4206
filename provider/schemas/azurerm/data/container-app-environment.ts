import { computed, optionalComputed, required, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_container_app_environment. */
export const containerAppEnvironmentData: ResourceSchema = {
  version: 0,
  attributes: {
    custom_domain_verification_id: computed('string'),
    default_domain: computed('string'),
    docker_bridge_cidr: computed('string'),
    id: optionalComputed('string'),
    infrastructure_subnet_id: computed('string'),
    internal_load_balancer_enabled: computed('bool'),
    location: computed('string'),
    log_analytics_workspace_name: computed('string'),
    name: required('string'),
    platform_reserved_cidr: computed('string'),
    platform_reserved_dns_ip_address: computed('string'),
    public_network_access: computed('string'),
    resource_group_name: required('string', { forceNew: true }),
    static_ip_address: computed('string'),
    tags: computed(['map', 'string']),
  },
  blocks: { ...timeoutsBlock('read') },
};
