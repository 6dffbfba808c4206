import { computed, nested, optional, optionalComputed, timeoutsAttribute } from '../../build.js';
import { uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source fabric_workspace. */
export const workspaceData: ResourceSchema = {
  version: 0,
  attributes: {
    capacity_assignment_progress: computed('string'),
    capacity_id: computed('string'),
    capacity_region: computed('string'),
    description: computed('string'),
    display_name: optionalComputed('string'),
    id: optionalComputed('string', { checks: [uuid], exactlyOneOf: ['id', 'display_name'] }),
    identity: nested('computed', 'single', {
      application_id: computed('string'),
      service_principal_id: computed('string'),
      type: computed('string'),
    }),
    onelake_endpoints: nested('computed', 'single', { blob_endpoint: computed('string'), dfs_endpoint: computed('string') }),
    skip_capacity_state_validation: optional('bool'),
    ...timeoutsAttribute('read'),
    type: computed('string'),
  },
};
