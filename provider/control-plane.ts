import { omitUndefined } from '../core/values/omit-undefined.js';
import { RecentCreations, cacheTokens, type TokenProvider } from '../clients/common/index.js';
import { createDirectoryClient } from '../clients/directory/index.js';
import { createItemsClient } from '../clients/items/index.js';
import { createResourceManagerClient } from '../clients/resource-manager/index.js';
import type { Api, Identity } from './handlers/handler.js';

/** A control plane that serves everything at one address, as the sandbox does. */
export interface ControlPlane {
  /** The address of all services: `https://localhost:8443`. */
  readonly origin: string;
  /**
   * Certificate(s) of a private authority in PEM.
   *
   * @default only the system's authorities are trusted
   */
  readonly ca?: string;
  /** The id of the tenant. */
  readonly tenantId: string;
  /** The id of the subscription of the apps. */
  readonly subscriptionId: string;
  /** The source of tokens, requested with the origin's own scope. */
  readonly credential: TokenProvider;
  /** The application's id, if the credential belongs to one. @default read from the token */
  readonly clientId?: string;
}

/**
 * How often a long-running operation is polled: a local control plane completes it within seconds,
 * so longer intervals would only delay the user.
 */
const polling = { intervalMs: 100 };

/** Creates the clients of all services of a control plane; they speak the dialect `azure`. */
export function createApi(controlPlane: ControlPlane): Api {
  const { origin, ca, tenantId, subscriptionId, clientId } = controlPlane;
  const credential = cacheTokens(controlPlane.credential);
  const scope = `${new URL(origin).origin}/.default`;
  const shared = {
    baseUrl: origin,
    credential,
    scope,
    userAgent: 'castellan-provider',
    ...omitUndefined({ ca }),
  };
  return {
    directory: createDirectoryClient({
      ...shared,
      dialect: 'azure',
      ownCreations: new RecentCreations(),
    }),
    items: createItemsClient({ ...shared, dialect: 'azure', wait: polling }),
    resourceManager: createResourceManagerClient({ ...shared, wait: polling }),
    identity: callerIdentity({
      tenantId,
      subscriptionId,
      credential,
      scope,
      ...omitUndefined({ clientId }),
    }),
  };
}

/** The sources of the caller's ids: the configuration, and the claims of the token. */
export interface IdentitySource {
  /** Empty if none is configured. */
  readonly tenantId: string;
  /** Empty if none is configured. */
  readonly subscriptionId: string;
  readonly credential: TokenProvider;
  /** The scope of the token whose claims are read. */
  readonly scope: string;
  /** The configured client id. @default read from the token */
  readonly clientId?: string;
}

/**
 * The caller: the configured ids, and those in its token, which is requested when one of them is
 * needed. A token without the claim, such as an opaque one, gives an empty id.
 */
export function callerIdentity(source: IdentitySource): Identity {
  const readClaim = async (...names: readonly string[]): Promise<string> => {
    const { token } = await source.credential.getToken(source.scope);
    const claims = decodeClaims(token);
    const value = names
      .map((name) => claims[name])
      .find((each) => typeof each === 'string' && each !== '');
    return typeof value === 'string' ? value : '';
  };
  return {
    tenantId: source.tenantId,
    subscriptionId: source.subscriptionId,
    clientId: () =>
      source.clientId === undefined ? readClaim('appid', 'azp') : Promise.resolve(source.clientId),
    objectId: () => readClaim('oid'),
  };
}

/** The payload of a token; the services verify its signature. */
function decodeClaims(token: string): Readonly<Record<string, unknown>> {
  const payload = token.split('.')[1];
  if (payload === undefined) return {};
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown;
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {}; // an opaque token has no claims
  }
}
