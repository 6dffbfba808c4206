import type { Adapter, ClientMetadata, default as Provider } from 'oidc-provider';
import { backChannelUri } from './back-channel-logout.js';
import { deviceGrant } from './discovery.js';
import {
  type Application,
  type PeopleAndApplications,
  redirectUrisOf,
} from './people-and-applications.js';

/**
 * Clients as oidc-provider asks for them: the applications of the directory, which it only reads.
 */
export function clientAdapter(directory: Pick<PeopleAndApplications, 'application'>): Adapter {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    find: async (id) => {
      const application = await directory.application(id);
      return application && clientOf(application);
    },
    upsert: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  };
}

/** A registered application in oidc-provider's form. */
export function clientOf(application: Application): ClientMetadata {
  const secret = (application.passwordCredentials ?? []).length > 0;
  const redirectUris = redirectUrisOf(application);
  const backChannel = backChannelUri(redirectUris);
  const idTokens = application.web?.implicitGrantSettings?.enableIdTokenIssuance === true;
  return {
    client_id: application.appId,
    client_name: application.displayName ?? application.appId,
    // Native clients may use loopback addresses, and request refresh tokens without a consent page.
    application_type: 'native',
    redirect_uris: redirectUris,
    // An application without addresses is one on devices.
    response_types:
      redirectUris.length === 0 ? [] : idTokens ? ['code', 'id_token', 'code id_token'] : ['code'],
    grant_types: [
      'refresh_token',
      deviceGrant,
      ...(redirectUris.length === 0
        ? []
        : ['authorization_code', ...(idTokens ? ['implicit'] : [])]),
    ],
    token_endpoint_auth_method: secret ? 'client_secret_post' : 'none',
    ...(secret && { client_secret: 'known to the directory only' }),
    ...(backChannel !== undefined && {
      backchannel_logout_uri: backChannel,
      backchannel_logout_session_required: true,
    }),
  };
}

/**
 * Lets an application return to `https://localhost:5001`, as in the cloud: the directory has judged
 * its addresses already. oidc-provider refuses some of them for native clients; replacing
 * `invalidate` is the way that its documentation gives to lift such a refusal.
 *
 * @see https://github.com/panva/node-oidc-provider/blob/main/recipes/implicit_http_localhost.md
 */
export function acceptLocalAddresses({ Client }: Provider): void {
  const { Schema } = Client as unknown as {
    readonly Schema: { prototype: { invalidate(message: string, code?: string): void } };
  };
  const { invalidate } = Schema.prototype;
  Schema.prototype.invalidate = function (message, code) {
    if (!message.startsWith('redirect_uris for native clients'))
      invalidate.call(this, message, code);
  };
}
