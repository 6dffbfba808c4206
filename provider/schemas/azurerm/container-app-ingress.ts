import { block, computed, optional, required } from '../build.js';
import { atLeast, between, notEmpty, oneOf } from '../checks.js';
import { addressRange } from './names.js';
import type { Block } from '../schema.js';

/** How an app is reached: block `ingress`. */
export const ingress: Block = block(
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
