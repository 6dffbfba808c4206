import type { Mapping } from '../mapping.js';
import { eachOf, map, notEmpty, setOnly, text } from '../mapping.js';

type Values = Readonly<Record<string, unknown>>;

const common: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('signInAudience', 'sign_in_audience', text),
  map('groupMembershipClaims', 'group_membership_claims', notEmpty),
  map('notes', 'notes', text),
];

/** How `azuread_application_registration` says what a registration is. */
export const applicationRegistration: readonly Mapping[] = [
  ...common,
  map('idTokens', 'implicit_id_token_issuance_enabled'),
  map('accessTokens', 'implicit_access_token_issuance_enabled'),
  map('logoutUrl', 'logout_url', text),
  map('homepageUrl', 'homepage_url', text),
];

/** How `azuread_application` says it. */
export const application: readonly Mapping[] = [
  ...common,
  map('idTokens', 'web.0.implicit_grant.0.id_token_issuance_enabled'),
  map('accessTokens', 'web.0.implicit_grant.0.access_token_issuance_enabled'),
  map('logoutUrl', 'web.0.logout_url', text),
  map('homepageUrl', 'web.0.homepage_url', text),
  map('redirectUris', 'web.0.redirect_uris', notEmpty),
  map('owners', 'owners', notEmpty),
  map('identifierUris', 'identifier_uris', notEmpty),
  map('requiredPermissions', 'required_resource_access', (list) => eachOf(permissions)(notEmpty(list))),
  map('secret.expires', 'password.0.end_date', text),
];

/** How `azuread_application_redirect_uris` of type Web adds to it. */
export const redirectUris: readonly Mapping[] = [map('redirectUris', 'redirect_uris', notEmpty)];

/** How `azuread_application_password` adds to it. An end date that the directory chooses was not declared. */
export const password: readonly Mapping[] = [
  map('secret.displayName', 'display_name', text),
  map('secret.expires', 'end_date', (end) => (typeof end === 'string' && end !== '' ? end.replace(/\.\d+Z$/, 'Z') : undefined)),
];

function permissions({ resource_app_id: resourceAppId, resource_access: access }: Values): Values {
  const ids = (type: string): readonly unknown[] | undefined => {
    const found = (Array.isArray(access) ? (access as (Values | null)[]) : []).flatMap((each) =>
      each?.['type'] === type ? [each['id']] : [],
    );
    return found.length === 0 ? undefined : found;
  };
  return setOnly({ resourceAppId, roles: ids('Role'), scopes: ids('Scope') });
}
