import { block, computed, optional, optionalComputed, required, timeoutsBlock, nested } from '../build.js';
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

/** The data source azapi_resource. */
export const resourceData: ResourceSchema = {
  version: 0,
  attributes: {
    exists: computed('bool'),
    headers: optional(['map', 'string']),
    id: computed('string'),
    identity: nested('computed', 'list', {
      identity_ids: computed(['list', 'string']),
      principal_id: computed('string'),
      tenant_id: computed('string'),
      type: computed('string'),
    }),
    ignore_not_found: optional('bool'),
    location: computed('string'),
    name: optionalComputed('string'),
    output: computed('dynamic'),
    parent_id: optionalComputed('string'),
    query_parameters: optional(['map', ['list', 'string']]),
    resource_id: optionalComputed('string'),
    response_export_values: optional('dynamic'),
    retry,
    tags: computed(['map', 'string']),
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};

/** The data source azapi_resource_id. */
export const resourceIdData: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    name: optionalComputed('string'),
    parent_id: optionalComputed('string'),
    parts: computed(['map', 'string']),
    provider_namespace: computed('string'),
    resource_group_name: computed('string'),
    resource_id: optionalComputed('string'),
    subscription_id: computed('string'),
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};

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
    retry,
    type: required('string', { checks: [resourceType] }),
  },
  blocks: { ...timeoutsBlock('read') },
};
