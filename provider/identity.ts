import type { TokenProvider } from '../clients/common/index.js';
import type { Identity } from './handlers/handler.js';

/** Where the caller's ids come from: what is configured, and the claims of its token. */
export interface IdentitySource {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly credential: TokenProvider;
  readonly scope: string;
  readonly clientId?: string;
}

/** The caller as its token shows it; the token is asked for only when an id of it is wanted. */
export function identityFromToken(source: IdentitySource): Identity {
  const claim = async (...names: readonly string[]): Promise<string> => {
    const { token } = await source.credential.getToken(source.scope);
    const claims = claimsOf(token);
    const found = names.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '');
    return typeof found === 'string' ? found : '';
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
