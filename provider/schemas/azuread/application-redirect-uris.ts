import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { oneOf } from '../checks.js';
import { anyRedirectUri, applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_redirect_uris. */
export const applicationRedirectUris: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    redirect_uris: required(['set', 'string'], { checks: [anyRedirectUri] }),
    type: required('string', { forceNew: true, checks: [oneOf('PublicClient', 'SPA', 'Web')] }),
  },
  blocks: { ...timeoutsBlock() },
};
