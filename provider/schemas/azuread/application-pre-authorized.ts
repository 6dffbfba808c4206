import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_pre_authorized. */
export const applicationPreAuthorized: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    authorized_client_id: required('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    permission_ids: required(['set', 'string'], { checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock() },
};
