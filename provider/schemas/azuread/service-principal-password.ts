import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { rfc3339 } from '../checks.js';
import { servicePrincipalId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_service_principal_password. */
export const servicePrincipalPassword: ResourceSchema = {
  version: 1,
  attributes: {
    display_name: optionalComputed('string', { forceNew: true }),
    end_date: optionalComputed('string', { forceNew: true, conflictsWith: ['end_date_relative'], checks: [rfc3339] }),
    end_date_relative: optional('string', {
      forceNew: true,
      deprecated:
        'The `end_date_relative` property is deprecated and will be removed in the next major version. It has no effect: set `end_date`.',
      conflictsWith: ['end_date'],
    }),
    id: optionalComputed('string'),
    key_id: computed('string'),
    rotate_when_changed: optional(['map', 'string'], { forceNew: true }),
    service_principal_id: required('string', { forceNew: true, checks: [servicePrincipalId] }),
    start_date: optionalComputed('string', { forceNew: true, checks: [rfc3339] }),
    value: computed('string', { sensitive: true }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
