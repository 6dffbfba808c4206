import { computed, nested, optional, required, timeoutsAttribute } from '../build.js';
import { bytesAtMost, notEmpty, oneOf, uuid } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { kqlDatabaseDefinition } from './definition-rules.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_kql_database. */
export const kqlDatabase: ResourceSchema = {
  version: 0,
  attributes: {
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
    definition: nested('optional', 'map', {
      parameters: nested('optional', 'set', {
        find: required('string'),
        type: required('string', { checks: [oneOf('JsonPathReplace', 'TextReplace')] }),
        value: required('string'),
      }),
      processing_mode: optional('string', { default: 'GoTemplate', checks: [oneOf('GoTemplate', 'None', 'Parameters')] }),
      source: required('string', { checks: [notEmpty] }),
      source_content_sha256: computed('string'),
      tokens: optional(['map', 'string']),
      tokens_delimiter: optional('string', { default: '{{}}', checks: [oneOf('{{}}', '<<>>', '@{}@', '____')] }),
    }),
    definition_update_enabled: optional('bool', { default: true }),
    description: optional('string', { default: '', checks: [bytesAtMost(256)] }),
    display_name: required('string', { checks: [bytesAtMost(123)] }),
    folder_id: optional('string', { checks: [uuid], same: sameIgnoringCase }),
    format: optional('string', { checks: [oneOf('Default')] }),
    id: computed('string'),
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
    tags: optional(['set', 'string'], { default: [], same: sameIgnoringCase }),
    ...timeoutsAttribute(),
    workspace_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  rules: [kqlDatabaseDefinition],
};
