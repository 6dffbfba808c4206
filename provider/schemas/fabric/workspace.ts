import { computed, nested, optional, required, timeoutsAttribute } from '../build.js';
import { bytesAtMost, oneOf, uuid } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import { workspaceDisplayName } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_workspace. */
export const workspace: ResourceSchema = {
  version: 0,
  attributes: {
    capacity_assignment_progress: computed('string', { volatile: true }),
    capacity_id: optional('string', { checks: [uuid], same: sameIgnoringCase }),
    capacity_region: computed('string', { volatile: true }),
    description: optional('string', { default: '', checks: [bytesAtMost(4000)] }),
    display_name: required('string', { checks: [bytesAtMost(256), workspaceDisplayName] }),
    id: computed('string'),
    identity: nested('optional', 'single', {
      application_id: computed('string'),
      service_principal_id: computed('string'),
      type: required('string', { checks: [oneOf('SystemAssigned')] }),
    }),
    onelake_endpoints: nested(
      'computed',
      'single',
      { blob_endpoint: computed('string'), dfs_endpoint: computed('string') },
      { volatile: true },
    ),
    skip_capacity_state_validation: optional('bool', { default: false }),
    ...timeoutsAttribute(),
    type: computed('string', { volatile: true }),
  },
};
