import { block, optional, required } from '../build.js';
import { atLeast } from '../checks.js';
import { positiveNumber, scaleRuleName, secretName } from './names.js';
import type { Block } from '../schema.js';

/** Scales by the length of a queue: block `template.azure_queue_scale_rule`. */
export const azureQueueRule: Block = block(
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
);

/** Scales by any other measure: block `template.custom_scale_rule`. */
export const customRule: Block = block(
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
);

/** Scales by requests or connections: blocks `template.http_scale_rule` and `template.tcp_scale_rule`. */
export const requestsRule: Block = block(
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
);
