import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_administrative_unit. */
export const administrativeUnit: ResourceSchema = {
  version: 1,
  attributes: {
    description: optional('string'),
    display_name: required('string', { checks: [notEmpty] }),
    hidden_membership_enabled: optional('bool'),
    id: optionalComputed('string'),
    members: optionalComputed(['set', 'string'], { checks: [uuid] }),
    object_id: computed('string'),
    prevent_duplicate_names: optional('bool', { default: false }),
  },
  blocks: { ...timeoutsBlock() },
};
