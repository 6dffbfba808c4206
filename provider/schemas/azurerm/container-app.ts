import { block, computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { atLeast, between, notEmpty, oneOf } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { containerAppName, environmentId, resourceGroupName, secretName } from './names.js';
import { container, initContainer } from './container-app-container.js';
import { ingress } from './container-app-ingress.js';
import { azureQueueRule, customRule, requestsRule } from './container-app-scale.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azurerm_container_app. */
export const containerApp: ResourceSchema = {
  version: 0,
  attributes: {
    container_app_environment_id: required('string', { forceNew: true, checks: [environmentId], same: sameIgnoringCase }),
    custom_domain_verification_id: computed('string', { sensitive: true }),
    id: optionalComputed('string'),
    latest_revision_fqdn: computed('string'),
    latest_revision_name: computed('string'),
    location: computed('string'),
    max_inactive_revisions: optional('number', { checks: [between(0, 100)] }),
    name: required('string', { forceNew: true, checks: [containerAppName] }),
    outbound_ip_addresses: computed(['list', 'string']),
    resource_group_name: required('string', { forceNew: true, checks: [resourceGroupName] }),
    revision_mode: required('string', { checks: [oneOf('Single', 'Multiple')] }),
    tags: optional(['map', 'string']),
    workload_profile_name: optional('string', { checks: [notEmpty] }),
  },
  blocks: {
    dapr: block(
      'list',
      {
        app_id: required('string', { checks: [notEmpty] }),
        app_port: optional('number', { checks: [between(1, 65535)] }),
        app_protocol: optional('string', { default: 'http', checks: [oneOf('grpc', 'http')] }),
      },
      { max: 1 },
    ),
    identity: block(
      'list',
      {
        identity_ids: optional(['set', 'string'], { same: sameIgnoringCase }),
        principal_id: computed('string'),
        tenant_id: computed('string'),
        type: required('string', { checks: [oneOf('SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned')] }),
      },
      { max: 1 },
    ),
    ingress,
    registry: block('list', {
      identity: optional('string'),
      password_secret_name: optional('string'),
      server: required('string', { checks: [notEmpty] }),
      username: optional('string'),
    }),
    secret: block('set', {
      identity: optional('string'),
      key_vault_secret_id: optional('string'),
      name: required('string', { checks: [secretName] }),
      value: optional('string', { sensitive: true }),
    }),
    template: block(
      'list',
      {
        cooldown_period_in_seconds: optional('number', { default: 300, checks: [atLeast(1)] }),
        max_replicas: optional('number', { default: 10, checks: [between(1, 300)] }),
        min_replicas: optional('number', { default: 0, checks: [between(0, 300)] }),
        polling_interval_in_seconds: optional('number', { default: 30, checks: [atLeast(1)] }),
        revision_suffix: optionalComputed('string'),
        termination_grace_period_seconds: optional('number', { default: 0, checks: [between(0, 600)] }),
      },
      {
        min: 1,
        max: 1,
        blocks: {
          azure_queue_scale_rule: azureQueueRule,
          container,
          custom_scale_rule: customRule,
          http_scale_rule: requestsRule,
          init_container: initContainer,
          tcp_scale_rule: requestsRule,
          volume: block('list', {
            mount_options: optional('string'),
            name: required('string', { checks: [notEmpty] }),
            storage_name: optional('string'),
            storage_type: optional('string', { default: 'EmptyDir', checks: [oneOf('AzureFile', 'EmptyDir', 'NfsAzureFile', 'Secret')] }),
          }),
        },
      },
    ),
    ...timeoutsBlock(),
  },
};
