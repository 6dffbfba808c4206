import { computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { between, httpUrl, length, notEmpty, oneOf } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

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
