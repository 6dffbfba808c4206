import { optional, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_groups. */
export const groupsData: ResourceSchema = {
  version: 0,
  attributes: {
    display_name_prefix: optionalComputed('string', {
      exactlyOneOf: ['display_names', 'display_name_prefix', 'object_ids', 'return_all'],
      checks: [notEmpty],
    }),
    display_names: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['display_names', 'display_name_prefix', 'object_ids', 'return_all'],
      checks: [notEmpty],
    }),
    id: optionalComputed('string'),
    ignore_missing: optional('bool', { default: false, conflictsWith: ['return_all'] }),
    mail_enabled: optionalComputed('bool', { conflictsWith: ['object_ids'] }),
    object_ids: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['display_names', 'display_name_prefix', 'object_ids', 'return_all'],
      checks: [uuid],
    }),
    return_all: optional('bool', {
      conflictsWith: ['ignore_missing'],
      exactlyOneOf: ['display_names', 'display_name_prefix', 'object_ids', 'return_all'],
    }),
    security_enabled: optionalComputed('bool', { conflictsWith: ['object_ids'] }),
  },
  blocks: { ...timeoutsBlock('read') },
};
