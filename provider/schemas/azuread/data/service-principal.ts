import { computed, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_service_principal. */
export const servicePrincipalData: ResourceSchema = {
  version: 0,
  attributes: {
    account_enabled: computed('bool'),
    alternative_names: computed(['list', 'string']),
    app_role_assignment_required: computed('bool'),
    app_role_ids: computed(['map', 'string']),
    app_roles: computed([
      'list',
      [
        'object',
        {
          allowed_member_types: ['list', 'string'],
          description: 'string',
          display_name: 'string',
          enabled: 'bool',
          id: 'string',
          value: 'string',
        },
      ],
    ]),
    application_tenant_id: computed('string'),
    client_id: optionalComputed('string', { exactlyOneOf: ['client_id', 'display_name', 'object_id'], checks: [uuid] }),
    description: computed('string'),
    display_name: optionalComputed('string', { exactlyOneOf: ['client_id', 'display_name', 'object_id'], checks: [notEmpty] }),
    feature_tags: computed(['list', ['object', { custom_single_sign_on: 'bool', enterprise: 'bool', gallery: 'bool', hide: 'bool' }]]),
    features: computed(
      [
        'list',
        [
          'object',
          { custom_single_sign_on_app: 'bool', enterprise_application: 'bool', gallery_application: 'bool', visible_to_users: 'bool' },
        ],
      ],
      { deprecated: true },
    ),
    homepage_url: computed('string'),
    id: optionalComputed('string'),
    login_url: computed('string'),
    logout_url: computed('string'),
    notes: computed('string'),
    notification_email_addresses: computed(['list', 'string']),
    oauth2_permission_scope_ids: computed(['map', 'string']),
    oauth2_permission_scopes: computed([
      'list',
      [
        'object',
        {
          admin_consent_description: 'string',
          admin_consent_display_name: 'string',
          enabled: 'bool',
          id: 'string',
          type: 'string',
          user_consent_description: 'string',
          user_consent_display_name: 'string',
          value: 'string',
        },
      ],
    ]),
    object_id: optionalComputed('string', { exactlyOneOf: ['client_id', 'display_name', 'object_id'], checks: [uuid] }),
    preferred_single_sign_on_mode: computed('string'),
    redirect_uris: computed(['list', 'string']),
    saml_metadata_url: computed('string'),
    saml_single_sign_on: computed(['list', ['object', { relay_state: 'string' }]]),
    service_principal_names: computed(['list', 'string']),
    sign_in_audience: computed('string'),
    tags: computed(['list', 'string']),
    type: computed('string'),
  },
  blocks: { ...timeoutsBlock('read') },
};
