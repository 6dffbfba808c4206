import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { instanceDiscovery, metadataEndpoints, openIdConfiguration } from './discovery.js';
import type { IdentityProviderContext } from './context.js';
import {
  type LoadOidcProvider,
  providerForwarder,
  type ForwardToProvider,
} from './forward-to-provider.js';
import { refreshTokenCreator } from './refresh-tokens.js';
import { registerTokenRoutes } from './token-routes.js';
import { registerUserInfoRoute } from './user-info.js';
import { registerSignInRoutes } from './sign-in-routes.js';
import { errorPage } from './pages.js';
import { formOf } from './form.js';
import { browserMethods, sendOAuthResponse, sendPage } from './replies.js';
import { requestError, tenantOf, unknownTenantError } from './request-errors.js';
import { implicitFlow } from './implicit-flow.js';

/**
 * Adds the identity provider's routes to the sandbox's server: those of the cloud, for the tenant's
 * id and for words such as `common`.
 */
export function registerIdentityProviderRoutes(
  app: FastifyInstance,
  context: IdentityProviderContext,
  loadOidcProvider: LoadOidcProvider,
): void {
  const forward = providerForwarder(loadOidcProvider, context);
  registerDiscoveryRoutes(app, context);
  registerTokenRoutes(app, context, forward, refreshTokenCreator(loadOidcProvider));
  registerAuthorizationRoutes(app, context, forward);
  registerUserInfoRoute(app, context);
  registerSignOutRoutes(app, context, forward);
  registerSignInRoutes(app, context, loadOidcProvider);
}

function registerDiscoveryRoutes(
  app: FastifyInstance,
  { origin, settings, key }: IdentityProviderContext,
): void {
  app.get('/metadata/endpoints', (request) =>
    metadataEndpoints(origin, formOf(request.query)['api-version'] ?? ''),
  );
  app.get('/common/discovery/instance', () => instanceDiscovery(origin, settings.tenantId));
  for (const path of [
    '/:tenant/v2.0/.well-known/openid-configuration',
    '/:tenant/.well-known/openid-configuration',
  ])
    app.get(path, (request, reply) => {
      reply.header('access-control-allow-origin', '*');
      const refusal = unknownTenantError(tenantOf(request), settings);
      return refusal === undefined
        ? reply.send(openIdConfiguration(origin, settings))
        : sendOAuthResponse(reply, refusal);
    });
  for (const path of ['/:tenant/discovery/v2.0/keys', '/:tenant/discovery/keys'])
    app.get(path, (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send(key.jwks),
    );
}

function registerAuthorizationRoutes(
  app: FastifyInstance,
  context: IdentityProviderContext,
  forward: ForwardToProvider,
): void {
  /** Refuses what the cloud refuses before it shows the list of people. */
  const preHandler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { client_id: clientId = '' } = {
      ...formOf(request.query),
      ...formOf(request.body),
    };
    const refusal = await requestError(context, tenantOf(request), clientId);
    if (refusal === undefined) return;
    const { status, body } = refusal;
    await sendPage(reply, status, errorPage(body.error, body.error_description));
  };
  for (const url of ['/:tenant/oauth2/v2.0/authorize', '/:tenant/oauth2/v2.0/authorize/*'])
    app.route({
      method: browserMethods,
      url,
      preHandler,
      handler: async (request, reply) => {
        if (formOf(request.query)['response_type'] === 'token')
          return implicitFlow(context, request, reply);
        return forward(request, reply);
      },
    });
  app.route({
    method: browserMethods,
    url: '/:tenant/oauth2/authorize',
    preHandler,
    handler: (request, reply) => implicitFlow(context, request, reply),
  });
}

function registerSignOutRoutes(
  app: FastifyInstance,
  { directory }: IdentityProviderContext,
  forward: ForwardToProvider,
): void {
  const signOut = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = formOf(request.query);
    const redirectUri = query['post_logout_redirect_uri'];
    const namesClient = query['client_id'] !== undefined || query['id_token_hint'] !== undefined;
    // As the cloud does, finds the application of a sign-out that names none by its redirect URI.
    const application =
      redirectUri !== undefined && !namesClient && URL.canParse(redirectUri)
        ? await directory.applicationAt(new URL(redirectUri).origin)
        : undefined;
    return forward(
      request,
      reply,
      (url) => application && url.searchParams.set('client_id', application.appId),
    );
  };
  app.route({ method: browserMethods, url: '/:tenant/oauth2/v2.0/logout', handler: signOut });
  app.route({
    method: browserMethods,
    url: '/:tenant/oauth2/v2.0/logout/*',
    handler: (request, reply) => forward(request, reply),
  });
}
