import { computed, nested, optional, required } from '../build.js';
import { oneOf, uuid } from '../checks.js';
import { kqlDatabaseDefinition } from './definition-rules.js';
import { itemAttributes } from './item-attributes.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_kql_database. */
export const kqlDatabase: ResourceSchema = {
  version: 0,
  attributes: {
    ...itemAttributes,
    configuration: nested(
      'optional',
      'single',
      {
        database_type: required('string', { forceNew: true, checks: [oneOf('ReadWrite', 'Shortcut')] }),
        eventhouse_id: required('string', { forceNew: true, checks: [uuid] }),
        invitation_token: optional('string', { forceNew: true, sensitive: true, deprecated: true }),
        invitation_token_wo: optional('string', { writeOnly: true }),
        invitation_token_wo_version: optional('number', { forceNew: true }),
        source_cluster_uri: optional('string', { forceNew: true }),
        source_database_name: optional('string', { forceNew: true }),
      },
      { forceNew: true, exactlyOneOf: ['configuration', 'definition'] },
    ),
    properties: nested(
      'computed',
      'single',
      {
        database_type: computed('string'),
        eventhouse_id: computed('string'),
        ingestion_service_uri: computed('string'),
        query_service_uri: computed('string'),
      },
      { volatile: true },
    ),
  },
  rules: [kqlDatabaseDefinition],
};
