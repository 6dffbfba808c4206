import { type Answer, jsonAnswer } from '../http/answer.js';
import { metadataPath } from '../entrance.js';
import type { OwnRequest } from './own-request.js';

/** `/.well-known/oauth-protected-resource` (RFC 9728): lists the authorization servers that give tokens for this app. */
export function resourceMetadata({ runtime, arrival, target }: OwnRequest): Answer {
  const takers = [...runtime.providers.values()].filter(({ bearer }) => bearer !== undefined);
  const issuers = takers.map(({ issuer }) => issuer?.()).filter((issuer) => issuer !== undefined);
  const scopes = [...new Set(takers.flatMap((provider) => provider.scopes))];
  const body = {
    resource: `${arrival.origin.origin}${target.path.slice(metadataPath.length)}`,
    ...(issuers.length === 0 ? {} : { authorization_servers: issuers }),
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
  return jsonAnswer(200, body, { 'Access-Control-Allow-Origin': '*' });
}
