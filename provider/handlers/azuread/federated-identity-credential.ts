import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { expandFields, type BodyFields, flattenFields } from '../body-fields.js';
import type { ResourceHandler } from '../handler.js';
import { textOrEmpty } from '../read-values.js';
import { emptyListIfUnset, emptyTextIfUnset } from './application-fields.js';
import { applicationObjectIdIn, parseImport } from './ids.js';

const credentialFields: BodyFields = {
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
    const objectId = applicationObjectIdIn(textOrEmpty(planned, 'application_id'));
    const answer = await api.directory.applications.federatedIdentityCredentials.create(
      objectId,
      expandFields(credentialFields, planned) as never,
      { signal },
    );
    return {
      id: `${objectId}/federatedIdentityCredential/${answer.id}`,
      credential_id: answer.id,
    };
  },
  /** Names are unique in the application. */
  async findExisting({ api, planned, signal }) {
    const objectId = applicationObjectIdIn(textOrEmpty(planned, 'application_id'));
    const credentials = api.directory.applications.federatedIdentityCredentials;
    for await (const { id, name } of credentials.list(objectId, { signal }))
      if (name === textOrEmpty(planned, 'display_name'))
        return { id: `${objectId}/federatedIdentityCredential/${id}`, credential_id: id };
    return undefined;
  },
  async read({ api, state, signal }) {
    const objectId = applicationObjectIdIn(textOrEmpty(state, 'application_id'));
    const credentials = api.directory.applications.federatedIdentityCredentials;
    const credential = await undefinedIfNotFound(
      credentials.get(objectId, textOrEmpty(state, 'credential_id'), { signal }),
    );
    if (credential === undefined) return undefined;
    return {
      id: `${objectId}/federatedIdentityCredential/${credential.id}`,
      credential_id: credential.id,
      ...flattenFields(credentialFields, credential),
    };
  },
  async update({ api, prior, planned, signal }) {
    const objectId = applicationObjectIdIn(textOrEmpty(prior, 'application_id'));
    const { name: _name, ...changes } = expandFields(credentialFields, planned);
    await api.directory.applications.federatedIdentityCredentials.update(
      objectId,
      textOrEmpty(prior, 'credential_id'),
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
        applicationObjectIdIn(textOrEmpty(state, 'application_id')),
        textOrEmpty(state, 'credential_id'),
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
