import { block, computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { atLeast, between, notEmpty, oneOf, oneOfIgnoringCase } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import {
  addressRange,
  containerAppName,
  containerName,
  environmentId,
  positiveNumber,
  resourceGroupName,
  scaleRuleName,
  secretName,
} from './names.js';
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
    ingress: block(
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
    ),
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
          azure_queue_scale_rule: block(
            'list',
            {
              name: required('string', { checks: [scaleRuleName] }),
              queue_length: required('number', { checks: [atLeast(1)] }),
              queue_name: required('string'),
            },
            {
              blocks: {
                authentication: block(
                  'list',
                  { secret_name: required('string', { checks: [secretName] }), trigger_parameter: required('string') },
                  { min: 1 },
                ),
              },
            },
          ),
          container: block(
            'list',
            {
              args: optional(['list', 'string']),
              command: optional(['list', 'string']),
              cpu: required('number', { checks: [atLeast(0.1)] }),
              ephemeral_storage: computed('string'),
              image: required('string', { checks: [notEmpty] }),
              memory: required('string', { checks: [notEmpty] }),
              name: required('string', { checks: [containerName] }),
            },
            {
              min: 1,
              blocks: {
                env: block('list', {
                  name: required('string', { checks: [notEmpty] }),
                  secret_name: optional('string', { checks: [secretName] }),
                  value: optional('string'),
                }),
                liveness_probe: block(
                  'list',
                  {
                    failure_count_threshold: optional('number', { default: 3, checks: [between(1, 30)] }),
                    host: optional('string'),
                    initial_delay: optional('number', { default: 1, checks: [between(0, 60)] }),
                    interval_seconds: optional('number', { default: 10, checks: [between(1, 240)] }),
                    path: optionalComputed('string'),
                    port: required('number', { checks: [between(1, 65535)] }),
                    timeout: optional('number', { default: 1, checks: [between(1, 240)] }),
                    transport: required('string', { checks: [oneOf('TCP', 'HTTP', 'HTTPS')] }),
                    termination_grace_period_seconds: computed('number'),
                  },
                  { blocks: { header: block('list', { name: required('string', { checks: [notEmpty] }), value: required('string') }) } },
                ),
                readiness_probe: block(
                  'list',
                  {
                    failure_count_threshold: optional('number', { default: 3, checks: [between(1, 30)] }),
                    host: optional('string'),
                    initial_delay: optional('number', { default: 0, checks: [between(0, 60)] }),
                    interval_seconds: optional('number', { default: 10, checks: [between(1, 240)] }),
                    path: optionalComputed('string'),
                    port: required('number', { checks: [between(1, 65535)] }),
                    success_count_threshold: optional('number', { default: 3, checks: [between(1, 10)] }),
                    timeout: optional('number', { default: 1, checks: [between(1, 240)] }),
                    transport: required('string', { checks: [oneOfIgnoringCase('TCP', 'HTTP', 'HTTPS')] }),
                  },
                  { blocks: { header: block('list', { name: required('string', { checks: [notEmpty] }), value: required('string') }) } },
                ),
                startup_probe: block(
                  'list',
                  {
                    failure_count_threshold: optional('number', { default: 3, checks: [between(1, 30)] }),
                    host: optional('string'),
                    initial_delay: optional('number', { default: 0, checks: [between(0, 60)] }),
                    interval_seconds: optional('number', { default: 10, checks: [between(1, 240)] }),
                    path: optionalComputed('string'),
                    port: required('number', { checks: [between(1, 65535)] }),
                    timeout: optional('number', { default: 1, checks: [between(1, 240)] }),
                    transport: required('string', { checks: [oneOf('TCP', 'HTTP', 'HTTPS')] }),
                    termination_grace_period_seconds: computed('number'),
                  },
                  { blocks: { header: block('list', { name: required('string', { checks: [notEmpty] }), value: required('string') }) } },
                ),
                volume_mounts: block('list', {
                  name: required('string', { checks: [notEmpty] }),
                  path: required('string', { checks: [notEmpty] }),
                  sub_path: optional('string'),
                }),
              },
            },
          ),
          custom_scale_rule: block(
            'list',
            {
              custom_rule_type: required('string'),
              identity_id: optional('string'),
              metadata: required(['map', 'string']),
              name: required('string', { checks: [scaleRuleName] }),
            },
            {
              blocks: {
                authentication: block('list', {
                  secret_name: required('string', { checks: [secretName] }),
                  trigger_parameter: required('string'),
                }),
              },
            },
          ),
          http_scale_rule: block(
            'list',
            {
              concurrent_requests: required('string', { checks: [positiveNumber] }),
              name: required('string', { checks: [scaleRuleName] }),
            },
            {
              blocks: {
                authentication: block('list', {
                  secret_name: required('string', { checks: [secretName] }),
                  trigger_parameter: optional('string'),
                }),
              },
            },
          ),
          init_container: block(
            'list',
            {
              args: optional(['list', 'string']),
              command: optional(['list', 'string']),
              cpu: optional('number', { checks: [atLeast(0.1)] }),
              ephemeral_storage: computed('string'),
              image: required('string', { checks: [notEmpty] }),
              memory: optional('string', { checks: [notEmpty] }),
              name: required('string', { checks: [containerName] }),
            },
            {
              blocks: {
                env: block('list', {
                  name: required('string', { checks: [notEmpty] }),
                  secret_name: optional('string', { checks: [secretName] }),
                  value: optional('string'),
                }),
                volume_mounts: block('list', {
                  name: required('string', { checks: [notEmpty] }),
                  path: required('string', { checks: [notEmpty] }),
                  sub_path: optional('string'),
                }),
              },
            },
          ),
          tcp_scale_rule: block(
            'list',
            {
              concurrent_requests: required('string', { checks: [positiveNumber] }),
              name: required('string', { checks: [scaleRuleName] }),
            },
            {
              blocks: {
                authentication: block('list', {
                  secret_name: required('string', { checks: [secretName] }),
                  trigger_parameter: optional('string'),
                }),
              },
            },
          ),
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
