import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { uuid } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_owner. */
export const applicationOwner: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    owner_object_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
