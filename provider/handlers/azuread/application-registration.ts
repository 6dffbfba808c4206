import { registration } from '../../../kinds/registration/registration.js';
import type { Application, ApplicationDraft } from '../../../clients/directory/index.js';
import type { ValueMap } from '../../values/value.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import { expandProperties, flattenProperties } from '../described-values.js';
import { differsIn, textOrEmpty } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { nullIfUnset, readOnlyText } from './application-fields.js';
import { applicationId } from './ids.js';
import { applicationFinder, objectHandler } from './directory-object.js';

const typeName = 'azuread_application_registration';

/**
 * The resource azuread_application_registration: an application whose other parts have their own
 * resources.
 */
export const applicationRegistration = objectHandler<Application>(
  { collection: 'applications', objects: ({ applications }) => applications, toState },
  {
    async create({ api, planned, signal }) {
      return toState(
        await api.directory.applications.create(registrationDraft(planned), { signal }),
      );
    },
    findExisting: applicationFinder(toState),
    async update({ api, prior, planned, signal }) {
      const id = textOrEmpty(prior, 'object_id');
      const changes = changedSections(prior, planned);
      if (Object.keys(changes).length > 0)
        await api.directory.applications.update(id, changes, { signal });
      return toState(await api.directory.applications.get(id, { signal }));
    },
  },
);

/** The fields that the kind `registration` does not describe. */
const fields: BodyFields = {
  marketing_url: nullIfUnset('info.marketingUrl'),
  privacy_statement_url: nullIfUnset('info.privacyStatementUrl'),
  support_url: nullIfUnset('info.supportUrl'),
  terms_of_service_url: nullIfUnset('info.termsOfServiceUrl'),
  requested_access_token_version: {
    bodyPath: 'api.requestedAccessTokenVersion',
    sentDefault: 2,
    stateDefault: 1,
  },
  service_management_reference: nullIfUnset('serviceManagementReference'),
  disabled_by_microsoft: readOnlyText('disabledByMicrosoftStatus'),
  publisher_domain: readOnlyText('publisherDomain'),
};

function registrationDraft(planned: ValueMap): ApplicationDraft {
  return {
    displayName: textOrEmpty(planned, 'display_name'),
    ...expandFields(fields, planned),
    ...expandProperties(registration, typeName, planned),
  };
}

/**
 * Only the sections of the body (`info`, `api`, …) with a change; the directory merges the values
 * within a section.
 */
function changedSections(prior: ValueMap, planned: ValueMap): Partial<ApplicationDraft> {
  const body = expandFields(fields, planned);
  const changedFields = Object.entries(fields).filter(([attribute]) =>
    differsIn(prior, planned, attribute),
  );
  const sectionNames = changedFields.map(
    ([, field]) => (typeof field === 'string' ? field : field.bodyPath).split('.')[0] ?? '',
  );
  const sectionEntries = Object.entries(body).filter(([section]) => sectionNames.includes(section));
  return {
    ...expandProperties(registration, typeName, planned, { prior }),
    ...Object.fromEntries(sectionEntries),
  };
}

function toState(application: Application): ActualValues {
  const ids = {
    id: applicationId(application.id),
    object_id: application.id,
    client_id: application.appId,
  };
  return {
    ...ids,
    ...flattenProperties(registration, typeName, application),
    ...flattenFields(fields, application),
  };
}
