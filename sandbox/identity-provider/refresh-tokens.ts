import type { default as Provider } from 'oidc-provider';
import type { LoadOidcProvider } from './forward-to-provider.js';
import { toResourceUri } from './scopes.js';

/** What a refresh token is for. */
export interface RefreshTokenGrant {
  /** Object id. */
  readonly personId: string;
  readonly clientId: string;
  /** As requested; what a later request asks for instead, it gets. */
  readonly scope: string;
  /** The audience of the access token beside it. */
  readonly resource: string;
}

/** Creates a refresh token that oidc-provider redeems, and stores it. */
export type CreateRefreshToken = (grant: RefreshTokenGrant) => Promise<string>;

/** Creates refresh tokens of grants that oidc-provider does not have. */
export function refreshTokenCreator(loadOidcProvider: LoadOidcProvider): CreateRefreshToken {
  return async ({ personId: accountId, clientId, scope, resource: audience }) => {
    const provider = await loadOidcProvider();
    const client = await provider.Client.find(clientId);
    if (client === undefined) throw new Error(`the application ${clientId} is no client`);
    const resource = toResourceUri(audience);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid profile email offline_access');
    grant.addResourceScope(resource, scope);
    const token = new (provider.RefreshToken as unknown as RefreshTokenModel)({
      accountId,
      client,
      grantId: await grant.save(),
      gty: 'password', // oidc-provider's key for the grant type; also for on-behalf-of grants
      resource,
      scope,
    });
    return token.save();
  };
}

/** The model of oidc-provider, whose types have no constructor arguments. */
type RefreshTokenModel = new (
  properties: Readonly<Record<string, unknown>>,
) => InstanceType<Provider['RefreshToken']>;
