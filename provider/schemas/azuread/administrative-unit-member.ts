import { optional, optionalComputed, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

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
