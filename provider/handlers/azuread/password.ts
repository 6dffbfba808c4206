import type { PasswordCredential } from '../../../clients/directory/index.js';
import type { ResourceHandler } from '../handler.js';
import { defined, given, mustText, text } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { isServiceError } from '../../../clients/common/index.js';
import { bareId, prefixBareId } from './ids.js';
import { unlessGone } from './listing.js';

/** The resources azuread_application_password and azuread_service_principal_password: a client secret, known only when it is made. */
function passwordHandler(
  collection: 'applications' | 'servicePrincipals',
  owner: 'application_id' | 'service_principal_id',
): ResourceHandler {
  return {
    async create({ api, planned, signal }) {
      const object = bareId(mustText(planned, owner));
      // `end_date_relative` is left out, as the official provider leaves it out
      const draft = defined({
        displayName: text(planned, 'display_name'),
        startDateTime: text(planned, 'start_date'),
        endDateTime: text(planned, 'end_date'),
      });
      const made = await api.directory[collection].addPassword(object, draft, { signal });
      return { ...toState(made), id: `${object}/password/${made.keyId}`, value: made.secretText };
    },
    async read({ api, state, signal }) {
      const object = bareId(mustText(state, owner));
      const found = await api.directory[collection].find(object, { signal });
      const keyId = mustText(state, 'key_id').toLowerCase();
      const credential = found?.passwordCredentials?.find((each) => each.keyId.toLowerCase() === keyId);
      return credential === undefined ? undefined : toState(credential);
    },
    async delete({ api, state, signal }) {
      try {
        await unlessGone(api.directory[collection].removePassword(bareId(mustText(state, owner)), mustText(state, 'key_id'), { signal }));
      } catch (error) {
        if (!isServiceError(error, 400) || (await isListed())) throw error;
      }
      /** A secret that is gone already is what was wanted. */
      async function isListed(): Promise<boolean> {
        const found = await api.directory[collection].find(bareId(mustText(state, owner)), { signal });
        return found?.passwordCredentials?.some((each) => each.keyId === mustText(state, 'key_id')) ?? false;
      }
    },
    upgrade(version, state) {
      const old = String(state[`${owner === 'application_id' ? 'application' : 'service_principal'}_object_id`] ?? '');
      if ((state[owner] ?? '') !== '' || old === '') return state;
      return prefixBareId(collection)(version, { ...state, [owner]: `/${collection}/${old}` });
    },
  };
}

function toState(credential: PasswordCredential): Reported {
  return {
    key_id: credential.keyId,
    display_name: given(credential, 'displayName') ?? '',
    start_date: given(credential, 'startDateTime') ?? '',
    end_date: given(credential, 'endDateTime') ?? '',
  };
}

export const applicationPassword: ResourceHandler = passwordHandler('applications', 'application_id');
export const servicePrincipalPassword: ResourceHandler = passwordHandler('servicePrincipals', 'service_principal_id');
