import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { expandFields, type Fields, flattenFields } from '../body-fields.js';
import type { ResourceHandler } from '../handler.js';
import { requiredText } from '../read-values.js';
import { readOnlyText, emptyListIfUnset, emptyTextIfUnset } from './application-fields.js';
import { applicationOf, parseImport } from './ids.js';

const credentialFields: Fields = {
  display_name: 'name',
  issuer: 'issuer',
  subject: emptyTextIfUnset('subject'),
  audiences: emptyListIfUnset('audiences'),
  description: emptyTextIfUnset('description'),
};

/**
 * The resource azuread_application_federated_identity_credential: a token of another issuer instead
 * of a secret.
 */
export const federatedIdentityCredential: ResourceHandler = {
  async create({ api, planned, signal }) {
    const application = applicationOf(requiredText(planned, 'application_id'));
    const answer = await api.directory.applications.federatedIdentityCredentials.create(
      application,
      expandFields(credentialFields, planned) as never,
      { signal },
    );
    return {
      id: `${application}/federatedIdentityCredential/${answer.id}`,
      credential_id: answer.id,
    };
  },
  async read({ api, state, signal }) {
    const application = applicationOf(requiredText(state, 'application_id'));
    const credentials = api.directory.applications.federatedIdentityCredentials;
    const credential = await undefinedIfNotFound(
      credentials.get(application, requiredText(state, 'credential_id'), { signal }),
    );
    if (credential === undefined) return undefined;
    return {
      id: `${application}/federatedIdentityCredential/${credential.id}`,
      credential_id: credential.id,
      ...flattenFields(credentialFields, credential),
    };
  },
  async update({ api, prior, planned, signal }) {
    const application = applicationOf(requiredText(prior, 'application_id'));
    const { name: _name, ...changes } = expandFields(credentialFields, planned);
    await api.directory.applications.federatedIdentityCredentials.update(
      application,
      requiredText(prior, 'credential_id'),
      changes,
      {
        signal,
      },
    );
    return {};
  },
  async delete({ api, state, signal }) {
    await undefinedIfNotFound(
      api.directory.applications.federatedIdentityCredentials.delete(
        applicationOf(requiredText(state, 'application_id')),
        requiredText(state, 'credential_id'),
        { signal },
      ),
    );
  },
  import(id) {
    const { applicationId = '', credentialId = '' } = parseImport(
      '{applicationId}/federatedIdentityCredential/{credentialId}',
      id,
    );
    return { id, application_id: `/applications/${applicationId}`, credential_id: credentialId };
  },
};

const assignmentFields: Fields = {
  app_role_id: 'appRoleId',
  principal_object_id: 'principalId',
  resource_object_id: 'resourceId',
  principal_display_name: readOnlyText('principalDisplayName'),
  principal_type: readOnlyText('principalType'),
  resource_display_name: readOnlyText('resourceDisplayName'),
};
const assignmentForm = '/servicePrincipals/{resourceId}/appRoleAssignedTo/{assignment}';

/**
 * The resource azuread_app_role_assignment: a role of an application, assigned to a user, group or
 * application.
 */
export const appRoleAssignment: ResourceHandler = {
  async create({ api, planned, signal }) {
    const resource = requiredText(planned, 'resource_object_id');
    const draft = expandFields(assignmentFields, planned) as never;
    const answer = await api.directory.servicePrincipals.appRoleAssignedTo.create(resource, draft, {
      signal,
    });
    return {
      ...flattenFields(assignmentFields, answer),
      id: assignmentForm.replace('{resourceId}', resource).replace('{assignment}', answer.id),
    };
  },
  async read({ api, state, signal }) {
    const id = requiredText(state, 'id');
    const { resourceId = '', assignment = '' } = parseImport(assignmentForm, id);
    const link = await undefinedIfNotFound(
      api.directory.servicePrincipals.appRoleAssignedTo.get(resourceId, assignment, { signal }),
    );
    return link === undefined ? undefined : { id, ...flattenFields(assignmentFields, link) };
  },
  async delete({ api, state, signal }) {
    const { resourceId = '', assignment = '' } = parseImport(
      assignmentForm,
      requiredText(state, 'id'),
    );
    await undefinedIfNotFound(
      api.directory.servicePrincipals.appRoleAssignedTo.delete(resourceId, assignment, { signal }),
    );
  },
  import(id) {
    parseImport(assignmentForm, id);
    return { id };
  },
};
