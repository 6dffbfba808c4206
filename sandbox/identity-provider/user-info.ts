import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personClaims } from '../../access/token-claims.js';
import type { Person } from './people-and-applications.js';
import { directoryAudience } from './scopes.js';
import { issuerOf, type IdentityProviderContext } from './context.js';
import { browserMethods } from './replies.js';

/** Adds the UserInfo endpoint (OpenID Connect Core, section 5.3), with the claims of the cloud's. */
export function registerUserInfoRoute(
  app: FastifyInstance,
  context: IdentityProviderContext,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const person = await personOfToken(context, request.headers.authorization);
    if (person === undefined)
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer error="invalid_token"')
        .send({ error: 'invalid_token' });
    const claims = personClaims(person, [], undefined, context.settings.tenantId);
    // claims of tokens that the cloud's endpoint leaves out
    const {
      oid: _oid,
      ver: _ver,
      tid: _tid,
      upn: _upn,
      preferred_username: _name,
      ...rest
    } = claims;
    return reply.header('cache-control', 'no-store').send({ sub: person.id, ...rest });
  };
  app.route({ method: browserMethods, url: '/:tenant/oidc/userinfo', handler });
}

/** The person of an access token for the directory; undefined for a token that is not valid. */
async function personOfToken(
  context: IdentityProviderContext,
  authorization: string | undefined,
): Promise<Person | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const { jwtVerify, errors } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, context.key.resolvePublicKey, {
      issuer: issuerOf(context),
      audience: [directoryAudience, context.origin],
      // In requests this is the sandbox's clock; jose would take the machine's.
      currentDate: new Date(Date.now()),
    });
    return await context.directory.person(String(payload['oid'] ?? ''));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
