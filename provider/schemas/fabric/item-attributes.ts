import { computed, nested, optional, optionalComputed, required, timeoutsAttribute } from '../build.js';
import { bytesAtMost, notEmpty, oneOf, uuid } from '../checks.js';
import type { Attribute } from '../schema.js';
import { sameIgnoringCase } from '../spelling.js';

/** What the data sources of items have in common. */
export const itemDataAttributes = {
  definition: nested('computed', 'map', { content: computed('string') }),
  description: computed('string'),
  display_name: optionalComputed('string'),
  folder_id: computed('string'),
  format: optional('string'),
  id: optionalComputed('string', { checks: [uuid], exactlyOneOf: ['id', 'display_name'] }),
  output_definition: optionalComputed('bool', { requiredWith: ['format'] }),
  tags: computed(['set', 'string']),
  ...timeoutsAttribute('read'),
  workspace_id: required('string', { checks: [uuid] }),
} satisfies Readonly<Record<string, Attribute>>;

/** The attributes that eventhouses, eventstreams and databases have in common: where and what the item is, and its definition. */
export const itemAttributes = {
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
  tags: optional(['set', 'string'], { default: [], same: sameIgnoringCase }),
  ...timeoutsAttribute(),
  workspace_id: required('string', { forceNew: true, checks: [uuid] }),
} satisfies Readonly<Record<string, Attribute>>;
