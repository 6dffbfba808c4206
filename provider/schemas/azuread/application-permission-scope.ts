import { optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty, oneOf, uuid } from '../checks.js';
import { applicationId, claimValue } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_permission_scope. */
export const applicationPermissionScope: ResourceSchema = {
  version: 0,
  attributes: {
    admin_consent_description: required('string', { checks: [notEmpty] }),
    admin_consent_display_name: required('string', { checks: [notEmpty] }),
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    scope_id: required('string', { forceNew: true, checks: [uuid] }),
    type: optional('string', { default: 'User', checks: [oneOf('Admin', 'User')] }),
    user_consent_description: optional('string'),
    user_consent_display_name: optional('string'),
    value: required('string', { checks: [claimValue] }),
  },
  blocks: { ...timeoutsBlock() },
};
