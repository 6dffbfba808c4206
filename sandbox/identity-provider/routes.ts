import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { instanceDiscovery, metadataEndpoints, openIdConfiguration } from './discovery.js';
import type { IdentityProviderContext } from './token-endpoint.js';
import {
  type LoadOidcProvider,
  providerForwarder,
  type ForwardToProvider,
} from './forward-to-provider.js';
import { registerTokenRoutes } from './token-routes.js';
import { registerUserInfo } from './user-info.js';
import { registerSignInRoutes } from './sign-in-routes.js';
import { type Form, browserMethods } from './replies.js';
import { implicitFlow } from './implicit-flow.js';

/**
 * Adds the identity provider's routes to the sandbox's server: those of the cloud, for the tenant's
 * id and for words such as `common`.
 */
export function registerIdentityProvider(
  app: FastifyInstance,
  context: IdentityProviderContext,
  loadOidcProvider: LoadOidcProvider,
): void {
  const forward = providerForwarder(loadOidcProvider, context);
  registerDiscovery(app, context);
  registerTokenRoutes(app, context, forward);
  registerAuthorization(app, context, forward);
  registerUserInfo(app, context);
  registerSignOut(app, context, forward);
  registerSignInRoutes(app, context, loadOidcProvider);
}

function registerDiscovery(
  app: FastifyInstance,
  { origin, settings, key }: IdentityProviderContext,
): void {
  app.get('/metadata/endpoints', (request) =>
    metadataEndpoints(origin, (request.query as Form)['api-version'] ?? ''),
  );
  app.get('/common/discovery/instance', () => instanceDiscovery(origin, settings.tenantId));
  for (const path of [
    '/:tenant/v2.0/.well-known/openid-configuration',
    '/:tenant/.well-known/openid-configuration',
  ])
    app.get(path, (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send(openIdConfiguration(origin, settings)),
    );
  for (const path of ['/:tenant/discovery/v2.0/keys', '/:tenant/discovery/keys'])
    app.get(path, (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send(key.jwks),
    );
}

function registerAuthorization(
  app: FastifyInstance,
  context: IdentityProviderContext,
  forward: ForwardToProvider,
): void {
  for (const url of ['/:tenant/oauth2/v2.0/authorize', '/:tenant/oauth2/v2.0/authorize/*'])
    app.route({
      method: browserMethods,
      url,
      handler: async (request, reply) => {
        if ((request.query as Form)['response_type'] === 'token')
          return implicitFlow(context, request, reply);
        return forward(request, reply);
      },
    });
  app.route({
    method: browserMethods,
    url: '/:tenant/oauth2/authorize',
    handler: (request, reply) => implicitFlow(context, request, reply),
  });
}

function registerSignOut(
  app: FastifyInstance,
  { directory }: IdentityProviderContext,
  forward: ForwardToProvider,
): void {
  const signOut = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = request.query as Form;
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
