import { rememberTokens, type TokenProvider } from '../clients/common/index.js';
import { createDirectoryClient } from '../clients/directory/index.js';
import { createItemsClient } from '../clients/items/index.js';
import { createResourceManagerClient } from '../clients/resource-manager/index.js';
import type { Api, Identity } from './handlers/handler.js';

/** The control plane that a provider works on. */
export interface Connection {
  /** The address of all services: `https://localhost:8443`. */
  readonly origin: string;
  /** Certificate(s) of a private authority in PEM. @default only the usual authorities are trusted */
  readonly ca?: string;
  /** The id of the tenant. */
  readonly tenantId: string;
  /** The id of the subscription of the apps. */
  readonly subscriptionId: string;
  /** Where tokens come from; asked with the origin's own scope. */
  readonly credential: TokenProvider;
  /** The application's id, where the credential is one's. @default read from the token */
  readonly clientId?: string;
}

/** How often a long-running operation is polled: the sandbox answers quickly, so longer pauses would only delay the user. */
const wait = { intervalMs: 100 };

/** Reaches all services of one control plane at its origin, in the cloud's spelling. */
export function connect(connection: Connection): Api {
  const { origin, ca, tenantId, subscriptionId } = connection;
  const credential = rememberTokens(connection.credential);
  const scope = `${new URL(origin).origin}/.default`;
  const shared = { baseUrl: origin, credential, scope, userAgent: 'castellan-provider', ...(ca === undefined ? {} : { ca }) };
  return {
    directory: createDirectoryClient({ ...shared, dialect: 'azure' }),
    items: createItemsClient({ ...shared, dialect: 'azure', wait }),
    resourceManager: createResourceManagerClient({ ...shared, wait }),
    identity: identityFromToken({
      tenantId,
      subscriptionId,
      credential,
      scope,
      ...(connection.clientId === undefined ? {} : { clientId: connection.clientId }),
    }),
  };
}

/** Where the caller's ids come from: what is configured, and the claims of its token. */
export interface IdentitySource {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly credential: TokenProvider;
  readonly scope: string;
  readonly clientId?: string;
}

/** The caller as its token shows it; the token is requested only when one of its ids is needed. */
export function identityFromToken(source: IdentitySource): Identity {
  const claim = async (...names: readonly string[]): Promise<string> => {
    const { token } = await source.credential.getToken(source.scope);
    const claims = claimsOf(token);
    const claim = names.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '');
    return typeof claim === 'string' ? claim : '';
  };
  return {
    tenantId: source.tenantId,
    subscriptionId: source.subscriptionId,
    clientId: () => (source.clientId === undefined ? claim('appid', 'azp') : Promise.resolve(source.clientId)),
    objectId: () => claim('oid'),
  };
}

/** The readable middle part of a token; its signature is the services' business. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const payload = token.split('.')[1];
  if (payload === undefined) return {};
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown;
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {}; // an opaque token: its claims are empty
  }
}
