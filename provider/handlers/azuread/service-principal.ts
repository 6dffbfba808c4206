import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { quote, type ServicePrincipal } from '../../../clients/directory/index.js';
import { isServiceError, undefinedIfNotFound } from '../../../clients/common/index.js';
import type { ValueMap } from '../../values/value.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import type { Context } from '../handler.js';
import {
  differsIn,
  isTrue,
  oneBlock,
  optionalText,
  textOrEmpty,
  textList,
} from '../read-values.js';
import {
  nullIfUnset,
  readOnlyText,
  emptyListIfUnset,
  falseIfUnset,
  appRolesField,
  scopesField,
} from './application-fields.js';
import type { ActualValues } from '../../planner/new-state.js';
import { tagsToSend, flattenFeatures, flattenFeatureTags, planTags } from './feature-tags.js';
import { refuseExisting, servicePrincipalId } from './ids.js';
import { collectIds, maxOwnersInCreation, replaceLinks } from './listing.js';
import { findBestMatch, objectHandler } from './directory-object.js';

/** The resource azuread_service_principal: an application's representation in the tenant. */
export const servicePrincipal = objectHandler<ServicePrincipal>(
  {
    collection: 'servicePrincipals',
    objects: ({ servicePrincipals }) => servicePrincipals,
    toState,
  },
  {
    async create({ planned, config, ...context }) {
      const { api, signal } = context;
      const { servicePrincipals } = api.directory;
      const owners = textList(planned, 'owners');
      const existing = await findByClientId(textOrEmpty(planned, 'client_id'), context);
      if (existing !== undefined && !isTrue(planned, 'use_existing'))
        refuseExisting(true, servicePrincipalId(existing.id), 'azuread_service_principal');
      if (existing !== undefined) {
        // a first-party principal refuses changes: used unchanged, as by the official provider
        await servicePrincipals
          .update(existing.id, principalDraft(planned, config), { signal })
          .catch(ignoreRefusal);
        if (owners.length > 0)
          await replaceLinks(servicePrincipals.owners, existing.id, owners, signal);
        return toState(await servicePrincipals.get(existing.id, { signal }), context, planned);
      }
      const ownersToBind =
        owners.length === 0
          ? {}
          : {
              'owners@odata.bind': owners
                .slice(0, maxOwnersInCreation)
                .map((id) => api.directory.reference(id)),
            };
      const answer = await servicePrincipals.create(
        {
          appId: textOrEmpty(planned, 'client_id'),
          ...principalDraft(planned, config),
          ...ownersToBind,
        },
        { signal },
      );
      context.reportCreated({ id: servicePrincipalId(answer.id), object_id: answer.id });
      await replaceLinks(servicePrincipals.owners, answer.id, owners, signal);
      return toState(await servicePrincipals.get(answer.id, { signal }), context, planned);
    },
    async update({ prior, planned, config, ...context }) {
      const { api, signal } = context;
      const { servicePrincipals } = api.directory;
      const id = textOrEmpty(prior, 'object_id');
      await servicePrincipals.update(id, principalDraft(planned, config), { signal });
      if (differsIn(prior, planned, 'owners'))
        await replaceLinks(servicePrincipals.owners, id, textList(planned, 'owners'), signal);
      return toState(await servicePrincipals.get(id, { signal }), context, planned);
    },
    async delete({ api, state, signal }) {
      const deletion = undefinedIfNotFound(
        api.directory.servicePrincipals.delete(textOrEmpty(state, 'object_id'), { signal }),
      );
      // an adopted principal may refuse the change, which the official provider ignores as well
      await (isTrue(state, 'use_existing') ? deletion.catch(ignoreRefusal) : deletion);
    },
    findExisting(call) {
      const { api, planned, signal } = call;
      const filter = `appId eq ${quote(textOrEmpty(planned, 'client_id'))}`;
      return findBestMatch(
        'servicePrincipals',
        api.directory.servicePrincipals.list({ filter, signal }),
        call,
      );
    },
    plan: ({ change }) => planTags(change),
  },
);

/** Finds the service principal of an application in the tenant, if it has one. */
export async function findByClientId(
  clientId: string,
  { api, signal }: Context,
): Promise<ServicePrincipal | undefined> {
  for await (const servicePrincipal of api.directory.servicePrincipals.list({
    filter: `appId eq ${quote(clientId)}`,
    signal,
  }))
    if (servicePrincipal.appId.toLowerCase() === clientId.toLowerCase()) return servicePrincipal;
  return undefined;
}

function ignoreRefusal(error: unknown): void {
  if (!isServiceError(error, 400, 403, 404, 405, 409)) throw error;
}

const fields: BodyFields = {
  account_enabled: { bodyPath: 'accountEnabled', sentDefault: true, stateDefault: true },
  alternative_names: emptyListIfUnset('alternativeNames'),
  app_role_assignment_required: falseIfUnset('appRoleAssignmentRequired'),
  app_roles: { ...appRolesField, readOnly: true },
  application_tenant_id: readOnlyText('appOwnerOrganizationId'),
  description: nullIfUnset('description'),
  display_name: { bodyPath: 'displayName', readOnly: true },
  homepage_url: readOnlyText('homepage'),
  login_url: nullIfUnset('loginUrl'),
  logout_url: readOnlyText('logoutUrl'),
  notes: nullIfUnset('notes'),
  notification_email_addresses: emptyListIfUnset('notificationEmailAddresses'),
  oauth2_permission_scopes: { ...scopesField, readOnly: true },
  preferred_single_sign_on_mode: nullIfUnset('preferredSingleSignOnMode'),
  redirect_uris: { ...emptyListIfUnset('replyUrls'), readOnly: true },
  saml_metadata_url: readOnlyText('samlMetadataUrl'),
  saml_single_sign_on: {
    bodyPath: 'samlSingleSignOnSettings',
    isSingleObject: true,
    sentDefault: {},
    fields: { relay_state: 'relayState' },
  },
  sign_in_audience: readOnlyText('signInAudience'),
  type: { ...readOnlyText('servicePrincipalType'), stateDefault: 'Application' },
};

function principalDraft(planned: ValueMap, config: ValueMap): Partial<ServicePrincipal> {
  return { ...expandFields(fields, planned), tags: tagsToSend(planned, config) };
}

async function toState(
  principal: ServicePrincipal,
  { api, signal }: Context,
  state: ValueMap,
): Promise<ActualValues> {
  const { servicePrincipals } = api.directory;
  // the directory returns samlMetadataUrl only when it is selected
  const { samlMetadataUrl } = await servicePrincipals.get(principal.id, {
    select: ['samlMetadataUrl'],
    signal,
  });
  const relayStateInState = optionalText(oneBlock(state, 'saml_single_sign_on'), 'relay_state');
  return {
    ...flattenServicePrincipal({
      ...principal,
      ...omitUndefined({ samlMetadataUrl }),
    }),
    // the directory does not tell a block without a relay state from none
    ...(!hasRelayState(principal) &&
      relayStateInState === undefined && {
        saml_single_sign_on: state['saml_single_sign_on'] ?? [],
      }),
    owners: await collectIds(servicePrincipals.owners.list(principal.id, { signal })),
  };
}

/** The attributes that come from the principal itself, for the resource and the data source. */
export function flattenServicePrincipal(principal: ServicePrincipal): ActualValues {
  const tags = [...(principal.tags ?? [])];
  return {
    ...flattenFields(fields, principal),
    ...(!hasRelayState(principal) && { saml_single_sign_on: [] }),
    id: servicePrincipalId(principal.id),
    object_id: principal.id,
    client_id: principal.appId,
    app_role_ids: idsByValue(principal.appRoles),
    feature_tags: flattenFeatureTags(tags),
    features: flattenFeatures(tags),
    oauth2_permission_scope_ids: idsByValue(principal.oauth2PermissionScopes),
    service_principal_names: (principal.servicePrincipalNames ?? []).filter(
      (name) => name !== principal.appId,
    ),
    tags,
  };
}

function hasRelayState({ samlSingleSignOnSettings }: ServicePrincipal): boolean {
  return (samlSingleSignOnSettings?.relayState ?? '') !== '';
}

/** The ids of roles or scopes by their value. */
export function idsByValue(
  entries: readonly { readonly id: string; readonly value?: string | null }[] | undefined,
): ValueMap {
  return Object.fromEntries(
    (entries ?? []).flatMap(({ id, value }) =>
      value === null || value === undefined || value === '' ? [] : [[value, id]],
    ),
  );
}
