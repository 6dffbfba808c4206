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

/** The resource azuread_administrative_unit_member. */
export const administrativeUnitMember: ResourceSchema = {
  version: 1,
  attributes: {
    administrative_unit_object_id: optional('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    member_object_id: optional('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};

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
