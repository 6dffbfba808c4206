import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deviceGrant, deviceSeconds } from './discovery.js';
import {
  applicationToken,
  clientCredentials,
  passwordGrant,
  oauthError,
  type TokenContext,
  tokenSeconds,
  toolkitRoles,
} from './token-endpoint.js';
import type { ForwardToProvider } from './forward-to-provider.js';
import { type Form, sendOAuthAnswer, browserMethods } from './replies.js';

/** Whether a device polls too often, with a tolerance of a second. */
function pollingGuard(): (code: string) => boolean {
  const requestTimes = new Map<string, number>();
  return (code) => {
    const now = Date.now();
    for (const [each, at] of requestTimes)
      if (now - at > deviceSeconds * 1000) requestTimes.delete(each);
    const before = requestTimes.get(code);
    requestTimes.set(code, now);
    return before !== undefined && now - before < (deviceSeconds - 1) * 1000;
  };
}

/** The token endpoint, and a managed identity's tokens for programs that accept no others. */
export function registerTokens(
  app: FastifyInstance,
  context: TokenContext,
  forward: ForwardToProvider,
): void {
  registerTokenEndpoint(app, context, forward);
  registerDeviceSignIn(app, context, forward);
  app.get('/msi/token', (request, reply) => managedIdentityToken(context, request, reply));
}

function registerTokenEndpoint(
  app: FastifyInstance,
  context: TokenContext,
  forward: ForwardToProvider,
): void {
  const endpoint = `/${context.settings.tenantId}/oauth2/v2.0/token`;
  const pollsTooSoon = pollingGuard();
  for (const path of ['/:tenant/oauth2/v2.0/token', '/:tenant/oauth2/token'])
    app.post(path, async (request, reply) => {
      const form = withBasicCredentials(request, (request.body ?? {}) as Form);
      if (form['grant_type'] === 'client_credentials')
        return sendOAuthAnswer(reply, await clientCredentials(context, form));
      if (form['grant_type'] === 'password')
        return sendOAuthAnswer(reply, await passwordGrant(context, form));
      // Some SDKs use the grant's name from before it was a standard.
      const isDevice = form['grant_type'] === deviceGrant || form['grant_type'] === 'device_code';
      if (isDevice) request.body = { ...form, grant_type: deviceGrant };
      if (isDevice && pollsTooSoon(form['device_code'] ?? ''))
        return sendOAuthAnswer(
          reply,
          oauthError(400, 'slow_down', `Ask again after ${String(deviceSeconds)} seconds.`),
        );
      return forward(request, reply, (url) => void (url.pathname = endpoint));
    });
}

function registerDeviceSignIn(
  app: FastifyInstance,
  { settings }: TokenContext,
  forward: ForwardToProvider,
): void {
  app.post('/:tenant/oauth2/v2.0/devicecode', (request, reply) => forward(request, reply));
  app.get('/devicelogin', (_request, reply) =>
    reply.redirect(`/${settings.tenantId}/oauth2/deviceauth`, 302),
  );
  for (const url of ['/:tenant/oauth2/deviceauth', '/:tenant/oauth2/deviceauth/*'])
    app.route({
      method: browserMethods,
      url,
      handler: (request, reply) => forward(request, reply),
    });
}

/** A token of the toolkit's identity, for a program that has the identity's header. */
async function managedIdentityToken(
  context: TokenContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { clientId, clientObjectId: objectId, identityHeader } = context.settings;
  const { 'x-identity-header': header, secret } = request.headers;
  if (header !== identityHeader && secret !== identityHeader)
    return sendOAuthAnswer(
      reply,
      oauthError(401, 'unauthorized_client', 'The header X-IDENTITY-HEADER is missing or wrong.'),
    );
  const resource = ((request.query as Form)['resource'] ?? context.origin).replace(/\/+$/, '');
  const body = {
    access_token: await applicationToken(context, {
      clientId,
      objectId,
      roles: toolkitRoles,
      audience: resource,
    }),
    expires_on: String(Math.floor(Date.now() / 1000) + tokenSeconds),
    resource,
    token_type: 'Bearer',
    client_id: clientId,
  };
  return sendOAuthAnswer(reply, { status: 200, body });
}

/** The fields of a form, with the client's id and secret if the Authorization header has them. */
function withBasicCredentials(request: FastifyRequest, form: Form): Form {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return form;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  return {
    ...form,
    client_id: decode(text.slice(0, at)),
    client_secret: decode(text.slice(at + 1)),
  };
}
