import { block, computed, optional, optionalComputed, required } from '../build.js';
import { atLeast, between, notEmpty, oneOf, oneOfIgnoringCase } from '../checks.js';
import { containerName, secretName, positiveNumber, scaleRuleName } from './names.js';
import type { Attribute, Block, Check } from '../schema.js';

const env = block('list', {
  name: required('string', { checks: [notEmpty] }),
  secret_name: optional('string', { checks: [secretName] }),
  value: optional('string'),
});

const volumeMounts = block('list', {
  name: required('string', { checks: [notEmpty] }),
  path: required('string', { checks: [notEmpty] }),
  sub_path: optional('string'),
});

const transport = oneOf('TCP', 'HTTP', 'HTTPS');

function delay(standard: number): Attribute {
  return optional('number', { default: standard, checks: [between(0, 60)] });
}

/** A probe of a container, with what only this one has. */
function probe(transports: Check, own: Readonly<Record<string, Attribute>>): Block {
  return block(
    'list',
    {
      failure_count_threshold: optional('number', { default: 3, checks: [between(1, 30)] }),
      host: optional('string'),
      interval_seconds: optional('number', { default: 10, checks: [between(1, 240)] }),
      path: optionalComputed('string'),
      port: required('number', { checks: [between(1, 65535)] }),
      timeout: optional('number', { default: 1, checks: [between(1, 240)] }),
      transport: required('string', { checks: [transports] }),
      ...own,
    },
    { blocks: { header: block('list', { name: required('string', { checks: [notEmpty] }), value: required('string') }) } },
  );
}

/** What runs in an app: block `template.container`. */
export const container: Block = block(
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
      env,
      liveness_probe: probe(transport, { initial_delay: delay(1), termination_grace_period_seconds: computed('number') }),
      readiness_probe: probe(oneOfIgnoringCase('TCP', 'HTTP', 'HTTPS'), {
        initial_delay: delay(0),
        success_count_threshold: optional('number', { default: 3, checks: [between(1, 10)] }),
      }),
      startup_probe: probe(transport, { initial_delay: delay(0), termination_grace_period_seconds: computed('number') }),
      volume_mounts: volumeMounts,
    },
  },
);

/** What runs before it: block `template.init_container`. */
export const initContainer: Block = block(
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
      env,
      volume_mounts: volumeMounts,
    },
  },
);

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
