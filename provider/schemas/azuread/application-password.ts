import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty, rfc3339 } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_password. */
export const applicationPassword: ResourceSchema = {
  version: 1,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    display_name: optionalComputed('string', { forceNew: true, checks: [notEmpty] }),
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
    start_date: optionalComputed('string', { forceNew: true, checks: [rfc3339] }),
    value: computed('string', { sensitive: true }),
  },
  blocks: { ...timeoutsBlock() },
};
