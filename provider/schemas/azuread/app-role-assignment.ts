import { computed, optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_app_role_assignment. */
export const appRoleAssignment: ResourceSchema = {
  version: 1,
  attributes: {
    app_role_id: required('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    principal_display_name: computed('string'),
    principal_object_id: required('string', { forceNew: true, checks: [uuid] }),
    principal_type: computed('string'),
    resource_display_name: computed('string'),
    resource_object_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
