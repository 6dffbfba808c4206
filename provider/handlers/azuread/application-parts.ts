import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { unlessGone } from '../../../clients/common/index.js';
import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/settle.js';
import type { ValueMap } from '../../values/value.js';
import type { Api, Context, ResourceHandler } from '../handler.js';
import { requiredText, flag, objects, type Raw, texts } from '../read-values.js';
import { withLocks } from '../azapi/locks.js';
import { applicationOf, parseImport, refuseExisting } from './ids.js';
import { valueAtPath, setAtPath } from '../../../kinds/schema/steps.js';
import { expandFields, type Fields, flattenFields } from '../fields.js';
import { claimFields, emptyListIfUnset, roleFields, scopeFields } from './application-fields.js';
import { disableBeforeChange } from './disable-before-change.js';

/** A part of an application with its own resource type: a list entry, or one property. */
interface PartKind {
  readonly typeName: string;
  /** The id in the state. */
  id(application: string, planned: ValueMap): string;
  /** The part in the application; undefined if missing. */
  read(application: Application, state: ValueMap): ActualValues | undefined;
  /** The change that adds or updates the part, given the present application. */
  write(application: Application, planned: ValueMap): Partial<ApplicationDraft>;
  /** The change that removes the part. */
  remove(application: Application, state: ValueMap): Partial<ApplicationDraft>;
  /** A change before updates and removals, such as disabling a role. */
  before?(
    api: Api,
    application: Application,
    change: Partial<ApplicationDraft>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Whether every change replaces the part. */
  readonly immutable?: boolean;
  /** The form of an imported id, and the attributes in it. */
  readonly importForm: string;
  imported(parts: Readonly<Record<string, string>>): ActualValues;
}

/**
 * A resource type for one kind of part. Parts of one application are written one after the other,
 * since each write sends the whole list.
 */
function partHandler(kind: PartKind): ResourceHandler {
  const change = async (
    context: Context,
    objectId: string,
    make: (application: Application) => Partial<ApplicationDraft>,
  ): Promise<void> => {
    const { api, signal } = context;
    await withLocks([`application ${objectId}`], async () => {
      const current = await api.directory.applications.get(objectId, { signal });
      const changes = make(current);
      await kind.before?.(api, current, changes, signal);
      await api.directory.applications.update(objectId, changes, { signal });
    });
  };
  const read = async (
    { api, signal }: Context,
    objectId: string,
    state: ValueMap,
  ): Promise<ActualValues | undefined> => {
    const application = await api.directory.applications.find(objectId, { signal });
    const part = application === undefined ? undefined : kind.read(application, state);
    return part === undefined ? undefined : { ...part, id: kind.id(objectId, state) };
  };
  const update: ResourceHandler['update'] = async ({ prior, planned, ...context }) => {
    const objectId = applicationOf(requiredText(prior, 'application_id'));
    await change(context, objectId, (current) => kind.write(current, planned));
    return (await read(context, objectId, planned)) ?? {};
  };
  return {
    async create({ planned, ...context }) {
      const objectId = applicationOf(requiredText(planned, 'application_id'));
      const id = kind.id(objectId, planned);
      await change(context, objectId, (current) => {
        refuseExisting(kind.read(current, planned) !== undefined, id, kind.typeName);
        return kind.write(current, planned);
      });
      return { ...(await read(context, objectId, planned)), id };
    },
    read: ({ state, ...context }) =>
      read(context, applicationOf(requiredText(state, 'application_id')), state),
    ...(kind.immutable === true ? {} : { update }),
    async delete({ state, ...context }) {
      const objectId = applicationOf(requiredText(state, 'application_id'));
      await unlessGone(change(context, objectId, (current) => kind.remove(current, state)));
    },
    import(id) {
      const parts = parseImport(kind.importForm, id);
      return {
        id,
        application_id: `/applications/${parts['applicationId'] ?? ''}`,
        ...kind.imported(parts),
      };
    },
  };
}

/** A part that is a list entry. */
interface EntryKind extends Omit<PartKind, 'read' | 'write' | 'remove'> {
  /** The list in the application: `api.oauth2PermissionScopes`. */
  readonly list: string;
  /** The attribute that identifies an entry. Its property is among the fields. */
  readonly key: string;
  readonly fields: Fields;
  /** Conversions of an entry beyond its fields. */
  readonly more?: {
    readonly expand: (planned: ValueMap) => Raw;
    readonly flatten?: (entry: Raw) => ValueMap;
  };
}

function entryHandler({ list: path, key, fields, more, ...kind }: EntryKind): ResourceHandler {
  const steps = path.split('.');
  const property = fields[key] as string;
  const entriesOf = (application: Application): readonly Raw[] =>
    (valueAtPath(application, steps) ?? []) as readonly Raw[];
  const draftOf = (entries: readonly Raw[]): Partial<ApplicationDraft> => {
    const draft: Record<string, unknown> = {};
    setAtPath(draft, steps, entries);
    return draft;
  };
  const isOf = (state: ValueMap): ((entry: Raw) => boolean) => {
    const target = requiredText(state, key).toLowerCase();
    return (entry) => String(entry[property]).toLowerCase() === target;
  };
  return partHandler({
    ...kind,
    read(application, state) {
      const entry = entriesOf(application).find(isOf(state));
      return entry === undefined
        ? undefined
        : { ...flattenFields(fields, entry), ...more?.flatten?.(entry) };
    },
    write(application, planned) {
      const [entries, isSame] = [entriesOf(application), isOf(planned)];
      const entry = { ...expandFields(fields, planned), ...more?.expand(planned) };
      return draftOf(
        entries.some(isSame)
          ? entries.map((each) => (isSame(each) ? entry : each))
          : [...entries, entry],
      );
    },
    remove(application, state) {
      const isSame = isOf(state);
      return draftOf(entriesOf(application).filter((each) => !isSame(each)));
    },
  });
}

const disableRoles: PartKind['before'] = (api, application, changes, signal) =>
  disableBeforeChange(
    api,
    application.id,
    application,
    {
      ...omitUndefined({ roles: changes.appRoles, scopes: changes.api?.oauth2PermissionScopes }),
    },
    signal,
  );
const enabled = { expand: () => ({ isEnabled: true }) };

export const appRole = entryHandler({
  typeName: 'azuread_application_app_role',
  id: (application, planned) =>
    `/applications/${application}/appRoles/${requiredText(planned, 'role_id')}`,
  list: 'appRoles',
  key: 'role_id',
  fields: { role_id: 'id', ...roleFields },
  more: enabled,
  before: disableRoles,
  importForm: '/applications/{applicationId}/appRoles/{roleId}',
  imported: ({ roleId = '' }) => ({ role_id: roleId }),
});

export const permissionScope = entryHandler({
  typeName: 'azuread_application_permission_scope',
  id: (application, planned) =>
    `/applications/${application}/permissionScopes/${requiredText(planned, 'scope_id')}`,
  list: 'api.oauth2PermissionScopes',
  key: 'scope_id',
  fields: { scope_id: 'id', ...scopeFields },
  more: enabled,
  before: disableRoles,
  importForm: '/applications/{applicationId}/permissionScopes/{scopeId}',
  imported: ({ scopeId = '' }) => ({ scope_id: scopeId }),
});

export const identifierUri = partHandler({
  typeName: 'azuread_application_identifier_uri',
  id: (application, planned) =>
    `/applications/${application}/identifierUris/${Buffer.from(requiredText(planned, 'identifier_uri')).toString('base64')}`,
  read: ({ identifierUris }, state) =>
    identifierUris?.includes(requiredText(state, 'identifier_uri')) === true
      ? { identifier_uri: requiredText(state, 'identifier_uri') }
      : undefined,
  write: ({ identifierUris = [] }, planned) => ({
    identifierUris: [...identifierUris, requiredText(planned, 'identifier_uri')],
  }),
  remove: ({ identifierUris = [] }, state) => ({
    identifierUris: identifierUris.filter((each) => each !== requiredText(state, 'identifier_uri')),
  }),
  immutable: true,
  importForm: '/applications/{applicationId}/identifierUris/{uri}',
  imported: ({ uri = '' }) => ({ identifier_uri: Buffer.from(uri, 'base64').toString('utf8') }),
});

const accessTypes = { role_ids: 'Role', scope_ids: 'Scope' } as const;

export const apiAccess = entryHandler({
  typeName: 'azuread_application_api_access',
  id: (application, planned) =>
    `/applications/${application}/apiAccess/${requiredText(planned, 'api_client_id')}`,
  list: 'requiredResourceAccess',
  key: 'api_client_id',
  fields: { api_client_id: 'resourceAppId' },
  more: {
    expand: (planned) => ({
      resourceAccess: Object.entries(accessTypes).flatMap(([name, type]) =>
        texts(planned, name).map((id) => ({ id, type })),
      ),
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

export const knownClients = partHandler({
  typeName: 'azuread_application_known_clients',
  id: (application) => `/applications/${application}/knownClients`,
  read: ({ api }) =>
    (api?.knownClientApplications ?? []).length === 0
      ? undefined
      : { known_client_ids: [...(api?.knownClientApplications ?? [])] },
  write: (_, planned) => ({ api: { knownClientApplications: texts(planned, 'known_client_ids') } }),
  remove: () => ({ api: { knownClientApplications: [] } }),
  importForm: '/applications/{applicationId}/knownClients',
  imported: () => ({}),
});

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
  importForm: '/applications/{applicationId}',
  imported: () => ({}),
});

export const preAuthorized = entryHandler({
  typeName: 'azuread_application_pre_authorized',
  id: (application, planned) =>
    `${application}/preAuthorizedApplication/${requiredText(planned, 'authorized_client_id')}`,
  list: 'api.preAuthorizedApplications',
  key: 'authorized_client_id',
  fields: {
    authorized_client_id: 'appId',
    permission_ids: emptyListIfUnset('delegatedPermissionIds'),
  },
  importForm: '{applicationId}/preAuthorizedApplication/{clientId}',
  imported: ({ clientId = '' }) => ({ authorized_client_id: clientId }),
});

export const fallbackPublicClient = partHandler({
  typeName: 'azuread_application_fallback_public_client',
  id: (application) => `/applications/${application}/fallbackPublicClient`,
  // null counts as unset: only then can it be created
  read: ({ isFallbackPublicClient }, state) =>
    isFallbackPublicClient == null && typeof state['id'] !== 'string'
      ? undefined
      : { enabled: isFallbackPublicClient ?? false },
  write: (_, planned) => ({ isFallbackPublicClient: flag(planned, 'enabled') }),
  remove: () => ({ isFallbackPublicClient: null }),
  immutable: true,
  importForm: '/applications/{applicationId}/fallbackPublicClient',
  imported: () => ({}),
});

const uriSections = { PublicClient: 'publicClient', SPA: 'spa', Web: 'web' } as const;

/** The section of an application with the redirect URIs of a type. */
function sectionOf(state: ValueMap): 'publicClient' | 'spa' | 'web' {
  return uriSections[requiredText(state, 'type') as keyof typeof uriSections];
}

/** The application's redirect URIs of the type in a state. */
function redirectUrisOf(application: Application, state: ValueMap): readonly string[] {
  return application[sectionOf(state)]?.redirectUris ?? [];
}

const redirectUrisId = (application: string, planned: ValueMap): string =>
  `/applications/${application}/redirectUris/${requiredText(planned, 'type')}`;

export const redirectUris: ResourceHandler = {
  ...partHandler({
    typeName: 'azuread_application_redirect_uris',
    id: redirectUrisId,
    read(application, state) {
      const uris = redirectUrisOf(application, state);
      return uris.length === 0 ? undefined : { redirect_uris: uris };
    },
    write: (_, planned) => ({
      [sectionOf(planned)]: { redirectUris: texts(planned, 'redirect_uris') },
    }),
    remove: (_, state) => ({ [sectionOf(state)]: { redirectUris: [] } }),
    importForm: '/applications/{applicationId}/redirectUris/{type}',
    imported: ({ type = '' }) => ({ type }),
  }),
  async find({ api, planned, signal }) {
    const owner = applicationOf(requiredText(planned, 'application_id'));
    const application = await api.directory.applications.find(owner, { signal });
    const existing = application === undefined ? [] : redirectUrisOf(application, planned);
    const uris = new Set(texts(planned, 'redirect_uris'));
    if (existing.length !== uris.size || !existing.every((uri) => uris.has(uri))) return undefined;
    return { id: redirectUrisId(owner, planned) };
  },
};
