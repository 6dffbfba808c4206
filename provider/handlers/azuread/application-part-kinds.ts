import type { AppRole, PermissionScope } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import { flag, mustText, texts } from '../read-values.js';
import { claimLists, expandClaims, expandRole, expandScope, flattenOptionalClaims, type PartKind } from './application-part.js';
import { disableBeforeChange } from './disable-before-change.js';

/** An entry of a list put in, or changed where it is. */
function placed<T>(list: readonly T[], entry: T, isSame: (other: T) => boolean): T[] {
  return list.some(isSame) ? list.map((each) => (isSame(each) ? entry : each)) : [...list, entry];
}

const disableRoles: PartKind['before'] = (api, application, changes, signal) =>
  disableBeforeChange(
    api,
    application.id,
    application,
    {
      ...(changes.appRoles === undefined ? {} : { roles: changes.appRoles }),
      ...(changes.api?.oauth2PermissionScopes === undefined ? {} : { scopes: changes.api.oauth2PermissionScopes }),
    },
    signal,
  );

export const appRole: PartKind = {
  typeName: 'azuread_application_app_role',
  id: (application, planned) => `/applications/${application}/appRoles/${mustText(planned, 'role_id')}`,
  read({ appRoles }, state) {
    const role = appRoles?.find(({ id }) => id.toLowerCase() === mustText(state, 'role_id').toLowerCase());
    return role === undefined
      ? undefined
      : {
          role_id: role.id,
          allowed_member_types: [...role.allowedMemberTypes],
          description: role.description ?? '',
          display_name: role.displayName ?? '',
          value: role.value ?? '',
        };
  },
  write: ({ appRoles = [] }, planned) => ({
    appRoles: placed<AppRole>(
      appRoles,
      expandRole(planned, mustText(planned, 'role_id'), true),
      ({ id }) => id === mustText(planned, 'role_id'),
    ),
  }),
  remove: ({ appRoles = [] }, state) => ({ appRoles: appRoles.filter(({ id }) => id !== mustText(state, 'role_id')) }),
  before: disableRoles,
  importForm: '/applications/{applicationId}/appRoles/{roleId}',
  imported: ({ roleId = '' }) => ({ role_id: roleId }),
};

export const permissionScope: PartKind = {
  typeName: 'azuread_application_permission_scope',
  id: (application, planned) => `/applications/${application}/permissionScopes/${mustText(planned, 'scope_id')}`,
  read({ api }, state) {
    const scope = api?.oauth2PermissionScopes?.find(({ id }) => id.toLowerCase() === mustText(state, 'scope_id').toLowerCase());
    if (scope === undefined) return undefined;
    return {
      scope_id: scope.id,
      admin_consent_description: scope.adminConsentDescription ?? '',
      admin_consent_display_name: scope.adminConsentDisplayName ?? '',
      type: scope.type ?? 'User',
      user_consent_description: scope.userConsentDescription ?? '',
      user_consent_display_name: scope.userConsentDisplayName ?? '',
      value: scope.value ?? '',
    };
  },
  write({ api }, planned) {
    const scope = expandScope(planned, mustText(planned, 'scope_id'), true);
    return {
      api: { oauth2PermissionScopes: placed<PermissionScope>(api?.oauth2PermissionScopes ?? [], scope, ({ id }) => id === scope.id) },
    };
  },
  remove: ({ api }, state) => ({
    api: { oauth2PermissionScopes: (api?.oauth2PermissionScopes ?? []).filter(({ id }) => id !== mustText(state, 'scope_id')) },
  }),
  before: disableRoles,
  importForm: '/applications/{applicationId}/permissionScopes/{scopeId}',
  imported: ({ scopeId = '' }) => ({ scope_id: scopeId }),
};

export const identifierUri: PartKind = {
  typeName: 'azuread_application_identifier_uri',
  id: (application, planned) =>
    `/applications/${application}/identifierUris/${Buffer.from(mustText(planned, 'identifier_uri')).toString('base64')}`,
  read: ({ identifierUris }, state) =>
    identifierUris?.includes(mustText(state, 'identifier_uri')) === true
      ? { identifier_uri: mustText(state, 'identifier_uri') }
      : undefined,
  write: ({ identifierUris = [] }, planned) => ({ identifierUris: [...identifierUris, mustText(planned, 'identifier_uri')] }),
  remove: ({ identifierUris = [] }, state) => ({
    identifierUris: identifierUris.filter((each) => each !== mustText(state, 'identifier_uri')),
  }),
  immutable: true,
  importForm: '/applications/{applicationId}/identifierUris/{uri}',
  imported: ({ uri = '' }) => ({ identifier_uri: Buffer.from(uri, 'base64').toString('utf8') }),
};

export const apiAccess: PartKind = {
  typeName: 'azuread_application_api_access',
  id: (application, planned) => `/applications/${application}/apiAccess/${mustText(planned, 'api_client_id')}`,
  read({ requiredResourceAccess }, state) {
    const found = requiredResourceAccess?.find(
      ({ resourceAppId }) => resourceAppId.toLowerCase() === mustText(state, 'api_client_id').toLowerCase(),
    );
    if (found === undefined) return undefined;
    const of = (type: string): string[] => found.resourceAccess.filter((each) => each.type === type).map(({ id }) => id);
    return { api_client_id: found.resourceAppId, role_ids: of('Role'), scope_ids: of('Scope') };
  },
  write({ requiredResourceAccess = [] }, planned) {
    const resourceAppId = mustText(planned, 'api_client_id');
    const access = (name: string, type: 'Role' | 'Scope') => texts(planned, name).map((id) => ({ id, type }));
    const entry = { resourceAppId, resourceAccess: [...access('role_ids', 'Role'), ...access('scope_ids', 'Scope')] };
    return {
      requiredResourceAccess: placed(
        requiredResourceAccess,
        entry,
        (other) => other.resourceAppId.toLowerCase() === resourceAppId.toLowerCase(),
      ),
    };
  },
  remove: ({ requiredResourceAccess = [] }, state) => ({
    requiredResourceAccess: requiredResourceAccess.filter(
      ({ resourceAppId }) => resourceAppId.toLowerCase() !== mustText(state, 'api_client_id').toLowerCase(),
    ),
  }),
  importForm: '/applications/{applicationId}/apiAccess/{clientId}',
  imported: ({ clientId = '' }) => ({ api_client_id: clientId }),
};

export const knownClients: PartKind = {
  typeName: 'azuread_application_known_clients',
  id: (application) => `/applications/${application}/knownClients`,
  read: ({ api }) =>
    (api?.knownClientApplications ?? []).length === 0 ? undefined : { known_client_ids: [...(api?.knownClientApplications ?? [])] },
  write: (_, planned) => ({ api: { knownClientApplications: texts(planned, 'known_client_ids') } }),
  remove: () => ({ api: { knownClientApplications: [] } }),
  importForm: '/applications/{applicationId}/knownClients',
  imported: () => ({}),
};

export const optionalClaims: PartKind = {
  typeName: 'azuread_application_optional_claims',
  id: (application) => `/applications/${application}`,
  read(application) {
    const claims = flattenOptionalClaims(application);
    return Object.values(claims).every((list) => Array.isArray(list) && list.length === 0) ? undefined : claims;
  },
  write(_, planned: ValueMap) {
    const names = Object.keys(claimLists) as (keyof typeof claimLists)[];
    return { optionalClaims: Object.fromEntries(names.map((name) => [claimLists[name], expandClaims(planned, name)])) };
  },
  remove: () => ({ optionalClaims: {} }),
  importForm: '/applications/{applicationId}',
  imported: () => ({}),
};

export const preAuthorized: PartKind = {
  typeName: 'azuread_application_pre_authorized',
  id: (application, planned) => `${application}/preAuthorizedApplication/${mustText(planned, 'authorized_client_id')}`,
  read({ api }, state) {
    const found = api?.preAuthorizedApplications?.find(
      ({ appId }) => appId.toLowerCase() === mustText(state, 'authorized_client_id').toLowerCase(),
    );
    return found === undefined ? undefined : { authorized_client_id: found.appId, permission_ids: [...found.delegatedPermissionIds] };
  },
  write({ api }, planned) {
    const entry = { appId: mustText(planned, 'authorized_client_id'), delegatedPermissionIds: texts(planned, 'permission_ids') };
    return {
      api: {
        preAuthorizedApplications: placed(
          api?.preAuthorizedApplications ?? [],
          entry,
          ({ appId }) => appId.toLowerCase() === entry.appId.toLowerCase(),
        ),
      },
    };
  },
  remove: ({ api }, state) => ({
    api: {
      preAuthorizedApplications: (api?.preAuthorizedApplications ?? []).filter(
        ({ appId }) => appId.toLowerCase() !== mustText(state, 'authorized_client_id').toLowerCase(),
      ),
    },
  }),
  importForm: '{applicationId}/preAuthorizedApplication/{clientId}',
  imported: ({ clientId = '' }) => ({ authorized_client_id: clientId }),
};

export const fallbackPublicClient: PartKind = {
  typeName: 'azuread_application_fallback_public_client',
  id: (application) => `/applications/${application}/fallbackPublicClient`,
  // null counts as unset: only then may it be created
  read: ({ isFallbackPublicClient }, state) =>
    isFallbackPublicClient == null && typeof state['id'] !== 'string' ? undefined : { enabled: isFallbackPublicClient ?? false },
  write: (_, planned) => ({ isFallbackPublicClient: flag(planned, 'enabled') }),
  remove: () => ({ isFallbackPublicClient: null }),
  immutable: true,
  importForm: '/applications/{applicationId}/fallbackPublicClient',
  imported: () => ({}),
};
