import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personClaims } from '../../access/token-claims.js';
import type { Person } from './people-and-applications.js';
import { issuerOf, type TokenContext } from './token-endpoint.js';
import { browserMethods } from './replies.js';

export function registerUserInfo(app: FastifyInstance, context: TokenContext): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const person = await personOf(context, request.headers.authorization);
    if (person === undefined)
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer error="invalid_token"')
        .send({ error: 'invalid_token' });
    const claims = personClaims(person, [], undefined, context.settings.tenantId);
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

/** The client of an access token from this provider. */
async function personOf(
  context: TokenContext,
  authorization: string | undefined,
): Promise<Person | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const { jwtVerify, errors } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, context.key.resolvePublicKey, {
      issuer: issuerOf(context),
    });
    return await context.directory.person(String(payload['oid'] ?? ''));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
