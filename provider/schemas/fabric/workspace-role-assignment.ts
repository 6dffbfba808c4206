import { computed, nested, required, timeoutsAttribute } from '../build.js';
import { oneOf, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_workspace_role_assignment. */
export const workspaceRoleAssignment: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    principal: nested('required', 'single', {
      id: required('string', { forceNew: true, checks: [uuid] }),
      type: required('string', { forceNew: true, checks: [oneOf('Group', 'ServicePrincipal', 'ServicePrincipalProfile', 'User')] }),
    }),
    role: required('string', { checks: [oneOf('Admin', 'Contributor', 'Member', 'Viewer')] }),
    ...timeoutsAttribute(),
    workspace_id: required('string', { forceNew: true, checks: [uuid] }),
  },
};
