import { optionalClaim } from './application.js';
import { computed, optional, optionalComputed, required, timeoutsBlock, block } from '../build.js';
import { between, httpUrl, length, notEmpty, oneOf, rfc3339, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';
import { anyRedirectUri, applicationId, claimValue } from './names.js';

/** The resource azuread_application_registration. */
export const applicationRegistration: ResourceSchema = {
  version: 0,
  attributes: {
    client_id: computed('string'),
    description: optional('string'),
    disabled_by_microsoft: computed('string'),
    display_name: required('string', { checks: [notEmpty] }),
    group_membership_claims: optional(['set', 'string'], {
      checks: [oneOf('All', 'None', 'ApplicationGroup', 'DirectoryRole', 'SecurityGroup')],
    }),
    homepage_url: optional('string', { checks: [httpUrl] }),
    id: optionalComputed('string'),
    implicit_access_token_issuance_enabled: optional('bool'),
    implicit_id_token_issuance_enabled: optional('bool'),
    logout_url: optional('string', { checks: [httpUrl, length(1, 255)] }),
    marketing_url: optional('string', { checks: [httpUrl] }),
    notes: optional('string'),
    object_id: computed('string'),
    privacy_statement_url: optional('string', { checks: [httpUrl] }),
    publisher_domain: computed('string'),
    requested_access_token_version: optional('number', { default: 2, checks: [between(1, 2)] }),
    service_management_reference: optional('string'),
    sign_in_audience: optional('string', {
      default: 'AzureADMyOrg',
      checks: [oneOf('AzureADMyOrg', 'AzureADMultipleOrgs', 'AzureADandPersonalMicrosoftAccount', 'PersonalMicrosoftAccount')],
    }),
    support_url: optional('string', { checks: [httpUrl] }),
    terms_of_service_url: optional('string', { checks: [httpUrl] }),
  },
  blocks: { ...timeoutsBlock() },
};

/** A part of an application that is a resource of its own. */
function partOf(attributes: ResourceSchema['attributes'], blocks: ResourceSchema['blocks'] = timeoutsBlock()): ResourceSchema {
  const id = { application_id: required('string', { forceNew: true, checks: [applicationId] }), id: optionalComputed('string') };
  return { version: 0, attributes: { ...attributes, ...id }, blocks };
}

/** One that every change replaces. */
function fixedPartOf(attributes: ResourceSchema['attributes']): ResourceSchema {
  return partOf(attributes, timeoutsBlock('create', 'read', 'delete'));
}

/** The resource azuread_application_redirect_uris. */
export const applicationRedirectUris = partOf({
  redirect_uris: required(['set', 'string'], { checks: [anyRedirectUri] }),
  type: required('string', { forceNew: true, checks: [oneOf('PublicClient', 'SPA', 'Web')] }),
});

/** What every client secret has. */
export const passwordAttributes: ResourceSchema['attributes'] = {
  end_date: optionalComputed('string', { forceNew: true, conflictsWith: ['end_date_relative'], checks: [rfc3339] }),
  end_date_relative: optional('string', {
    forceNew: true,
    deprecated:
      'The `end_date_relative` property is deprecated and will be removed in the next major version. It has no effect: set `end_date`.',
    conflictsWith: ['end_date'],
  }),
  id: optionalComputed('string'),
  key_id: computed('string'),
  rotate_when_changed: optional(['map', 'string'], { forceNew: true }),
  start_date: optionalComputed('string', { forceNew: true, checks: [rfc3339] }),
  value: computed('string', { sensitive: true }),
};

/** The resource azuread_application_password. */
export const applicationPassword: ResourceSchema = {
  version: 1,
  attributes: {
    application_id: required('string', { forceNew: true, checks: [applicationId] }),
    display_name: optionalComputed('string', { forceNew: true, checks: [notEmpty] }),
    ...passwordAttributes,
  },
  blocks: { ...timeoutsBlock() },
};

/** The resource azuread_application_app_role. */
export const applicationAppRole = partOf({
  allowed_member_types: required(['set', 'string'], { min: 1, checks: [oneOf('Application', 'User')] }),
  description: required('string', { checks: [notEmpty] }),
  display_name: required('string', { checks: [notEmpty] }),
  role_id: required('string', { forceNew: true, checks: [uuid] }),
  value: optional('string', { checks: [claimValue] }),
});

/** The resource azuread_application_permission_scope. */
export const applicationPermissionScope = partOf({
  admin_consent_description: required('string', { checks: [notEmpty] }),
  admin_consent_display_name: required('string', { checks: [notEmpty] }),
  scope_id: required('string', { forceNew: true, checks: [uuid] }),
  type: optional('string', { default: 'User', checks: [oneOf('Admin', 'User')] }),
  user_consent_description: optional('string'),
  user_consent_display_name: optional('string'),
  value: required('string', { checks: [claimValue] }),
});

/** The resource azuread_application_api_access. */
export const applicationApiAccess = partOf({
  api_client_id: required('string', { forceNew: true, checks: [uuid] }),
  role_ids: optional(['set', 'string'], { atLeastOneOf: ['role_ids', 'scope_ids'], checks: [uuid] }),
  scope_ids: optional(['set', 'string'], { atLeastOneOf: ['role_ids', 'scope_ids'], checks: [uuid] }),
});

/** The resource azuread_application_identifier_uri. */
export const applicationIdentifierUri = fixedPartOf({
  identifier_uri: required('string', { forceNew: true, checks: [notEmpty] }),
});

/** The resource azuread_application_known_clients. */
export const applicationKnownClients = partOf({
  known_client_ids: required(['set', 'string'], { checks: [uuid] }),
});

/** The resource azuread_application_pre_authorized. */
export const applicationPreAuthorized = partOf({
  authorized_client_id: required('string', { forceNew: true, checks: [uuid] }),
  permission_ids: required(['set', 'string'], { checks: [uuid] }),
});

const anyClaims = { atLeastOneOf: ['access_token', 'id_token', 'saml2_token'] };

/** The resource azuread_application_optional_claims. */
export const applicationOptionalClaims = partOf(
  {},
  {
    access_token: block('list', optionalClaim, anyClaims),
    id_token: block('list', optionalClaim, anyClaims),
    saml2_token: block('list', optionalClaim, anyClaims),
    ...timeoutsBlock(),
  },
);

/** The resource azuread_application_owner. */
export const applicationOwner = fixedPartOf({
  owner_object_id: required('string', { forceNew: true, checks: [uuid] }),
});

/** The resource azuread_application_fallback_public_client. */
export const applicationFallbackPublicClient = fixedPartOf({
  enabled: optional('bool', { default: false, forceNew: true }),
});

/** The resource azuread_application_federated_identity_credential. */
export const applicationFederatedIdentityCredential = partOf({
  audiences: required(['list', 'string'], { max: 1, checks: [notEmpty] }),
  credential_id: computed('string'),
  description: optional('string'),
  display_name: required('string', { forceNew: true, checks: [length(1, 120)] }),
  issuer: required('string', { checks: [notEmpty] }),
  subject: required('string', { checks: [notEmpty] }),
});
