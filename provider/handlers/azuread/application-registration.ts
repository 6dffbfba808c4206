import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import type { ResourceHandler } from '../handler.js';
import { defined, differs, flag, given, mustText, number, textOrClear, texts } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { applicationId, importObject } from './ids.js';
import { unlessGone } from './listing.js';

/** The resource azuread_application_registration: an application whose further parts are resources of their own. */
export const applicationRegistration: ResourceHandler = {
  async create({ api, planned, signal }) {
    return reported(await api.directory.applications.create(draft(planned), { signal }));
  },
  async read({ api, state, signal }) {
    const found = await api.directory.applications.find(mustText(state, 'object_id'), { signal });
    return found === undefined ? undefined : reported(found);
  },
  async update({ api, prior, planned, signal }) {
    const id = mustText(prior, 'object_id');
    const changes = changedSections(prior, planned);
    if (Object.keys(changes).length > 0) await api.directory.applications.update(id, changes, { signal });
    return reported(await api.directory.applications.get(id, { signal }));
  },
  async delete({ api, state, signal }) {
    await unlessGone(api.directory.applications.delete(mustText(state, 'object_id'), { signal }));
  },
  import: importObject('applications'),
};

function draft(planned: ValueMap): ApplicationDraft {
  return {
    displayName: mustText(planned, 'display_name'),
    api: { requestedAccessTokenVersion: number(planned, 'requested_access_token_version') ?? 2 },
    signInAudience: mustText(planned, 'sign_in_audience'),
    groupMembershipClaims: claims(planned),
    info: info(planned),
    web: web(planned),
    ...defined({
      description: textOrClear(planned, 'description'),
      notes: textOrClear(planned, 'notes'),
      serviceManagementReference: textOrClear(planned, 'service_management_reference'),
    }),
  };
}

/** Only what changed; the directory merges what is inside a section. */
function changedSections(prior: ValueMap, planned: ValueMap): Partial<ApplicationDraft> {
  const changed = (...names: string[]): boolean => differs(prior, planned, ...names);
  return defined({
    displayName: changed('display_name') ? mustText(planned, 'display_name') : undefined,
    description: changed('description') ? textOrClear(planned, 'description') : undefined,
    notes: changed('notes') ? textOrClear(planned, 'notes') : undefined,
    serviceManagementReference: changed('service_management_reference') ? textOrClear(planned, 'service_management_reference') : undefined,
    signInAudience: changed('sign_in_audience') ? mustText(planned, 'sign_in_audience') : undefined,
    groupMembershipClaims: changed('group_membership_claims') ? claims(planned) : undefined,
    api: changed('requested_access_token_version')
      ? { requestedAccessTokenVersion: number(planned, 'requested_access_token_version') ?? 2 }
      : undefined,
    info: changed('marketing_url', 'privacy_statement_url', 'support_url', 'terms_of_service_url') ? info(planned) : undefined,
    web: changed('homepage_url', 'logout_url', 'implicit_access_token_issuance_enabled', 'implicit_id_token_issuance_enabled')
      ? web(planned)
      : undefined,
  });
}

function claims(planned: ValueMap): string | null {
  const words = texts(planned, 'group_membership_claims').sort();
  return words.length === 0 ? null : words.join(',');
}

function info(planned: ValueMap): NonNullable<Application['info']> {
  return {
    marketingUrl: textOrClear(planned, 'marketing_url'),
    privacyStatementUrl: textOrClear(planned, 'privacy_statement_url'),
    supportUrl: textOrClear(planned, 'support_url'),
    termsOfServiceUrl: textOrClear(planned, 'terms_of_service_url'),
  };
}

function web(planned: ValueMap): NonNullable<Application['web']> {
  return {
    homePageUrl: textOrClear(planned, 'homepage_url'),
    logoutUrl: textOrClear(planned, 'logout_url'),
    implicitGrantSettings: {
      enableAccessTokenIssuance: flag(planned, 'implicit_access_token_issuance_enabled'),
      enableIdTokenIssuance: flag(planned, 'implicit_id_token_issuance_enabled'),
    },
  };
}

function reported(application: Application): Reported {
  const { info: urls, web: site, groupMembershipClaims } = application;
  return {
    id: applicationId(application.id),
    object_id: application.id,
    client_id: application.appId,
    display_name: application.displayName,
    description: given(application, 'description'),
    disabled_by_microsoft: given(application, 'disabledByMicrosoftStatus') ?? '',
    group_membership_claims:
      groupMembershipClaims == null || groupMembershipClaims === '' ? [] : groupMembershipClaims.split(',').map((each) => each.trim()),
    homepage_url: given(site, 'homePageUrl'),
    logout_url: given(site, 'logoutUrl'),
    implicit_access_token_issuance_enabled: site?.implicitGrantSettings?.enableAccessTokenIssuance ?? false,
    implicit_id_token_issuance_enabled: site?.implicitGrantSettings?.enableIdTokenIssuance ?? false,
    marketing_url: given(urls, 'marketingUrl'),
    privacy_statement_url: given(urls, 'privacyStatementUrl'),
    support_url: given(urls, 'supportUrl'),
    terms_of_service_url: given(urls, 'termsOfServiceUrl'),
    notes: given(application, 'notes'),
    publisher_domain: given(application, 'publisherDomain') ?? '',
    requested_access_token_version: application.api?.requestedAccessTokenVersion ?? 1,
    service_management_reference: given(application, 'serviceManagementReference'),
    sign_in_audience: given(application, 'signInAudience'),
  };
}
