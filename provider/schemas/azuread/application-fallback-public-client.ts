import { optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_fallback_public_client. */
export const applicationFallbackPublicClient: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    enabled: optional('bool', { default: false, forceNew: true }),
    id: optionalComputed('string'),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
