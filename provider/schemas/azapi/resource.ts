import { block, computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { sameLocation } from '../spelling.js';
import { azapiResourceRules } from './rules.js';
import { resourceType } from './names.js';
import type { ResourceSchema } from '../schema.js';
import { retry } from './retry.js';

/** The resource azapi_resource. */
export const resource: ResourceSchema = {
  version: 2,
  attributes: {
    body: optionalComputed('dynamic'),
    create_headers: optional(['map', 'string']),
    create_query_parameters: optional(['map', ['list', 'string']]),
    delete_headers: optional(['map', 'string']),
    delete_query_parameters: optional(['map', ['list', 'string']]),
    id: computed('string'),
    ignore_body_changes: optional(['list', 'string'], { writeOnly: true }),
    ignore_casing: optional('bool', { default: false }),
    ignore_missing_property: optional('bool', { default: true }),
    ignore_null_property: optional('bool', { default: false }),
    ignore_other_items_in_list: optional(['list', 'string']),
    list_unique_id_property: optional(['map', 'string']),
    location: optionalComputed('string', { same: sameLocation }),
    locks: optional(['list', 'string']),
    name: optionalComputed('string', { forceNew: true }),
    output: computed('dynamic'),
    parent_id: optionalComputed('string', { forceNew: true }),
    read_headers: optional(['map', 'string']),
    read_query_parameters: optional(['map', ['list', 'string']]),
    replace_triggers_external_values: optional('dynamic'),
    replace_triggers_refs: optional(['list', 'string']),
    response_export_values: optional('dynamic'),
    retry,
    schema_validation_enabled: optional('bool', { default: true }),
    sensitive_body: optional('dynamic', { writeOnly: true }),
    sensitive_body_version: optional(['map', 'string']),
    tags: optionalComputed(['map', 'string']),
    type: required('string', { checks: [resourceType] }),
    update_headers: optional(['map', 'string']),
    update_query_parameters: optional(['map', ['list', 'string']]),
  },
  blocks: {
    identity: block('list', {
      identity_ids: optional(['list', 'string']),
      principal_id: computed('string'),
      tenant_id: computed('string'),
      type: required('string'),
    }),
    ...timeoutsBlock(),
  },
  rules: [azapiResourceRules],
};
