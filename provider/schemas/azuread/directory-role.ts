import { computed, optionalComputed, timeoutsBlock } from '../build.js';
import { notEmpty, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_directory_role. */
export const directoryRole: ResourceSchema = {
  version: 1,
  attributes: {
    description: computed('string'),
    display_name: optionalComputed('string', { forceNew: true, exactlyOneOf: ['display_name', 'template_id'], checks: [notEmpty] }),
    id: optionalComputed('string'),
    object_id: computed('string'),
    template_id: optionalComputed('string', { forceNew: true, exactlyOneOf: ['display_name', 'template_id'], checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
