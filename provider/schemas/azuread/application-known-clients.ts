import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_known_clients. */
export const applicationKnownClients: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    known_client_ids: required(['set', 'string'], { checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock() },
};
