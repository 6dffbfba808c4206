import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import { at, put } from '../../../kinds/schema/steps.js';
import type { ValueMap } from '../../values/value.js';
import { expandFields, type Fields, flattenFields } from '../fields.js';
import { flag, mustText, objects, type Raw, texts } from '../read-values.js';
import { claimFields, list, roleFields, scopeFields } from './application-fields.js';
import type { PartKind } from './application-part.js';
import { disableBeforeChange } from './disable-before-change.js';

/** A part that is an entry of a list. */
interface EntryKind extends Omit<PartKind, 'read' | 'write' | 'remove'> {
  /** Where the application has the list: `api.oauth2PermissionScopes`. */
  readonly list: string;
  /** The attribute by which an entry is found. Its property is among the fields. */
  readonly key: string;
  readonly fields: Fields;
  /** What fields can't say of an entry. */
  readonly more?: { readonly expand: (planned: ValueMap) => Raw; readonly flatten?: (entry: Raw) => ValueMap };
}

function entryPart({ list: path, key, fields, more, ...kind }: EntryKind): PartKind {
  const steps = path.split('.');
  const property = fields[key] as string;
  const entriesOf = (application: Application): readonly Raw[] => (at(application, steps) ?? []) as readonly Raw[];
  const draftOf = (entries: readonly Raw[]): Partial<ApplicationDraft> => {
    const draft: Record<string, unknown> = {};
    put(draft, steps, entries);
    return draft;
  };
  const isOf = (state: ValueMap): ((entry: Raw) => boolean) => {
    const wanted = mustText(state, key).toLowerCase();
    return (entry) => String(entry[property]).toLowerCase() === wanted;
  };
  return {
    ...kind,
    read(application, state) {
      const found = entriesOf(application).find(isOf(state));
      return found === undefined ? undefined : { ...flattenFields(fields, found), ...more?.flatten?.(found) };
    },
    write(application, planned) {
      const [entries, isSame] = [entriesOf(application), isOf(planned)];
      const entry = { ...expandFields(fields, planned), ...more?.expand(planned) };
      return draftOf(entries.some(isSame) ? entries.map((each) => (isSame(each) ? entry : each)) : [...entries, entry]);
    },
    remove(application, state) {
      const isSame = isOf(state);
      return draftOf(entriesOf(application).filter((each) => !isSame(each)));
    },
  };
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
const enabled = { expand: () => ({ isEnabled: true }) };

export const appRole = entryPart({
  typeName: 'azuread_application_app_role',
  id: (application, planned) => `/applications/${application}/appRoles/${mustText(planned, 'role_id')}`,
  list: 'appRoles',
  key: 'role_id',
  fields: { role_id: 'id', ...roleFields },
  more: enabled,
  before: disableRoles,
  importForm: '/applications/{applicationId}/appRoles/{roleId}',
  imported: ({ roleId = '' }) => ({ role_id: roleId }),
});

export const permissionScope = entryPart({
  typeName: 'azuread_application_permission_scope',
  id: (application, planned) => `/applications/${application}/permissionScopes/${mustText(planned, 'scope_id')}`,
  list: 'api.oauth2PermissionScopes',
  key: 'scope_id',
  fields: { scope_id: 'id', ...scopeFields },
  more: enabled,
  before: disableRoles,
  importForm: '/applications/{applicationId}/permissionScopes/{scopeId}',
  imported: ({ scopeId = '' }) => ({ scope_id: scopeId }),
});

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

const accessTypes = { role_ids: 'Role', scope_ids: 'Scope' } as const;

export const apiAccess = entryPart({
  typeName: 'azuread_application_api_access',
  id: (application, planned) => `/applications/${application}/apiAccess/${mustText(planned, 'api_client_id')}`,
  list: 'requiredResourceAccess',
  key: 'api_client_id',
  fields: { api_client_id: 'resourceAppId' },
  more: {
    expand: (planned) => ({
      resourceAccess: Object.entries(accessTypes).flatMap(([name, type]) => texts(planned, name).map((id) => ({ id, type }))),
    }),
    flatten: (entry) =>
      Object.fromEntries(
        Object.entries(accessTypes).map(([name, type]) => {
          const ofType = objects(entry, 'resourceAccess').filter((each) => each['type'] === type);
          return [name, ofType.map(({ id }) => String(id))];
        }),
      ),
  },
  importForm: '/applications/{applicationId}/apiAccess/{clientId}',
  imported: ({ clientId = '' }) => ({ api_client_id: clientId }),
});

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
    const claims = flattenFields(claimFields, application.optionalClaims);
    return Object.values(claims).every((each) => Array.isArray(each) && each.length === 0) ? undefined : claims;
  },
  write: (_, planned) => ({ optionalClaims: expandFields(claimFields, planned) }),
  remove: () => ({ optionalClaims: {} }),
  importForm: '/applications/{applicationId}',
  imported: () => ({}),
};

export const preAuthorized = entryPart({
  typeName: 'azuread_application_pre_authorized',
  id: (application, planned) => `${application}/preAuthorizedApplication/${mustText(planned, 'authorized_client_id')}`,
  list: 'api.preAuthorizedApplications',
  key: 'authorized_client_id',
  fields: { authorized_client_id: 'appId', permission_ids: list('delegatedPermissionIds') },
  importForm: '{applicationId}/preAuthorizedApplication/{clientId}',
  imported: ({ clientId = '' }) => ({ authorized_client_id: clientId }),
});

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

const uriSections = { PublicClient: 'publicClient', SPA: 'spa', Web: 'web' } as const;

/** The section of an application that holds the redirect URIs of a type. */
function sectionOf(state: ValueMap): 'publicClient' | 'spa' | 'web' {
  return uriSections[mustText(state, 'type') as keyof typeof uriSections];
}

/** The redirect URIs that an application has of the type in a state. */
export function redirectUrisOf(application: Application, state: ValueMap): readonly string[] {
  return application[sectionOf(state)]?.redirectUris ?? [];
}

export const redirectUris: PartKind = {
  typeName: 'azuread_application_redirect_uris',
  id: (application, planned) => `/applications/${application}/redirectUris/${mustText(planned, 'type')}`,
  read(application, state) {
    const uris = redirectUrisOf(application, state);
    return uris.length === 0 ? undefined : { redirect_uris: uris };
  },
  write: (_, planned) => ({ [sectionOf(planned)]: { redirectUris: texts(planned, 'redirect_uris') } }),
  remove: (_, state) => ({ [sectionOf(state)]: { redirectUris: [] } }),
  importForm: '/applications/{applicationId}/redirectUris/{type}',
  imported: ({ type = '' }) => ({ type }),
};
