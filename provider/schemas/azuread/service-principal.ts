import { block, computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { httpUrl, length, notEmpty, oneOf, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_service_principal. */
export const servicePrincipal: ResourceSchema = {
  version: 1,
  attributes: {
    account_enabled: optional('bool', { default: true }),
    alternative_names: optional(['set', 'string']),
    app_role_assignment_required: optional('bool'),
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
    client_id: required('string', { forceNew: true, checks: [uuid] }),
    description: optional('string', { checks: [length(0, 1024)] }),
    display_name: computed('string'),
    homepage_url: computed('string'),
    id: optionalComputed('string'),
    login_url: optional('string', { checks: [httpUrl] }),
    logout_url: computed('string'),
    notes: optional('string', { checks: [length(0, 1024)] }),
    notification_email_addresses: optional(['set', 'string'], { checks: [notEmpty] }),
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
    object_id: computed('string'),
    owners: optional(['set', 'string'], { checks: [uuid] }),
    preferred_single_sign_on_mode: optional('string', { checks: [oneOf('oidc', 'password', 'saml', 'notSupported')] }),
    redirect_uris: computed(['list', 'string']),
    saml_metadata_url: computed('string'),
    service_principal_names: computed(['list', 'string']),
    sign_in_audience: computed('string'),
    tags: optionalComputed(['set', 'string'], { conflictsWith: ['features', 'feature_tags'] }),
    type: computed('string'),
    use_existing: optional('bool'),
  },
  blocks: {
    feature_tags: block(
      'list',
      { custom_single_sign_on: optional('bool'), enterprise: optional('bool'), gallery: optional('bool'), hide: optional('bool') },
      { computed: true, conflictsWith: ['features', 'tags'] },
    ),
    features: block(
      'list',
      {
        custom_single_sign_on_app: optional('bool'),
        enterprise_application: optional('bool'),
        gallery_application: optional('bool'),
        visible_to_users: optional('bool', { default: true }),
      },
      { computed: true, conflictsWith: ['feature_tags', 'tags'] },
    ),
    saml_single_sign_on: block('list', { relay_state: optional('string') }, { max: 1 }),
    ...timeoutsBlock(),
  },
};
