import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { Reported } from '../../planner/settle.js';
import type { Value, ValueMap } from '../../values/value.js';
import { given, blocks, flag, flagIfSet, mustText, number, oneBlock, textOrClear, texts } from '../read-values.js';
import { flattenOptionalClaims, splitWords, textOf, claimLists, expandClaims, expandRole, expandScope } from './application-part.js';
import { flattenFeatureTags, expandTags } from './feature-tags.js';
import { applicationId } from './ids.js';
import { flattenRoles, flattenScopes, idsByValue } from './service-principal.js';

/** What azuread_application and its data source have in common. */
export function flattenApplication(application: Application): Reported {
  const { info, api } = application;
  return {
    id: applicationId(application.id),
    object_id: application.id,
    client_id: application.appId,
    app_role_ids: idsByValue(application.appRoles),
    oauth2_permission_scope_ids: idsByValue(api?.oauth2PermissionScopes),
    description: given(application, 'description'),
    device_only_auth_enabled: given(application, 'isDeviceOnlyAuthSupported') ?? false,
    disabled_by_microsoft: textOf(application, 'disabledByMicrosoftStatus'),
    display_name: application.displayName,
    fallback_public_client_enabled: given(application, 'isFallbackPublicClient') ?? false,
    feature_tags: flattenFeatureTags([...(application.tags ?? [])]),
    group_membership_claims: splitWords(application.groupMembershipClaims),
    identifier_uris: [...(application.identifierUris ?? [])],
    logo_url: textOf(info, 'logoUrl'),
    marketing_url: given(info, 'marketingUrl'),
    notes: given(application, 'notes'),
    oauth2_post_response_required: given(application, 'oauth2RequirePostResponse') ?? false,
    privacy_statement_url: given(info, 'privacyStatementUrl'),
    publisher_domain: textOf(application, 'publisherDomain'),
    service_management_reference: given(application, 'serviceManagementReference'),
    sign_in_audience: given(application, 'signInAudience'),
    support_url: given(info, 'supportUrl'),
    tags: [...(application.tags ?? [])],
    terms_of_service_url: given(info, 'termsOfServiceUrl'),
  };
}

/** The blocks of azuread_application. Sections that hold nothing are no blocks, unless the state has them. */
export function flattenSections(application: Application, state: ValueMap): Reported {
  const { api, web, spa, publicClient } = application;
  const section = (name: string, isEmpty: boolean, value: ValueMap): Value =>
    isEmpty && (!Array.isArray(state[name]) || state[name].length === 0) ? [] : [value];
  const scopes = api?.oauth2PermissionScopes ?? [];
  const grant = web?.implicitGrantSettings;
  const hasGrant = grant?.enableAccessTokenIssuance === true || grant?.enableIdTokenIssuance === true;
  const webUris = [...(web?.redirectUris ?? [])];
  const claims = flattenOptionalClaims(application);
  const noClaims = Object.values(claims).every((list) => Array.isArray(list) && list.length === 0);
  const version = api?.requestedAccessTokenVersion ?? 1;
  return {
    template_id: textOf(application, 'applicationTemplateId'),
    api: section(
      'api',
      scopes.length === 0 && version === 1 && (api?.knownClientApplications ?? []).length === 0 && api?.acceptMappedClaims !== true,
      {
        known_client_applications: [...(api?.knownClientApplications ?? [])],
        mapped_claims_enabled: api?.acceptMappedClaims ?? false,
        oauth2_permission_scope: flattenScopes(scopes),
        requested_access_token_version: version,
      },
    ),
    app_role: flattenRoles(application.appRoles),
    optional_claims: section('optional_claims', noClaims, claims),
    public_client: section('public_client', (publicClient?.redirectUris ?? []).length === 0, {
      redirect_uris: [...(publicClient?.redirectUris ?? [])],
    }),
    required_resource_access: (application.requiredResourceAccess ?? []).map((each) => ({
      resource_app_id: each.resourceAppId,
      resource_access: each.resourceAccess.map(({ id, type }) => ({ id, type })),
    })),
    single_page_application: section('single_page_application', (spa?.redirectUris ?? []).length === 0, {
      redirect_uris: [...(spa?.redirectUris ?? [])],
    }),
    web: section('web', webUris.length === 0 && !hasGrant && (web?.homePageUrl ?? '') === '' && (web?.logoutUrl ?? '') === '', {
      homepage_url: given(web, 'homePageUrl'),
      logout_url: given(web, 'logoutUrl'),
      redirect_uris: webUris,
      implicit_grant: section('implicit_grant', !hasGrant && !hasImplicitGrant(state), {
        access_token_issuance_enabled: grant?.enableAccessTokenIssuance ?? false,
        id_token_issuance_enabled: grant?.enableIdTokenIssuance ?? false,
      }),
    }),
  };
}

function hasImplicitGrant(state: ValueMap): boolean {
  const web: unknown = Array.isArray(state['web']) ? (state['web'] as readonly unknown[])[0] : undefined;
  const grant = typeof web === 'object' && web !== null ? (web as Readonly<Record<string, unknown>>)['implicit_grant'] : undefined;
  return Array.isArray(grant) && grant.length > 0;
}

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
