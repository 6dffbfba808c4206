import { computed, optional, optionalComputed, required, timeoutsBlock } from '../../build.js';
import { oneOf } from '../../checks.js';
import { resourceType } from '../names.js';
import type { ResourceSchema } from '../../schema.js';
import { retry } from '../retry.js';

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
