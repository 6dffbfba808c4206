import type { ResourceHandler } from '../handler.js';
import { textOrEmpty, optionalText } from '../read-values.js';
import { isCreatedSince } from '../finders.js';
import { expandFields, flattenFields } from '../body-fields.js';
import { passwordFields } from './application-fields.js';
import { isServiceError, undefinedIfNotFound } from '../../../clients/common/index.js';
import { objectIdIn, prefixBareId } from './ids.js';

/**
 * The resources azuread_application_password and azuread_service_principal_password: a client
 * secret, readable only when it is created.
 */
function passwordHandler(
  collection: 'applications' | 'servicePrincipals',
  ownerAttribute: 'application_id' | 'service_principal_id',
): ResourceHandler {
  return {
    async create({ api, planned, signal }) {
      const ownerId = objectIdIn(textOrEmpty(planned, ownerAttribute));
      // the official provider omits `end_date_relative`, too
      const answer = await api.directory[collection].addPassword(
        ownerId,
        expandFields(passwordFields, planned),
        { signal },
      );
      return {
        ...flattenFields(passwordFields, answer),
        id: `${ownerId}/password/${answer.keyId}`,
        value: answer.secretText,
      };
    },
    /** Names are not unique: of several secrets that match, any may be someone else's. */
    async findExisting({ api, planned, createdSince, signal }) {
      const ownerId = objectIdIn(textOrEmpty(planned, ownerAttribute));
      const owner = await api.directory[collection].find(ownerId, { signal });
      const name = optionalText(planned, 'display_name') ?? null;
      const [credential, ...others] = (owner?.passwordCredentials ?? []).filter(
        (each) => each.displayName === name && isCreatedSince(createdSince, each.startDateTime),
      );
      return credential === undefined || others.length > 0
        ? undefined
        : { id: `${ownerId}/password/${credential.keyId}`, key_id: credential.keyId };
    },
    async read({ api, state, signal }) {
      const ownerId = objectIdIn(textOrEmpty(state, ownerAttribute));
      const owner = await api.directory[collection].find(ownerId, { signal });
      const keyId = textOrEmpty(state, 'key_id').toLowerCase();
      const credential = owner?.passwordCredentials?.find(
        (each) => each.keyId.toLowerCase() === keyId,
      );
      return credential === undefined ? undefined : flattenFields(passwordFields, credential);
    },
    async delete({ api, state, signal }) {
      try {
        await undefinedIfNotFound(
          api.directory[collection].removePassword(
            objectIdIn(textOrEmpty(state, ownerAttribute)),
            textOrEmpty(state, 'key_id'),
            { signal },
          ),
        );
      } catch (error) {
        if (!isServiceError(error, 400) || (await isListed())) throw error;
      }
      /** Whether the secret still exists: a missing one counts as deleted. */
      async function isListed(): Promise<boolean> {
        const owner = await api.directory[collection].find(
          objectIdIn(textOrEmpty(state, ownerAttribute)),
          {
            signal,
          },
        );
        return (
          owner?.passwordCredentials?.some((each) => each.keyId === textOrEmpty(state, 'key_id')) ??
          false
        );
      }
    },
    upgrade(version, state) {
      const ownerObjectId = String(
        state[
          `${ownerAttribute === 'application_id' ? 'application' : 'service_principal'}_object_id`
        ] ?? '',
      );
      if ((state[ownerAttribute] ?? '') !== '' || ownerObjectId === '') return state;
      return prefixBareId(collection)(version, {
        ...state,
        [ownerAttribute]: `/${collection}/${ownerObjectId}`,
      });
    },
  };
}

/** The resource azuread_application_password. */
export const applicationPassword: ResourceHandler = passwordHandler(
  'applications',
  'application_id',
);
/** The resource azuread_service_principal_password. */
export const servicePrincipalPassword: ResourceHandler = passwordHandler(
  'servicePrincipals',
  'service_principal_id',
);
