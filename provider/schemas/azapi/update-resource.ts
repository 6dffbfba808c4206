import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { resourceType } from './names.js';
import type { ResourceSchema } from '../schema.js';
import { retry } from './retry.js';

/** The resource azapi_update_resource. */
export const updateResource: ResourceSchema = {
  version: 2,
  attributes: {
    body: optional('dynamic'),
    id: computed('string'),
    ignore_casing: optional('bool', { default: false }),
    ignore_missing_property: optional('bool', { default: true }),
    ignore_other_items_in_list: optional(['list', 'string']),
    list_unique_id_property: optional(['map', 'string']),
    locks: optional(['list', 'string']),
    name: optionalComputed('string', { forceNew: true }),
    output: computed('dynamic'),
    parent_id: optionalComputed('string', { forceNew: true }),
    read_headers: optional(['map', 'string']),
    read_query_parameters: optional(['map', ['list', 'string']]),
    replace_triggers_external_values: optional('dynamic'),
    resource_id: optionalComputed('string', { forceNew: true }),
    response_export_values: optional('dynamic'),
    retry,
    sensitive_body: optional('dynamic', { writeOnly: true }),
    sensitive_body_version: optional(['map', 'string']),
    type: required('string', { checks: [resourceType] }),
    update_headers: optional(['map', 'string']),
    update_query_parameters: optional(['map', ['list', 'string']]),
  },
  blocks: { ...timeoutsBlock() },
};
