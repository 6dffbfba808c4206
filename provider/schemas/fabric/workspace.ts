import { computed, nested, optional, required, timeoutsAttribute, optionalComputed } from '../build.js';
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

/** The resource fabric_folder. */
export const folder: ResourceSchema = {
  version: 0,
  attributes: {
    display_name: required('string', { checks: [bytesAtMost(255)] }),
    id: computed('string'),
    parent_folder_id: optional('string', { checks: [uuid], same: sameIgnoringCase }),
    ...timeoutsAttribute(),
    workspace_id: required('string', { forceNew: true, checks: [uuid] }),
  },
};

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

/** The data source fabric_capacity. */
export const capacityData: ResourceSchema = {
  version: 0,
  attributes: {
    display_name: optionalComputed('string'),
    id: optionalComputed('string', { checks: [uuid], exactlyOneOf: ['id', 'display_name'] }),
    region: computed('string'),
    sku: computed('string'),
    state: computed('string'),
    ...timeoutsAttribute('read'),
  },
};
