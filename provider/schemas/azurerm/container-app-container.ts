import { block, computed, optional, optionalComputed, required } from '../build.js';
import { atLeast, between, notEmpty, oneOf, oneOfIgnoringCase } from '../checks.js';
import { containerName, secretName } from './names.js';
import type { Block } from '../schema.js';

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
);
