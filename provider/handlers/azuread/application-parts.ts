import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Application } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import { expandFields, flattenFields } from '../body-fields.js';
import { isTrue, objectListProperty, textOrEmpty, textList } from '../read-values.js';
import { claimFields, emptyListIfUnset, roleFields, scopeFields } from './application-fields.js';
import { entryHandler, partHandler, type PartKind } from './application-part-handler.js';
import { disableBeforeChange } from './disable-before-change.js';

const disableChangedEntitlements: PartKind['beforeChange'] = (api, application, changes, signal) =>
  disableBeforeChange(
    api,
    application.id,
    application,
    {
      ...omitUndefined({ roles: changes.appRoles, scopes: changes.api?.oauth2PermissionScopes }),
    },
    signal,
  );
const alwaysEnabled = { expand: () => ({ isEnabled: true }) };

/** The resource azuread_application_app_role. */
export const appRole = entryHandler({
  typeName: 'azuread_application_app_role',
  id: (application, planned) =>
    `/applications/${application}/appRoles/${textOrEmpty(planned, 'role_id')}`,
  list: 'appRoles',
  key: 'role_id',
  fields: { role_id: 'id', ...roleFields },
  extraConversions: alwaysEnabled,
  beforeChange: disableChangedEntitlements,
  importIdFormat: '/applications/{applicationId}/appRoles/{roleId}',
  importedAttributes: ({ roleId = '' }) => ({ role_id: roleId }),
});

/** The resource azuread_application_permission_scope. */
export const permissionScope = entryHandler({
  typeName: 'azuread_application_permission_scope',
  id: (application, planned) =>
    `/applications/${application}/permissionScopes/${textOrEmpty(planned, 'scope_id')}`,
  list: 'api.oauth2PermissionScopes',
  key: 'scope_id',
  fields: { scope_id: 'id', ...scopeFields },
  extraConversions: alwaysEnabled,
  beforeChange: disableChangedEntitlements,
  importIdFormat: '/applications/{applicationId}/permissionScopes/{scopeId}',
  importedAttributes: ({ scopeId = '' }) => ({ scope_id: scopeId }),
});

/** The resource azuread_application_identifier_uri. */
export const identifierUri = partHandler({
  typeName: 'azuread_application_identifier_uri',
  id: (application, planned) =>
    `/applications/${application}/identifierUris/${Buffer.from(textOrEmpty(planned, 'identifier_uri')).toString('base64')}`,
  read: ({ identifierUris }, state) =>
    identifierUris?.includes(textOrEmpty(state, 'identifier_uri')) === true
      ? { identifier_uri: textOrEmpty(state, 'identifier_uri') }
      : undefined,
  write: ({ identifierUris = [] }, planned) => ({
    identifierUris: [...identifierUris, textOrEmpty(planned, 'identifier_uri')],
  }),
  remove: ({ identifierUris = [] }, state) => ({
    identifierUris: identifierUris.filter((each) => each !== textOrEmpty(state, 'identifier_uri')),
  }),
  isImmutable: true,
  importIdFormat: '/applications/{applicationId}/identifierUris/{uri}',
  importedAttributes: ({ uri = '' }) => ({
    identifier_uri: Buffer.from(uri, 'base64').toString('utf8'),
  }),
});

const accessTypes = { role_ids: 'Role', scope_ids: 'Scope' } as const;

/** The resource azuread_application_api_access: the permissions that it requests of one API. */
export const apiAccess = entryHandler({
  typeName: 'azuread_application_api_access',
  id: (application, planned) =>
    `/applications/${application}/apiAccess/${textOrEmpty(planned, 'api_client_id')}`,
  list: 'requiredResourceAccess',
  key: 'api_client_id',
  fields: { api_client_id: 'resourceAppId' },
  extraConversions: {
    expand: (planned) => ({
      resourceAccess: Object.entries(accessTypes).flatMap(([name, type]) =>
        textList(planned, name).map((id) => ({ id, type })),
      ),
    }),
    flatten: (entry) =>
      Object.fromEntries(
        Object.entries(accessTypes).map(([name, type]) => {
          const accesses = objectListProperty(entry, 'resourceAccess').filter(
            (each) => each['type'] === type,
          );
          return [name, accesses.map(({ id }) => String(id))];
        }),
      ),
  },
  importIdFormat: '/applications/{applicationId}/apiAccess/{clientId}',
  importedAttributes: ({ clientId = '' }) => ({ api_client_id: clientId }),
});

/** The resource azuread_application_known_clients. */
export const knownClients = partHandler({
  typeName: 'azuread_application_known_clients',
  id: (application) => `/applications/${application}/knownClients`,
  read: ({ api }) =>
    (api?.knownClientApplications ?? []).length === 0
      ? undefined
      : { known_client_ids: [...(api?.knownClientApplications ?? [])] },
  write: (_, planned) => ({
    api: { knownClientApplications: textList(planned, 'known_client_ids') },
  }),
  remove: () => ({ api: { knownClientApplications: [] } }),
  importIdFormat: '/applications/{applicationId}/knownClients',
  importedAttributes: () => ({}),
});

/** The resource azuread_application_optional_claims. */
export const optionalClaims = partHandler({
  typeName: 'azuread_application_optional_claims',
  id: (application) => `/applications/${application}`,
  read(application) {
    const claims = flattenFields(claimFields, application.optionalClaims);
    return Object.values(claims).every((each) => Array.isArray(each) && each.length === 0)
      ? undefined
      : claims;
  },
  write: (_, planned) => ({ optionalClaims: expandFields(claimFields, planned) }),
  remove: () => ({ optionalClaims: {} }),
  importIdFormat: '/applications/{applicationId}',
  importedAttributes: () => ({}),
});

/** The resource azuread_application_pre_authorized: a client that needs no consent. */
export const preAuthorized = entryHandler({
  typeName: 'azuread_application_pre_authorized',
  id: (application, planned) =>
    `${application}/preAuthorizedApplication/${textOrEmpty(planned, 'authorized_client_id')}`,
  list: 'api.preAuthorizedApplications',
  key: 'authorized_client_id',
  fields: {
    authorized_client_id: 'appId',
    permission_ids: emptyListIfUnset('delegatedPermissionIds'),
  },
  importIdFormat: '{applicationId}/preAuthorizedApplication/{clientId}',
  importedAttributes: ({ clientId = '' }) => ({ authorized_client_id: clientId }),
});

/** The resource azuread_application_fallback_public_client. */
export const fallbackPublicClient = partHandler({
  typeName: 'azuread_application_fallback_public_client',
  id: (application) => `/applications/${application}/fallbackPublicClient`,
  // null counts as unset: only then can it be created
  read: ({ isFallbackPublicClient }, state) =>
    isFallbackPublicClient == null && typeof state['id'] !== 'string'
      ? undefined
      : { enabled: isFallbackPublicClient ?? false },
  write: (_, planned) => ({ isFallbackPublicClient: isTrue(planned, 'enabled') }),
  remove: () => ({ isFallbackPublicClient: null }),
  isImmutable: true,
  importIdFormat: '/applications/{applicationId}/fallbackPublicClient',
  importedAttributes: () => ({}),
});

const uriSections = { PublicClient: 'publicClient', SPA: 'spa', Web: 'web' } as const;

/** The section of an application with the redirect URIs of a type. */
function redirectUriSection(state: ValueMap): 'publicClient' | 'spa' | 'web' {
  return uriSections[textOrEmpty(state, 'type') as keyof typeof uriSections];
}

/** The application's redirect URIs of the type in a state. */
function redirectUrisOf(application: Application, state: ValueMap): readonly string[] {
  return application[redirectUriSection(state)]?.redirectUris ?? [];
}

/** The resource azuread_application_redirect_uris: all redirect URIs of one type. */
export const redirectUris = partHandler({
  typeName: 'azuread_application_redirect_uris',
  id: (application, planned) =>
    `/applications/${application}/redirectUris/${textOrEmpty(planned, 'type')}`,
  read(application, state) {
    const uris = redirectUrisOf(application, state);
    return uris.length === 0 ? undefined : { redirect_uris: uris };
  },
  write: (_, planned) => ({
    [redirectUriSection(planned)]: { redirectUris: textList(planned, 'redirect_uris') },
  }),
  remove: (_, state) => ({ [redirectUriSection(state)]: { redirectUris: [] } }),
  importIdFormat: '/applications/{applicationId}/redirectUris/{type}',
  importedAttributes: ({ type = '' }) => ({ type }),
});
