import { block, computed, optional, optionalComputed, required, timeoutsBlock, dataOf, typeOfBlock } from '../build.js';
import { atLeast, between, notEmpty, oneOf } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { containerAppName, environmentId, secretName, addressRange } from './names.js';
import { container, initContainer, azureQueueRule, customRule, requestsRule } from './container-app-template.js';
import { identity, resourceGroupName } from './shared.js';
import type { ResourceSchema, Block } from '../schema.js';

/** How an app is reached: block `ingress`. */
const ingress: Block = block(
  'list',
  {
    allow_insecure_connections: optional('bool', { default: false }),
    client_certificate_mode: optional('string', { checks: [oneOf('accept', 'ignore', 'require')] }),
    custom_domain: computed(['list', ['object', { certificate_binding_type: 'string', certificate_id: 'string', name: 'string' }]]),
    exposed_port: optional('number', { checks: [between(1, 65535)] }),
    external_enabled: optional('bool', { default: false }),
    fqdn: computed('string'),
    target_port: required('number', { checks: [between(1, 65535)] }),
    transport: optional('string', { default: 'auto', checks: [oneOf('auto', 'http', 'http2', 'tcp')] }),
  },
  {
    max: 1,
    blocks: {
      cors: block(
        'list',
        {
          allow_credentials_enabled: optional('bool', { default: false }),
          allowed_headers: optional(['list', 'string']),
          allowed_methods: optional(['list', 'string']),
          allowed_origins: required(['list', 'string']),
          exposed_headers: optional(['list', 'string']),
          max_age_in_seconds: optional('number', { checks: [atLeast(0)] }),
        },
        { max: 1 },
      ),
      ip_security_restriction: block('list', {
        action: required('string', { checks: [oneOf('Allow', 'Deny')] }),
        description: optional('string'),
        ip_address_range: required('string', { checks: [addressRange] }),
        name: required('string', { checks: [notEmpty] }),
      }),
      traffic_weight: block(
        'list',
        {
          label: optional('string', { checks: [notEmpty] }),
          latest_revision: optional('bool', { default: false }),
          percentage: required('number', { checks: [between(0, 100)] }),
          revision_suffix: optional('string'),
        },
        { min: 1 },
      ),
    },
  },
);

const secret = block('set', {
  identity: optional('string'),
  key_vault_secret_id: optional('string'),
  name: required('string', { checks: [secretName] }),
  value: optional('string', { sensitive: true }),
});

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
    resource_group_name: resourceGroupName,
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
    identity,
    ingress,
    registry: block('list', {
      identity: optional('string'),
      password_secret_name: optional('string'),
      server: required('string', { checks: [notEmpty] }),
      username: optional('string'),
    }),
    secret,
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

/** The data source azurerm_container_app. */
export const containerAppData = dataOf(
  containerApp,
  {
    name: required('string'),
    read_secrets: optional('bool', { default: true }),
    resource_group_name: required('string'),
    secret: computed(typeOfBlock(secret), { sensitive: true }),
  },
  ['liveness_probe', 'startup_probe'].map((probe) => `template.container.${probe}.termination_grace_period_seconds`),
);
