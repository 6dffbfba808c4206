import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import { blocks, flag, flagIfSet, mustText, number, oneBlock, textOrClear, texts } from '../read-values.js';
import { claimLists, expandClaims, expandRole, expandScope } from './application-parts.js';
import { expandTags } from './feature-tags.js';

/** The whole of an application as azuread_application sends it, owners and passwords aside. */
export function applicationBody(planned: ValueMap, config: ValueMap): ApplicationDraft {
  const claims = texts(planned, 'group_membership_claims').sort();
  return {
    displayName: mustText(planned, 'display_name'),
    description: textOrClear(planned, 'description'),
    notes: textOrClear(planned, 'notes'),
    serviceManagementReference: textOrClear(planned, 'service_management_reference'),
    signInAudience: mustText(planned, 'sign_in_audience'),
    groupMembershipClaims: claims.length === 0 ? null : claims.join(','),
    identifierUris: texts(planned, 'identifier_uris'),
    isDeviceOnlyAuthSupported: flagIfSet(planned, 'device_only_auth_enabled') ?? null,
    isFallbackPublicClient: flagIfSet(planned, 'fallback_public_client_enabled') ?? null,
    tags: expandTags(planned, config),
    appRoles: rolesOf(planned),
    api: apiOf(planned),
    info: {
      marketingUrl: textOrClear(planned, 'marketing_url'),
      privacyStatementUrl: textOrClear(planned, 'privacy_statement_url'),
      supportUrl: textOrClear(planned, 'support_url'),
      termsOfServiceUrl: textOrClear(planned, 'terms_of_service_url'),
    },
    optionalClaims: optionalClaimsOf(planned),
    publicClient: { redirectUris: texts(oneBlock(planned, 'public_client'), 'redirect_uris') },
    spa: { redirectUris: texts(oneBlock(planned, 'single_page_application'), 'redirect_uris') },
    requiredResourceAccess: blocks(planned, 'required_resource_access').map((each) => ({
      resourceAppId: mustText(each, 'resource_app_id'),
      resourceAccess: blocks(each, 'resource_access').map((access) => ({
        id: mustText(access, 'id'),
        type: mustText(access, 'type') as 'Role',
      })),
    })),
    web: webOf(oneBlock(planned, 'web')),
  };
}

/** The roles of an application as they are sent. */
export function rolesOf(planned: ValueMap): NonNullable<Application['appRoles']> {
  return blocks(planned, 'app_role').map((role) => expandRole(role, mustText(role, 'id'), role['enabled'] !== false));
}

/** The scopes of an application as they are sent. */
export function scopesOf(planned: ValueMap): NonNullable<NonNullable<Application['api']>['oauth2PermissionScopes']> {
  return blocks(oneBlock(planned, 'api'), 'oauth2_permission_scope').map((scope) =>
    expandScope(scope, mustText(scope, 'id'), scope['enabled'] !== false),
  );
}

function apiOf(planned: ValueMap): NonNullable<Application['api']> {
  const api = oneBlock(planned, 'api');
  return {
    acceptMappedClaims: flag(api, 'mapped_claims_enabled'),
    knownClientApplications: texts(api, 'known_client_applications'),
    oauth2PermissionScopes: scopesOf(planned),
    requestedAccessTokenVersion: number(api, 'requested_access_token_version') ?? 1,
  };
}

function optionalClaimsOf(planned: ValueMap): NonNullable<Application['optionalClaims']> {
  const claims = oneBlock(planned, 'optional_claims');
  if (claims === undefined) return {};
  const names = Object.keys(claimLists) as (keyof typeof claimLists)[];
  return Object.fromEntries(names.map((name) => [claimLists[name], expandClaims(claims, name)]));
}

function webOf(web: ValueMap | undefined): NonNullable<Application['web']> {
  const grant = oneBlock(web, 'implicit_grant');
  return {
    homePageUrl: textOrClear(web, 'homepage_url'),
    logoutUrl: textOrClear(web, 'logout_url'),
    redirectUris: texts(web, 'redirect_uris'),
    implicitGrantSettings: {
      enableAccessTokenIssuance: flag(grant, 'access_token_issuance_enabled'),
      enableIdTokenIssuance: flag(grant, 'id_token_issuance_enabled'),
    },
  };
}
