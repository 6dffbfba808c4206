import { optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty } from '../checks.js';
import { applicationId } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_identifier_uri. */
export const applicationIdentifierUri: ResourceSchema = {
  version: 0,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    id: optionalComputed('string'),
    identifier_uri: required('string', { forceNew: true, checks: [notEmpty] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};
