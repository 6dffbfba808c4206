import { block, computed, optional, optionalComputed, required, timeoutsBlock, dataOf, foundByOne, listOf } from '../build.js';
import { between, httpUrl, length, notEmpty, oneOf, uuid } from '../checks.js';
import { claimProperties, claimValue, anyRedirectUri, spaRedirectUri, webRedirectUri } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The roles that an application defines, as answers list them. */
export const appRoles = listOf({
  allowed_member_types: ['list', 'string'],
  description: 'string',
  display_name: 'string',
  enabled: 'bool',
  id: 'string',
  value: 'string',
});

/** The scopes that an application exposes, as answers list them. */
export const permissionScopes = listOf({
  admin_consent_description: 'string',
  admin_consent_display_name: 'string',
  enabled: 'bool',
  id: 'string',
  type: 'string',
  user_consent_description: 'string',
  user_consent_display_name: 'string',
  value: 'string',
});

/** A claim that tokens carry on request. */
export const optionalClaim = {
  additional_properties: optional(['list', 'string'], { checks: [oneOf(...claimProperties)] }),
  essential: optional('bool', { default: false }),
  name: required('string', { checks: [notEmpty] }),
  source: optional('string', { checks: [oneOf('user')] }),
};

/** The resource azuread_application. */
export const application: ResourceSchema = {
  version: 2,
  attributes: {
    app_role_ids: computed(['map', 'string']),
    client_id: computed('string'),
    description: optional('string'),
    device_only_auth_enabled: optional('bool'),
    disabled_by_microsoft: computed('string'),
    display_name: required('string', { checks: [notEmpty] }),
    fallback_public_client_enabled: optional('bool'),
    group_membership_claims: optional(['set', 'string'], {
      checks: [oneOf('All', 'None', 'ApplicationGroup', 'DirectoryRole', 'SecurityGroup')],
    }),
    id: optionalComputed('string'),
    identifier_uris: optional(['set', 'string'], { checks: [notEmpty] }),
    logo_image: optional('string'),
    logo_url: computed('string'),
    marketing_url: optional('string', { checks: [httpUrl] }),
    notes: optional('string'),
    oauth2_permission_scope_ids: computed(['map', 'string']),
    oauth2_post_response_required: optional('bool'),
    object_id: computed('string'),
    owners: optional(['set', 'string'], { max: 100, checks: [uuid] }),
    prevent_duplicate_names: optional('bool', { default: false }),
    privacy_statement_url: optional('string', { checks: [httpUrl] }),
    publisher_domain: computed('string'),
    service_management_reference: optional('string'),
    sign_in_audience: optional('string', {
      default: 'AzureADMyOrg',
      checks: [oneOf('AzureADMyOrg', 'AzureADMultipleOrgs', 'AzureADandPersonalMicrosoftAccount', 'PersonalMicrosoftAccount')],
    }),
    support_url: optional('string', { checks: [httpUrl] }),
    tags: optionalComputed(['set', 'string'], { conflictsWith: ['feature_tags'] }),
    template_id: optionalComputed('string', { forceNew: true, checks: [uuid] }),
    terms_of_service_url: optional('string', { checks: [httpUrl] }),
  },
  blocks: {
    feature_tags: block(
      'list',
      { custom_single_sign_on: optional('bool'), enterprise: optional('bool'), gallery: optional('bool'), hide: optional('bool') },
      { computed: true, conflictsWith: ['tags'] },
    ),
    api: block(
      'list',
      {
        known_client_applications: optional(['set', 'string'], { checks: [uuid] }),
        mapped_claims_enabled: optional('bool'),
        requested_access_token_version: optional('number', { default: 1, checks: [between(1, 2)] }),
      },
      {
        max: 1,
        blocks: {
          oauth2_permission_scope: block('set', {
            admin_consent_description: optional('string'),
            admin_consent_display_name: optional('string'),
            enabled: optional('bool', { default: true }),
            id: required('string', { checks: [uuid] }),
            type: optional('string', { default: 'User', checks: [oneOf('Admin', 'User')] }),
            user_consent_description: optional('string'),
            user_consent_display_name: optional('string'),
            value: optional('string', { checks: [claimValue] }),
          }),
        },
      },
    ),
    app_role: block('set', {
      allowed_member_types: required(['set', 'string'], { min: 1, checks: [oneOf('Application', 'User')] }),
      description: required('string', { checks: [notEmpty] }),
      display_name: required('string', { checks: [notEmpty] }),
      enabled: optional('bool', { default: true }),
      id: required('string', { checks: [uuid] }),
      value: optional('string', { checks: [claimValue] }),
    }),
    optional_claims: block(
      'list',
      {},
      {
        max: 1,
        blocks: {
          access_token: block('list', optionalClaim),
          id_token: block('list', optionalClaim),
          saml2_token: block('list', optionalClaim),
        },
      },
    ),
    password: block(
      'set',
      {
        display_name: required('string'),
        end_date: optionalComputed('string'),
        key_id: computed('string'),
        start_date: optionalComputed('string'),
        value: computed('string', { sensitive: true }),
      },
      { max: 1 },
    ),
    public_client: block('list', { redirect_uris: optional(['set', 'string'], { max: 256, checks: [anyRedirectUri] }) }, { max: 1 }),
    required_resource_access: block(
      'set',
      { resource_app_id: required('string', { checks: [uuid] }) },
      {
        blocks: {
          resource_access: block(
            'list',
            { id: required('string', { checks: [uuid] }), type: required('string', { checks: [oneOf('Role', 'Scope')] }) },
            { min: 1 },
          ),
        },
      },
    ),
    single_page_application: block(
      'list',
      { redirect_uris: optional(['set', 'string'], { max: 256, checks: [spaRedirectUri] }) },
      { max: 1 },
    ),
    ...timeoutsBlock(),
    web: block(
      'list',
      {
        homepage_url: optional('string', { checks: [httpUrl] }),
        logout_url: optional('string', { checks: [httpUrl, length(1, 255)] }),
        redirect_uris: optional(['set', 'string'], { max: 256, checks: [webRedirectUri] }),
      },
      {
        max: 1,
        blocks: {
          implicit_grant: block(
            'list',
            { access_token_issuance_enabled: optional('bool'), id_token_issuance_enabled: optional('bool') },
            { max: 1 },
          ),
        },
      },
    ),
  },
};

/** The data source azuread_application. */
export const applicationData = dataOf(
  application,
  {
    ...foundByOne({ client_id: uuid, display_name: notEmpty, object_id: uuid, identifier_uri: notEmpty }),
    api: computed(
      listOf({
        known_client_applications: ['list', 'string'],
        mapped_claims_enabled: 'bool',
        oauth2_permission_scopes: permissionScopes,
        requested_access_token_version: 'number',
      }),
    ),
    app_roles: computed(appRoles),
    tags: computed(['set', 'string']),
  },
  ['logo_image', 'prevent_duplicate_names', 'template_id', 'app_role', 'password'],
);

/** The data source azuread_application_published_app_ids. */
export const applicationPublishedAppIdsData: ResourceSchema = {
  version: 0,
  attributes: { id: optionalComputed('string'), result: computed(['map', 'string']) },
  blocks: { ...timeoutsBlock('read') },
};
