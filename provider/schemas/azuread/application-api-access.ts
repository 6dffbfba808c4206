import { optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_api_access. */
export const applicationApiAccess: ResourceSchema = {
  version: 0,
  attributes: {
    api_client_id: required('string', { forceNew: true, checks: [uuid] }),
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    role_ids: optional(['set', 'string'], { atLeastOneOf: ['role_ids', 'scope_ids'], checks: [uuid] }),
    scope_ids: optional(['set', 'string'], { atLeastOneOf: ['role_ids', 'scope_ids'], checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock() },
};
