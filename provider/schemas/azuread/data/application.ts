import { computed, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_application. */
export const applicationData: ResourceSchema = {
  version: 0,
  attributes: {
    api: computed([
      'list',
      [
        'object',
        {
          known_client_applications: ['list', 'string'],
          mapped_claims_enabled: 'bool',
          oauth2_permission_scopes: [
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
          ],
          requested_access_token_version: 'number',
        },
      ],
    ]),
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
    client_id: optionalComputed('string', { exactlyOneOf: ['client_id', 'display_name', 'object_id', 'identifier_uri'], checks: [uuid] }),
    description: computed('string'),
    device_only_auth_enabled: computed('bool'),
    disabled_by_microsoft: computed('string'),
    display_name: optionalComputed('string', {
      exactlyOneOf: ['client_id', 'display_name', 'object_id', 'identifier_uri'],
      checks: [notEmpty],
    }),
    fallback_public_client_enabled: computed('bool'),
    feature_tags: computed(['list', ['object', { custom_single_sign_on: 'bool', enterprise: 'bool', gallery: 'bool', hide: 'bool' }]]),
    group_membership_claims: computed(['list', 'string']),
    id: optionalComputed('string'),
    identifier_uri: optionalComputed('string', {
      exactlyOneOf: ['client_id', 'display_name', 'object_id', 'identifier_uri'],
      checks: [notEmpty],
    }),
    identifier_uris: computed(['list', 'string']),
    logo_url: computed('string'),
    marketing_url: computed('string'),
    notes: computed('string'),
    oauth2_permission_scope_ids: computed(['map', 'string']),
    oauth2_post_response_required: computed('bool'),
    object_id: optionalComputed('string', { exactlyOneOf: ['client_id', 'display_name', 'object_id', 'identifier_uri'], checks: [uuid] }),
    optional_claims: computed([
      'list',
      [
        'object',
        {
          access_token: [
            'list',
            ['object', { additional_properties: ['list', 'string'], essential: 'bool', name: 'string', source: 'string' }],
          ],
          id_token: [
            'list',
            ['object', { additional_properties: ['list', 'string'], essential: 'bool', name: 'string', source: 'string' }],
          ],
          saml2_token: [
            'list',
            ['object', { additional_properties: ['list', 'string'], essential: 'bool', name: 'string', source: 'string' }],
          ],
        },
      ],
    ]),
    owners: computed(['list', 'string']),
    privacy_statement_url: computed('string'),
    public_client: computed(['list', ['object', { redirect_uris: ['list', 'string'] }]]),
    publisher_domain: computed('string'),
    required_resource_access: computed([
      'list',
      ['object', { resource_access: ['list', ['object', { id: 'string', type: 'string' }]], resource_app_id: 'string' }],
    ]),
    service_management_reference: computed('string'),
    sign_in_audience: computed('string'),
    single_page_application: computed(['list', ['object', { redirect_uris: ['list', 'string'] }]]),
    support_url: computed('string'),
    tags: computed(['set', 'string']),
    terms_of_service_url: computed('string'),
    web: computed([
      'list',
      [
        'object',
        {
          homepage_url: 'string',
          implicit_grant: ['list', ['object', { access_token_issuance_enabled: 'bool', id_token_issuance_enabled: 'bool' }]],
          logout_url: 'string',
          redirect_uris: ['list', 'string'],
        },
      ],
    ]),
  },
  blocks: { ...timeoutsBlock('read') },
};
