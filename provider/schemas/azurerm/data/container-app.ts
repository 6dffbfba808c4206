import { computed, optional, optionalComputed, required, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azurerm_container_app. */
export const containerAppData: ResourceSchema = {
  version: 0,
  attributes: {
    container_app_environment_id: computed('string'),
    custom_domain_verification_id: computed('string', { sensitive: true }),
    dapr: computed(['list', ['object', { app_id: 'string', app_port: 'number', app_protocol: 'string' }]]),
    id: optionalComputed('string'),
    identity: computed([
      'list',
      ['object', { identity_ids: ['list', 'string'], principal_id: 'string', tenant_id: 'string', type: 'string' }],
    ]),
    ingress: computed([
      'list',
      [
        'object',
        {
          allow_insecure_connections: 'bool',
          client_certificate_mode: 'string',
          cors: [
            'list',
            [
              'object',
              {
                allow_credentials_enabled: 'bool',
                allowed_headers: ['list', 'string'],
                allowed_methods: ['list', 'string'],
                allowed_origins: ['list', 'string'],
                exposed_headers: ['list', 'string'],
                max_age_in_seconds: 'number',
              },
            ],
          ],
          custom_domain: ['list', ['object', { certificate_binding_type: 'string', certificate_id: 'string', name: 'string' }]],
          exposed_port: 'number',
          external_enabled: 'bool',
          fqdn: 'string',
          ip_security_restriction: [
            'list',
            ['object', { action: 'string', description: 'string', ip_address_range: 'string', name: 'string' }],
          ],
          target_port: 'number',
          traffic_weight: [
            'list',
            ['object', { label: 'string', latest_revision: 'bool', percentage: 'number', revision_suffix: 'string' }],
          ],
          transport: 'string',
        },
      ],
    ]),
    latest_revision_fqdn: computed('string'),
    latest_revision_name: computed('string'),
    location: computed('string'),
    max_inactive_revisions: computed('number'),
    name: required('string'),
    outbound_ip_addresses: computed(['list', 'string']),
    read_secrets: optional('bool', { default: true }),
    registry: computed(['list', ['object', { identity: 'string', password_secret_name: 'string', server: 'string', username: 'string' }]]),
    resource_group_name: required('string'),
    revision_mode: computed('string'),
    secret: computed(['set', ['object', { identity: 'string', key_vault_secret_id: 'string', name: 'string', value: 'string' }]], {
      sensitive: true,
    }),
    tags: computed(['map', 'string']),
    template: computed([
      'list',
      [
        'object',
        {
          azure_queue_scale_rule: [
            'list',
            [
              'object',
              {
                authentication: ['list', ['object', { secret_name: 'string', trigger_parameter: 'string' }]],
                name: 'string',
                queue_length: 'number',
                queue_name: 'string',
              },
            ],
          ],
          container: [
            'list',
            [
              'object',
              {
                args: ['list', 'string'],
                command: ['list', 'string'],
                cpu: 'number',
                env: ['list', ['object', { name: 'string', secret_name: 'string', value: 'string' }]],
                ephemeral_storage: 'string',
                image: 'string',
                liveness_probe: [
                  'list',
                  [
                    'object',
                    {
                      failure_count_threshold: 'number',
                      header: ['list', ['object', { name: 'string', value: 'string' }]],
                      host: 'string',
                      initial_delay: 'number',
                      interval_seconds: 'number',
                      path: 'string',
                      port: 'number',
                      timeout: 'number',
                      transport: 'string',
                    },
                  ],
                ],
                memory: 'string',
                name: 'string',
                readiness_probe: [
                  'list',
                  [
                    'object',
                    {
                      failure_count_threshold: 'number',
                      header: ['list', ['object', { name: 'string', value: 'string' }]],
                      host: 'string',
                      initial_delay: 'number',
                      interval_seconds: 'number',
                      path: 'string',
                      port: 'number',
                      success_count_threshold: 'number',
                      timeout: 'number',
                      transport: 'string',
                    },
                  ],
                ],
                startup_probe: [
                  'list',
                  [
                    'object',
                    {
                      failure_count_threshold: 'number',
                      header: ['list', ['object', { name: 'string', value: 'string' }]],
                      host: 'string',
                      initial_delay: 'number',
                      interval_seconds: 'number',
                      path: 'string',
                      port: 'number',
                      timeout: 'number',
                      transport: 'string',
                    },
                  ],
                ],
                volume_mounts: ['list', ['object', { name: 'string', path: 'string', sub_path: 'string' }]],
              },
            ],
          ],
          cooldown_period_in_seconds: 'number',
          custom_scale_rule: [
            'list',
            [
              'object',
              {
                authentication: ['list', ['object', { secret_name: 'string', trigger_parameter: 'string' }]],
                custom_rule_type: 'string',
                identity_id: 'string',
                metadata: ['map', 'string'],
                name: 'string',
              },
            ],
          ],
          http_scale_rule: [
            'list',
            [
              'object',
              {
                authentication: ['list', ['object', { secret_name: 'string', trigger_parameter: 'string' }]],
                concurrent_requests: 'string',
                name: 'string',
              },
            ],
          ],
          init_container: [
            'list',
            [
              'object',
              {
                args: ['list', 'string'],
                command: ['list', 'string'],
                cpu: 'number',
                env: ['list', ['object', { name: 'string', secret_name: 'string', value: 'string' }]],
                ephemeral_storage: 'string',
                image: 'string',
                memory: 'string',
                name: 'string',
                volume_mounts: ['list', ['object', { name: 'string', path: 'string', sub_path: 'string' }]],
              },
            ],
          ],
          max_replicas: 'number',
          min_replicas: 'number',
          polling_interval_in_seconds: 'number',
          revision_suffix: 'string',
          tcp_scale_rule: [
            'list',
            [
              'object',
              {
                authentication: ['list', ['object', { secret_name: 'string', trigger_parameter: 'string' }]],
                concurrent_requests: 'string',
                name: 'string',
              },
            ],
          ],
          termination_grace_period_seconds: 'number',
          volume: ['list', ['object', { mount_options: 'string', name: 'string', storage_name: 'string', storage_type: 'string' }]],
        },
      ],
    ]),
    workload_profile_name: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
