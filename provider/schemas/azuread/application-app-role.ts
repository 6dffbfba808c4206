import { optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty, oneOf, uuid } from '../checks.js';
import { applicationId, claimValue } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_app_role. */
export const applicationAppRole: ResourceSchema = {
  version: 0,
  attributes: {
    allowed_member_types: required(['set', 'string'], { min: 1, checks: [oneOf('Application', 'User')] }),
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    description: required('string', { checks: [notEmpty] }),
    display_name: required('string', { checks: [notEmpty] }),
    id: optionalComputed('string'),
    role_id: required('string', { forceNew: true, checks: [uuid] }),
    value: optional('string', { checks: [claimValue] }),
  },
  blocks: { ...timeoutsBlock() },
};
