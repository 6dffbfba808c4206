import { computed, nested, optional, optionalComputed, required, timeoutsBlock } from '../../build.js';
import { resourceType } from '../names.js';
import type { ResourceSchema } from '../../schema.js';
import { retry } from '../retry.js';

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
