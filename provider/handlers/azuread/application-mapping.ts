import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { Value, ValueMap } from '../../values/value.js';
import { type BodyField, type BodyFields, expandFields, flattenFields } from '../body-fields.js';
import { objectProperty, oneBlock } from '../read-values.js';
import {
  claimFields,
  nullIfUnset,
  readOnlyText,
  emptyListIfUnset,
  falseIfUnset,
  appRolesField,
  scopesField,
} from './application-fields.js';
import { tagsToSend, flattenFeatureTags } from './feature-tags.js';
import { applicationId } from './ids.js';
import { idsByValue } from './service-principal.js';

const fields: BodyFields = {
  display_name: 'displayName',
  description: nullIfUnset('description'),
  notes: nullIfUnset('notes'),
  service_management_reference: nullIfUnset('serviceManagementReference'),
  sign_in_audience: 'signInAudience',
  group_membership_claims: {
    bodyPath: 'groupMembershipClaims',
    sentDefault: null,
    stateDefault: [],
    toBody: (words) => (words as string[]).sort().join(),
    toState: (words) => splitWords(String(words)),
  },
  identifier_uris: emptyListIfUnset('identifierUris'),
  device_only_auth_enabled: {
    bodyPath: 'isDeviceOnlyAuthSupported',
    sentDefault: null,
    stateDefault: false,
  },
  fallback_public_client_enabled: {
    bodyPath: 'isFallbackPublicClient',
    sentDefault: null,
    stateDefault: false,
  },
  marketing_url: nullIfUnset('info.marketingUrl'),
  privacy_statement_url: nullIfUnset('info.privacyStatementUrl'),
  support_url: nullIfUnset('info.supportUrl'),
  terms_of_service_url: nullIfUnset('info.termsOfServiceUrl'),
  logo_url: readOnlyText('info.logoUrl'),
  disabled_by_microsoft: readOnlyText('disabledByMicrosoftStatus'),
  publisher_domain: readOnlyText('publisherDomain'),
  oauth2_post_response_required: { ...falseIfUnset('oauth2RequirePostResponse'), readOnly: true },
};

const lists: BodyFields = {
  app_role: appRolesField,
  required_resource_access: {
    bodyPath: 'requiredResourceAccess',
    sentDefault: [],
    fields: {
      resource_app_id: 'resourceAppId',
      resource_access: {
        bodyPath: 'resourceAccess',
        sentDefault: [],
        fields: { id: 'id', type: 'type' },
      },
    },
  },
};

/** The blocks that are sections of the application: each is sent, whether configured or not. */
const sections: Readonly<Record<string, BodyField & { readonly fields: BodyFields }>> = {
  api: {
    bodyPath: 'api',
    fields: {
      known_client_applications: emptyListIfUnset('knownClientApplications'),
      mapped_claims_enabled: falseIfUnset('acceptMappedClaims'),
      oauth2_permission_scope: scopesField,
      requested_access_token_version: {
        bodyPath: 'requestedAccessTokenVersion',
        sentDefault: 1,
        stateDefault: 1,
      },
    },
  },
  optional_claims: { bodyPath: 'optionalClaims', fields: claimFields },
  public_client: {
    bodyPath: 'publicClient',
    fields: { redirect_uris: emptyListIfUnset('redirectUris') },
  },
  single_page_application: {
    bodyPath: 'spa',
    fields: { redirect_uris: emptyListIfUnset('redirectUris') },
  },
  web: {
    bodyPath: 'web',
    fields: {
      homepage_url: nullIfUnset('homePageUrl'),
      logout_url: nullIfUnset('logoutUrl'),
      redirect_uris: emptyListIfUnset('redirectUris'),
    },
  },
};

const grantFields: BodyFields = {
  access_token_issuance_enabled: falseIfUnset('enableAccessTokenIssuance'),
  id_token_issuance_enabled: falseIfUnset('enableIdTokenIssuance'),
};

/** The common part of azuread_application and its data source. */
export function flattenApplication(application: Application): ActualValues {
  return {
    ...flattenFields(fields, application),
    id: applicationId(application.id),
    object_id: application.id,
    client_id: application.appId,
    app_role_ids: idsByValue(application.appRoles),
    oauth2_permission_scope_ids: idsByValue(application.api?.oauth2PermissionScopes),
    feature_tags: flattenFeatureTags([...(application.tags ?? [])]),
    tags: [...(application.tags ?? [])],
  };
}

/** The blocks of azuread_application. Empty sections have no block, unless the state has one. */
export function flattenApplicationBlocks(application: Application, state: ValueMap): ActualValues {
  const sectionBlocks = (
    parent: ValueMap | undefined,
    name: string,
    value: ValueMap,
    empty: ValueMap,
  ): Value =>
    oneBlock(parent, name) === undefined && areEquivalentBlocks(value, empty) ? [] : [value];
  const entries = Object.entries(sections).map(
    ([name, { bodyPath, fields: sectionFields }]): [string, Value] => {
      const [value, empty] = [objectProperty(application, bodyPath), {}].map((each) =>
        flattenFields(sectionFields, each),
      ) as [ValueMap, ValueMap];
      if (name !== 'web') return [name, sectionBlocks(state, name, value, empty)];
      const grant = flattenFields(
        grantFields,
        objectProperty(application.web, 'implicitGrantSettings'),
      );
      const implicitGrant = sectionBlocks(
        oneBlock(state, 'web'),
        'implicit_grant',
        grant,
        flattenFields(grantFields, {}),
      );
      return [
        name,
        sectionBlocks(
          state,
          name,
          { ...value, implicit_grant: implicitGrant },
          { ...empty, implicit_grant: [] },
        ),
      ];
    },
  );
  return {
    ...flattenFields({ ...lists, template_id: readOnlyText('applicationTemplateId') }, application),
    ...Object.fromEntries(entries),
  };
}

/** Whether two blocks are equivalent: null and "" are equal. */
function areEquivalentBlocks(left: ValueMap, right: ValueMap): boolean {
  const [a, b] = [left, right].map((each) =>
    JSON.stringify(each, (_, value: unknown) => (value === '' ? null : value)),
  );
  return a === b;
}

/** The complete application as azuread_application sends it, without owners and passwords. */
export function applicationBody(planned: ValueMap, config: ValueMap): ApplicationDraft {
  const entries = Object.entries(sections).map(([name, { bodyPath, fields: sectionFields }]) => {
    const block = oneBlock(planned, name);
    if (name === 'optional_claims' && block === undefined) return [bodyPath, {}];
    const grant =
      name === 'web'
        ? { implicitGrantSettings: expandFields(grantFields, oneBlock(block, 'implicit_grant')) }
        : {};
    return [bodyPath, { ...expandFields(sectionFields, block), ...grant }];
  });
  return {
    ...expandFields({ ...fields, ...lists }, planned),
    ...Object.fromEntries(entries),
    tags: tagsToSend(planned, config),
  } as unknown as ApplicationDraft;
}

/** A comma-separated list of words. */
function splitWords(words: string): string[] {
  return words
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
