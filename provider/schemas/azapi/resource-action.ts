import { computed, optional, required, timeoutsBlock, optionalComputed } from '../build.js';
import { oneOf } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { resourceType } from './names.js';
import type { ResourceSchema } from '../schema.js';
import { retry } from './retry.js';

/** The resource azapi_resource_action. */
export const resourceAction: ResourceSchema = {
  version: 3,
  attributes: {
    action: optional('string', { forceNew: true }),
    body: optional('dynamic'),
    exist: computed('bool'),
    headers: optional(['map', 'string']),
    id: computed('string'),
    ignore_not_found: optional('bool'),
    locks: optional(['list', 'string']),
    method: optional('string', { default: 'POST', checks: [oneOf('POST', 'PATCH', 'PUT', 'DELETE', 'GET', 'HEAD')] }),
    output: computed('dynamic'),
    query_parameters: optional(['map', ['list', 'string']]),
    resource_id: required('string', { forceNew: true, same: sameIgnoringCase }),
    response_export_values: optional('dynamic'),
    retry,
    sensitive_body: optional('dynamic', { writeOnly: true }),
    sensitive_body_version: optional(['map', 'string']),
    sensitive_output: computed('dynamic', { sensitive: true }),
    sensitive_response_export_values: optional('dynamic'),
    type: required('string', { checks: [resourceType] }),
    when: optional('string', { default: 'apply', checks: [oneOf('apply', 'destroy')] }),
  },
  blocks: { ...timeoutsBlock() },
};

/** The data source azapi_resource_action. */
export const resourceActionData: ResourceSchema = {
  version: 0,
  attributes: {
    action: optional('string'),
    body: optional('dynamic'),
    headers: optional(['map', 'string']),
    id: computed('string'),
    method: optionalComputed('string', { checks: [oneOf('GET', 'POST')] }),
    output: computed('dynamic'),
    query_parameters: optional(['map', ['list', 'string']]),
    resource_id: optional('string'),
    response_export_values: optional('dynamic'),
    retry,
    sensitive_output: computed('dynamic', { sensitive: true }),
    sensitive_response_export_values: optional('dynamic'),
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};
