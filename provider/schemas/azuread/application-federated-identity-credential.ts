import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { length, notEmpty } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_federated_identity_credential. */
export const applicationFederatedIdentityCredential: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    audiences: required(['list', 'string'], { max: 1, checks: [notEmpty] }),
    credential_id: computed('string'),
    description: optional('string'),
    display_name: required('string', { forceNew: true, checks: [length(1, 120)] }),
    id: optionalComputed('string'),
    issuer: required('string', { checks: [notEmpty] }),
    subject: required('string', { checks: [notEmpty] }),
  },
  blocks: { ...timeoutsBlock() },
};
