import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { trimEnd } from '../../core/text/trim-end.js';
import { deviceGrantType, devicePollSeconds, jwtBearerGrantType } from './discovery.js';
import { applicationToken, clientCredentialsGrant, toolkitRoles } from './client-credentials.js';
import { clientAssertionError, oauthError, tokenLifetimeSeconds } from './oauth-response.js';
import type { IdentityProviderContext } from './context.js';
import { refreshScopeParameter, severalResourcesError } from './scopes.js';
import type { ForwardToProvider } from './forward-to-provider.js';
import { onBehalfOfGrant, passwordGrant } from './person-grants.js';
import type { CreateRefreshToken } from './refresh-tokens.js';
import { type Form, formOf } from './form.js';
import { sendOAuthResponse, browserMethods } from './replies.js';
import { requestError, tenantOf } from './request-errors.js';

/** A function that tells whether a device polls too soon again, with a tolerance of a second. */
function pollingGuard(): (deviceCode: string) => boolean {
  const latestPolls = new Map<string, number>();
  return (deviceCode) => {
    const now = Date.now();
    for (const [each, polledAt] of latestPolls)
      if (now - polledAt > devicePollSeconds * 1000) latestPolls.delete(each);
    const previous = latestPolls.get(deviceCode);
    latestPolls.set(deviceCode, now);
    return previous !== undefined && now - previous < (devicePollSeconds - 1) * 1000;
  };
}

/** Adds the token endpoint, the sign-in of devices, and the endpoint of managed identities. */
export function registerTokenRoutes(
  app: FastifyInstance,
  context: IdentityProviderContext,
  forward: ForwardToProvider,
  createRefreshToken: CreateRefreshToken,
): void {
  registerTokenEndpoint(app, context, forward, createRefreshToken);
  registerDeviceSignInRoutes(app, context, forward);
  app.get('/msi/token', (request, reply) => managedIdentityToken(context, request, reply));
}

function registerTokenEndpoint(
  app: FastifyInstance,
  context: IdentityProviderContext,
  forward: ForwardToProvider,
  createRefreshToken: CreateRefreshToken,
): void {
  const endpoint = `/${context.settings.tenantId}/oauth2/v2.0/token`;
  const pollsTooSoon = pollingGuard();
  for (const path of ['/:tenant/oauth2/v2.0/token', '/:tenant/oauth2/token'])
    app.post(path, async (request, reply) => {
      const form = withBasicCredentials(request, formOf(request.body));
      const { client_id: clientId = '', scope = '' } = form;
      const refusal =
        (await requestError(context, tenantOf(request), clientId)) ??
        severalResourcesError(scope, clientId);
      if (refusal !== undefined) return sendOAuthResponse(reply, refusal);
      if (form['client_assertion'] !== undefined)
        return sendOAuthResponse(reply, clientAssertionError(clientId));
      if (form['grant_type'] === 'client_credentials')
        return sendOAuthResponse(reply, await clientCredentialsGrant(context, form));
      if (form['grant_type'] === 'password')
        return sendOAuthResponse(reply, await passwordGrant(context, form, createRefreshToken));
      if (form['grant_type'] === jwtBearerGrantType)
        return sendOAuthResponse(reply, await onBehalfOfGrant(context, form, createRefreshToken));
      // oidc-provider takes the credentials of a client in one of the two places only.
      request.body = form;
      delete request.headers.authorization;
      // Some SDKs send the name that the grant had before RFC 8628.
      const isDevice =
        form['grant_type'] === deviceGrantType || form['grant_type'] === 'device_code';
      if (isDevice) request.body = { ...form, grant_type: deviceGrantType };
      if (isDevice && pollsTooSoon(form['device_code'] ?? ''))
        return sendOAuthResponse(
          reply,
          oauthError(400, 'slow_down', `Ask again after ${String(devicePollSeconds)} seconds.`),
        );
      if (form['grant_type'] === 'refresh_token') request.body = withRefreshScopeParameter(form);
      return forward(request, reply, (url) => void (url.pathname = endpoint));
    });
}

/**
 * A request to refresh with its scope in a parameter of ours: oidc-provider would refuse any scope
 * that the sign-in has not requested. The cloud gives the token for every consented one.
 */
function withRefreshScopeParameter({ scope, ...form }: Form): Form {
  return scope === undefined ? form : { ...form, [refreshScopeParameter]: scope };
}

function registerDeviceSignInRoutes(
  app: FastifyInstance,
  context: IdentityProviderContext,
  forward: ForwardToProvider,
): void {
  const { settings } = context;
  app.post('/:tenant/oauth2/v2.0/devicecode', async (request, reply) => {
    const { client_id: clientId = '' } = formOf(request.body);
    const refusal = await requestError(context, tenantOf(request), clientId);
    return refusal === undefined ? forward(request, reply) : sendOAuthResponse(reply, refusal);
  });
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
  context: IdentityProviderContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { clientId, clientObjectId: objectId, identityHeader } = context.settings;
  const { 'x-identity-header': header, secret } = request.headers;
  if (header !== identityHeader && secret !== identityHeader)
    return sendOAuthResponse(
      reply,
      oauthError(401, 'unauthorized_client', 'The header X-IDENTITY-HEADER is missing or wrong.'),
    );
  const resource = trimEnd(formOf(request.query)['resource'] ?? context.origin, '/');
  const body = {
    access_token: await applicationToken(context, {
      clientId,
      objectId,
      roles: toolkitRoles,
      audience: resource,
    }),
    expires_on: String(Math.floor(Date.now() / 1000) + tokenLifetimeSeconds),
    resource,
    token_type: 'Bearer',
    client_id: clientId,
  };
  return sendOAuthResponse(reply, { status: 200, body });
}

/** The fields of a form, with the client's id and secret if the Authorization header has them. */
function withBasicCredentials(request: FastifyRequest, form: Form): Form {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return form;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colonIndex = text.indexOf(':');
  if (colonIndex < 0) return form;
  return {
    ...form,
    client_id: formDecode(text.slice(0, colonIndex)),
    client_secret: formDecode(text.slice(colonIndex + 1)),
  };
}

/** Decodes a part of Basic credentials (RFC 6749, 2.3.1); what was sent without encoding stays. */
function formDecode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
