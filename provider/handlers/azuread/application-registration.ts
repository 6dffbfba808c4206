import { registration } from '../../../kinds/registration/registration.js';
import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import type { ResourceHandler } from '../handler.js';
import { expand, flatten } from '../described.js';
import { defined, differs, given, mustText, number, text, textOrClear } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { applicationId, importObject } from './ids.js';
import { unlessGone } from './listing.js';

const type = 'azuread_application_registration';

/** The resource azuread_application_registration: an application whose further parts are resources of their own. */
export const applicationRegistration: ResourceHandler = {
  async create({ api, planned, signal }) {
    return toState(await api.directory.applications.create(draft(planned), { signal }));
  },
  async read({ api, state, signal }) {
    const found = await api.directory.applications.find(mustText(state, 'object_id'), { signal });
    return found === undefined ? undefined : toState(found);
  },
  async update({ api, prior, planned, signal }) {
    const id = mustText(prior, 'object_id');
    const changes = changedSections(prior, planned);
    if (Object.keys(changes).length > 0) await api.directory.applications.update(id, changes, { signal });
    return toState(await api.directory.applications.get(id, { signal }));
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
    info: info(planned),
    ...expand(registration, type, planned),
    ...defined({ serviceManagementReference: text(planned, 'service_management_reference') }),
  };
}

/** Only what changed; the directory merges what is inside a section. */
function changedSections(prior: ValueMap, planned: ValueMap): Partial<ApplicationDraft> {
  const changed = (...names: string[]): boolean => differs(prior, planned, ...names);
  return {
    ...expand(registration, type, planned, { prior }),
    ...defined({
      serviceManagementReference: changed('service_management_reference')
        ? textOrClear(planned, 'service_management_reference')
        : undefined,
      api: changed('requested_access_token_version')
        ? { requestedAccessTokenVersion: number(planned, 'requested_access_token_version') ?? 2 }
        : undefined,
      info: changed('marketing_url', 'privacy_statement_url', 'support_url', 'terms_of_service_url') ? info(planned) : undefined,
    }),
  };
}

function info(planned: ValueMap): NonNullable<Application['info']> {
  return {
    marketingUrl: textOrClear(planned, 'marketing_url'),
    privacyStatementUrl: textOrClear(planned, 'privacy_statement_url'),
    supportUrl: textOrClear(planned, 'support_url'),
    termsOfServiceUrl: textOrClear(planned, 'terms_of_service_url'),
  };
}

function toState(application: Application): Reported {
  const { info: urls } = application;
  return {
    id: applicationId(application.id),
    object_id: application.id,
    client_id: application.appId,
    ...flatten(registration, type, application),
    disabled_by_microsoft: given(application, 'disabledByMicrosoftStatus') ?? '',
    marketing_url: given(urls, 'marketingUrl'),
    privacy_statement_url: given(urls, 'privacyStatementUrl'),
    support_url: given(urls, 'supportUrl'),
    terms_of_service_url: given(urls, 'termsOfServiceUrl'),
    publisher_domain: given(application, 'publisherDomain') ?? '',
    requested_access_token_version: application.api?.requestedAccessTokenVersion ?? 1,
    service_management_reference: given(application, 'serviceManagementReference'),
  };
}
