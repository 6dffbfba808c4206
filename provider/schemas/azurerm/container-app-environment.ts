import { block, computed, optional, optionalComputed, required, timeoutsBlock, dataOf } from '../build.js';
import { atLeast, notEmpty, oneOf } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { environmentName, workspaceId } from './names.js';
import { identity, location, resourceGroupName } from './shared.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azurerm_container_app_environment. */
export const containerAppEnvironment: ResourceSchema = {
  version: 0,
  attributes: {
    custom_domain_verification_id: computed('string'),
    dapr_application_insights_connection_string: optional('string', { forceNew: true, sensitive: true }),
    default_domain: computed('string'),
    docker_bridge_cidr: computed('string'),
    id: optionalComputed('string'),
    infrastructure_resource_group_name: optional('string', { forceNew: true, requiredWith: ['workload_profile'] }),
    infrastructure_subnet_id: optional('string', { forceNew: true }),
    internal_load_balancer_enabled: optional('bool', { default: false, forceNew: true, requiredWith: ['infrastructure_subnet_id'] }),
    location,
    log_analytics_workspace_id: optional('string', { checks: [workspaceId], same: sameIgnoringCase }),
    logs_destination: optional('string', { default: '', checks: [oneOf('log-analytics', 'azure-monitor')] }),
    mutual_tls_enabled: optional('bool', { default: false }),
    name: required('string', { forceNew: true, checks: [environmentName] }),
    platform_reserved_cidr: computed('string'),
    platform_reserved_dns_ip_address: computed('string'),
    public_network_access: optionalComputed('string', { checks: [oneOf('Enabled', 'Disabled')] }),
    resource_group_name: resourceGroupName,
    static_ip_address: computed('string'),
    tags: optional(['map', 'string']),
    zone_redundancy_enabled: optional('bool', { default: false, forceNew: true, requiredWith: ['infrastructure_subnet_id'] }),
  },
  blocks: {
    identity,
    ...timeoutsBlock(),
    workload_profile: block('set', {
      maximum_count: optional('number', { checks: [atLeast(0)] }),
      minimum_count: optional('number', { checks: [atLeast(0)] }),
      name: required('string', { checks: [notEmpty] }),
      workload_profile_type: required('string'),
    }),
  },
};

/** The data source azurerm_container_app_environment. */
export const containerAppEnvironmentData = dataOf(
  containerAppEnvironment,
  {
    log_analytics_workspace_name: computed('string'),
    name: required('string'),
    resource_group_name: required('string', { forceNew: true }),
  },
  [
    ...['dapr_application_insights_connection_string', 'infrastructure_resource_group_name', 'log_analytics_workspace_id'],
    ...['logs_destination', 'mutual_tls_enabled', 'zone_redundancy_enabled', 'identity', 'workload_profile'],
  ],
);
