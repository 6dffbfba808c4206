import { computed, optional, required, timeoutsBlock } from '../../build.js';
import { resourceType } from '../names.js';
import type { ResourceSchema } from '../../schema.js';
import { retry } from '../retry.js';

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
