import { computed, nested, optional, optionalComputed, required, timeoutsAttribute } from '../../build.js';
import { uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source fabric_eventhouse. */
export const eventhouseData: ResourceSchema = {
  version: 0,
  attributes: {
    definition: nested('computed', 'map', { content: computed('string') }),
    description: computed('string'),
    display_name: optionalComputed('string'),
    folder_id: computed('string'),
    format: optional('string'),
    id: optionalComputed('string', { checks: [uuid], exactlyOneOf: ['id', 'display_name'] }),
    output_definition: optionalComputed('bool', { requiredWith: ['format'] }),
    properties: nested('computed', 'single', {
      database_ids: computed(['set', 'string']),
      ingestion_service_uri: computed('string'),
      minimum_consumption_units: computed('number'),
      query_service_uri: computed('string'),
    }),
    tags: computed(['set', 'string']),
    ...timeoutsAttribute('read'),
    workspace_id: required('string', { checks: [uuid] }),
  },
};
