import type { AppRole, PermissionScope, ServicePrincipal } from '../../../clients/directory/index.js';
import { isServiceError } from '../../../clients/common/index.js';
import type { Value, ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { blocks, differs, flag, given, listChange, mustText, text, textOrClear, texts } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { expandTags, flattenFeatures, flattenFeatureTags, planTags } from './feature-tags.js';
import { importObject, prefixBareId, servicePrincipalId } from './ids.js';
import { idsOf, unlessGone } from './listing.js';

/** The resource azuread_service_principal: an application's presence in the tenant. */
export const servicePrincipal: ResourceHandler = {
  async create({ planned, config, ...context }) {
    const { api, signal } = context;
    const { servicePrincipals } = api.directory;
    const existing = await findByClientId(mustText(planned, 'client_id'), context);
    if (existing !== undefined && !flag(planned, 'use_existing'))
      throw new ProviderFailure(
        `A resource with the ID "${servicePrincipalId(existing.id)}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "azuread_service_principal" for more information.`,
      );
    if (existing !== undefined) {
      // a first-party principal refuses changes: it is used as it is, as the official provider does
      await servicePrincipals.update(existing.id, settings(planned, config), { signal }).catch(ignoreRefusal);
      return toState(await servicePrincipals.get(existing.id, { signal }), context);
    }
    const owners = texts(planned, 'owners');
    const bind = owners.length === 0 ? {} : { 'owners@odata.bind': owners.slice(0, 20).map((id) => api.directory.reference(id)) };
    const made = await servicePrincipals.create(
      { appId: mustText(planned, 'client_id'), ...settings(planned, config), ...bind },
      { signal },
    );
    context.created({ id: servicePrincipalId(made.id), object_id: made.id });
    const { add, remove } = listChange(await idsOf(servicePrincipals.owners.list(made.id, { signal })), owners);
    for (const owner of add) await servicePrincipals.owners.add(made.id, owner, { signal });
    for (const owner of remove) await servicePrincipals.owners.remove(made.id, owner, { signal });
    return toState(await servicePrincipals.get(made.id, { signal }), context);
  },
  async read({ state, ...context }) {
    const found = await context.api.directory.servicePrincipals.find(mustText(state, 'object_id'), { signal: context.signal });
    return found === undefined ? undefined : toState(found, context);
  },
  async update({ prior, planned, config, ...context }) {
    const { api, signal } = context;
    const { servicePrincipals } = api.directory;
    const id = mustText(prior, 'object_id');
    await servicePrincipals.update(id, settings(planned, config), { signal });
    if (differs(prior, planned, 'owners')) {
      const { add, remove } = listChange(await idsOf(servicePrincipals.owners.list(id, { signal })), texts(planned, 'owners'));
      for (const owner of add) await servicePrincipals.owners.add(id, owner, { signal });
      for (const owner of remove) await servicePrincipals.owners.remove(id, owner, { signal });
    }
    return toState(await servicePrincipals.get(id, { signal }), context);
  },
  async delete({ api, state, signal }) {
    const deleted = unlessGone(api.directory.servicePrincipals.delete(mustText(state, 'object_id'), { signal }));
    // an adopted principal may refuse: the official provider passes over that as well
    await (flag(state, 'use_existing') ? deleted.catch(ignoreRefusal) : deleted);
  },
  import: importObject('servicePrincipals'),
  plan: ({ change }) => planTags(change),
  upgrade: prefixBareId('servicePrincipals'),
};

/** Finds the principal of an application, if the tenant has one. */
export async function findByClientId(clientId: string, { api, signal }: Context): Promise<ServicePrincipal | undefined> {
  for await (const found of api.directory.servicePrincipals.list({ filter: `appId eq '${clientId}'`, signal }))
    if (found.appId.toLowerCase() === clientId.toLowerCase()) return found;
  return undefined;
}

function ignoreRefusal(error: unknown): void {
  if (!isServiceError(error, 400, 403, 404, 405, 409)) throw error;
}

function settings(planned: ValueMap, config: ValueMap): Partial<ServicePrincipal> {
  const [saml] = blocks(planned, 'saml_single_sign_on');
  const relayState = text(saml, 'relay_state');
  return {
    accountEnabled: planned['account_enabled'] !== false,
    alternativeNames: texts(planned, 'alternative_names'),
    appRoleAssignmentRequired: flag(planned, 'app_role_assignment_required'),
    description: textOrClear(planned, 'description'),
    loginUrl: textOrClear(planned, 'login_url'),
    notes: textOrClear(planned, 'notes'),
    notificationEmailAddresses: texts(planned, 'notification_email_addresses'),
    preferredSingleSignOnMode: textOrClear(planned, 'preferred_single_sign_on_mode'),
    samlSingleSignOnSettings: relayState === undefined ? {} : { relayState },
    tags: expandTags(planned, config),
  };
}

async function toState(principal: ServicePrincipal, { api, signal }: Context): Promise<Reported> {
  return {
    ...flattenServicePrincipal(principal),
    owners: await idsOf(api.directory.servicePrincipals.owners.list(principal.id, { signal })),
  };
}

/** The attributes that come from the principal itself, for the resource and the data source. */
export function flattenServicePrincipal(principal: ServicePrincipal): Reported {
  const tags = [...(principal.tags ?? [])];
  const relayState = principal.samlSingleSignOnSettings?.relayState ?? null;
  return {
    id: servicePrincipalId(principal.id),
    object_id: principal.id,
    client_id: principal.appId,
    account_enabled: principal.accountEnabled ?? true,
    alternative_names: [...(principal.alternativeNames ?? [])],
    app_role_assignment_required: principal.appRoleAssignmentRequired ?? false,
    app_role_ids: idsByValue(principal.appRoles),
    app_roles: flattenRoles(principal.appRoles),
    application_tenant_id: given(principal, 'appOwnerOrganizationId') ?? '',
    description: given(principal, 'description'),
    display_name: principal.displayName,
    feature_tags: flattenFeatureTags(tags),
    features: flattenFeatures(tags),
    homepage_url: given(principal, 'homepage') ?? '',
    login_url: given(principal, 'loginUrl'),
    logout_url: given(principal, 'logoutUrl') ?? '',
    notes: given(principal, 'notes'),
    notification_email_addresses: [...(principal.notificationEmailAddresses ?? [])],
    oauth2_permission_scope_ids: idsByValue(principal.oauth2PermissionScopes),
    oauth2_permission_scopes: flattenScopes(principal.oauth2PermissionScopes),
    preferred_single_sign_on_mode: given(principal, 'preferredSingleSignOnMode'),
    redirect_uris: [...(principal.replyUrls ?? [])],
    saml_metadata_url: given(principal, 'samlMetadataUrl') ?? '',
    saml_single_sign_on: relayState === null || relayState === '' ? [] : [{ relay_state: relayState }],
    service_principal_names: (principal.servicePrincipalNames ?? []).filter((name) => name !== principal.appId),
    sign_in_audience: given(principal, 'signInAudience') ?? '',
    tags,
    type: given(principal, 'servicePrincipalType') ?? 'Application',
  };
}

/** The ids of roles or scopes by their value. */
export function idsByValue(entries: readonly { readonly id: string; readonly value?: string | null }[] | undefined): ValueMap {
  return Object.fromEntries(
    (entries ?? []).flatMap(({ id, value }) => (value === null || value === undefined || value === '' ? [] : [[value, id]])),
  );
}

/** Roles as a list of objects. */
export function flattenRoles(roles: readonly AppRole[] | undefined): Value {
  return (roles ?? []).map((role) => ({
    allowed_member_types: [...role.allowedMemberTypes],
    description: role.description ?? '',
    display_name: role.displayName ?? '',
    enabled: role.isEnabled,
    id: role.id,
    value: role.value ?? '',
  }));
}

/** Scopes as a list of objects. */
export function flattenScopes(scopes: readonly PermissionScope[] | undefined): Value {
  return (scopes ?? []).map((scope) => ({
    admin_consent_description: scope.adminConsentDescription ?? '',
    admin_consent_display_name: scope.adminConsentDisplayName ?? '',
    enabled: scope.isEnabled,
    id: scope.id,
    type: scope.type ?? 'User',
    user_consent_description: scope.userConsentDescription ?? '',
    user_consent_display_name: scope.userConsentDisplayName ?? '',
    value: scope.value ?? '',
  }));
}
