// What the clients of the resource manager share.
import { ClientSecretCredential } from '@azure/identity';
import { sandbox } from './calls.mjs';

const { origin, tenantId, clientId, clientSecret } = sandbox;

export const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
  authorityHost: origin,
  disableInstanceDiscovery: true,
});

/** The options by which a client uses another cloud than the public one. */
export const cloud = {
  endpoint: origin,
  credentialScopes: [`${origin}/.default`],
  credentials: { scopes: [`${origin}/.default`] },
};
