import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_group_member. */
export const groupMember: ResourceSchema = {
  version: 0,
  attributes: {
    group_object_id: required('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    member_object_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
