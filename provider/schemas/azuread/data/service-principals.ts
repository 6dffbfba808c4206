import { computed, optional, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_service_principals. */
export const servicePrincipalsData: ResourceSchema = {
  version: 0,
  attributes: {
    client_ids: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['client_ids', 'display_names', 'object_ids', 'return_all'],
      checks: [uuid],
    }),
    display_names: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['client_ids', 'display_names', 'object_ids', 'return_all'],
      checks: [notEmpty],
    }),
    id: optionalComputed('string'),
    ignore_missing: optional('bool', { default: false, conflictsWith: ['return_all'] }),
    object_ids: optionalComputed(['list', 'string'], {
      exactlyOneOf: ['client_ids', 'display_names', 'object_ids', 'return_all'],
      checks: [uuid],
    }),
    return_all: optional('bool', {
      default: false,
      conflictsWith: ['ignore_missing'],
      exactlyOneOf: ['client_ids', 'display_names', 'object_ids', 'return_all'],
    }),
    service_principals: computed([
      'list',
      [
        'object',
        {
          account_enabled: 'bool',
          app_role_assignment_required: 'bool',
          application_tenant_id: 'string',
          client_id: 'string',
          display_name: 'string',
          object_id: 'string',
          preferred_single_sign_on_mode: 'string',
          saml_metadata_url: 'string',
          service_principal_names: ['list', 'string'],
          sign_in_audience: 'string',
          tags: ['list', 'string'],
          type: 'string',
        },
      ],
    ]),
  },
  blocks: { ...timeoutsBlock('read') },
};
