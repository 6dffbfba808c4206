import { computed, nested, optional, optionalComputed, required, timeoutsBlock } from '../../build.js';
import { resourceType } from '../names.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azapi_resource_list. */
export const resourceListData: ResourceSchema = {
  version: 0,
  attributes: {
    headers: optional(['map', 'string']),
    id: computed('string'),
    output: computed('dynamic'),
    parent_id: required('string'),
    query_parameters: optional(['map', ['list', 'string']]),
    response_export_values: optional('dynamic'),
    retry: nested('optional', 'single', {
      error_message_regex: required(['list', 'string']),
      interval_seconds: optionalComputed('number'),
      max_interval_seconds: optionalComputed('number'),
      multiplier: optionalComputed('number', { deprecated: true }),
      randomization_factor: optionalComputed('number', { deprecated: true }),
    }),
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};
