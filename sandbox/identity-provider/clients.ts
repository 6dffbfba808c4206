import type { Adapter, ClientMetadata, default as Provider } from 'oidc-provider';
import { backChannelLogoutUri } from './back-channel-logout.js';
import { deviceGrantType } from './discovery.js';
import {
  type Application,
  type PeopleAndApplications,
  redirectUrisOf,
} from './people-and-applications.js';

/**
 * The adapter of oidc-provider's clients: it reads the applications of the directory, and writes
 * nothing.
 */
export function clientAdapter(directory: Pick<PeopleAndApplications, 'application'>): Adapter {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    find: async (id) => {
      const application = await directory.application(id);
      return application && clientMetadataOf(application);
    },
    upsert: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  };
}

/** A registered application as the client metadata of oidc-provider. */
export function clientMetadataOf(application: Application): ClientMetadata {
  const hasSecret = (application.passwordCredentials ?? []).length > 0;
  const redirectUris = redirectUrisOf(application);
  const backChannelUri = backChannelLogoutUri(redirectUris);
  const allowsIdTokens = application.web?.implicitGrantSettings?.enableIdTokenIssuance === true;
  const idTokenTypes: ClientMetadata['response_types'] = allowsIdTokens
    ? ['id_token', 'code id_token']
    : [];
  // An application without redirect URIs is one on devices.
  const hasRedirects = redirectUris.length > 0;
  return {
    client_id: application.appId,
    client_name: application.displayName ?? application.appId,
    // Native clients may use loopback addresses, and request refresh tokens without a consent page.
    application_type: 'native',
    redirect_uris: redirectUris,
    response_types: hasRedirects ? ['code', ...idTokenTypes] : [],
    grant_types: [
      'refresh_token',
      deviceGrantType,
      ...(hasRedirects ? ['authorization_code'] : []),
      ...(hasRedirects && allowsIdTokens ? ['implicit'] : []),
    ],
    token_endpoint_auth_method: hasSecret ? 'client_secret_post' : 'none',
    // a placeholder: `compareClientSecret` of provider.ts asks the directory
    ...(hasSecret && { client_secret: 'known to the directory only' }),
    ...(backChannelUri !== undefined && {
      backchannel_logout_uri: backChannelUri,
      backchannel_logout_session_required: true,
    }),
  };
}

/**
 * Lets an application have redirect URIs such as `https://localhost:5001`, as in the cloud: the
 * directory has validated them already. oidc-provider refuses some of them for native clients;
 * replacing `invalidate` is the way that its documentation gives to allow them.
 *
 * @see https://github.com/panva/node-oidc-provider/blob/main/recipes/implicit_http_localhost.md
 */
export function acceptLocalRedirectUris({ Client }: Provider): void {
  const { Schema } = Client as unknown as {
    readonly Schema: { prototype: { invalidate(message: string, code?: string): void } };
  };
  const { invalidate } = Schema.prototype;
  Schema.prototype.invalidate = function (message, code) {
    if (!message.startsWith('redirect_uris for native clients'))
      invalidate.call(this, message, code);
  };
}
