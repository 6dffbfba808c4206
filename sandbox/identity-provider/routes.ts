import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { contentSecurityPolicy } from '../html.js';
import { personClaims } from '../../access/token-claims.js';
import { instanceDiscovery, metadataEndpoints, openIdConfiguration } from './discovery.js';
import { errorPage, signInPage } from './pages.js';
import { type Person, redirectUrisOf } from './people.js';
import { forgetPerson, personAskedFor } from './sign-in-as.js';
import {
  applicationToken,
  clientCredentials,
  issuerOf,
  type OAuthAnswer,
  passwordGrant,
  refused,
  type TokenContext,
  tokenSeconds,
  toolkitRoles,
} from './token-endpoint.js';

type Form = Readonly<Record<string, string>>;
const mostPeople = 500;
/** Form targets are left open: after a sign-in the browser is led on to the application, wherever it is. */
const pagePolicy = contentSecurityPolicy;

/** Adds the identity provider's addresses to the sandbox's server: the cloud's, for any word that names the tenant. */
export function registerIdentityProvider(app: FastifyInstance, context: TokenContext, provider: Provider): void {
  const { origin, settings, key, directory } = context;
  const callback = provider.callback();

  /** Hands a request to oidc-provider, which is mounted at the tenant's path. */
  const hand = (request: FastifyRequest, reply: FastifyReply, change: (url: URL) => void = () => undefined): void => {
    const url = new URL(request.raw.url ?? '/', origin);
    url.pathname = url.pathname.replace(/^\/[^/]+/, `/${settings.tenantId}`);
    change(url);
    const raw = request.raw as typeof request.raw & { originalUrl?: string; body?: unknown };
    raw.originalUrl = `${url.pathname}${url.search}`;
    raw.url = raw.originalUrl.slice(settings.tenantId.length + 1);
    if (request.body !== undefined) raw.body = request.body;
    reply.hijack();
    reply.raw.setHeader('x-frame-options', 'DENY');
    void callback(request.raw, reply.raw);
  };

  const answer = (reply: FastifyReply, { status, body }: OAuthAnswer): FastifyReply =>
    reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(body);
  const show = (reply: FastifyReply, status: number, content: string): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
      .send(content);

  app.get('/metadata/endpoints', (request) => metadataEndpoints(origin, (request.query as Form)['api-version'] ?? ''));
  app.get('/common/discovery/instance', () => instanceDiscovery(origin, settings.tenantId));
  for (const path of ['/:tenant/v2.0/.well-known/openid-configuration', '/:tenant/.well-known/openid-configuration'])
    app.get(path, (_request, reply) => reply.header('access-control-allow-origin', '*').send(openIdConfiguration(origin, settings)));
  for (const path of ['/:tenant/discovery/v2.0/keys', '/:tenant/discovery/keys'])
    app.get(path, (_request, reply) => reply.header('access-control-allow-origin', '*').send(key.publicKeys));

  for (const path of ['/:tenant/oauth2/v2.0/token', '/:tenant/oauth2/token'])
    app.post(path, async (request, reply) => {
      const form = withBasicCredentials(request, (request.body ?? {}) as Form);
      if (form['grant_type'] === 'client_credentials') return answer(reply, await clientCredentials(context, form));
      if (form['grant_type'] === 'password') return answer(reply, await passwordGrant(context, form));
      hand(request, reply, (url) => void (url.pathname = `/${settings.tenantId}/oauth2/v2.0/token`));
      return reply;
    });

  for (const path of ['/:tenant/oauth2/v2.0/authorize', '/:tenant/oauth2/v2.0/authorize/*'])
    app.route({
      method: ['GET', 'POST'],
      url: path,
      handler: async (request, reply) => {
        if ((request.query as Form)['response_type'] === 'token') return implicit(request, reply);
        hand(request, reply);
        return reply;
      },
    });
  app.route({
    method: ['GET', 'POST'],
    url: '/:tenant/oidc/userinfo',
    handler: async (request, reply) => {
      const person = await personOf(request.headers.authorization);
      if (person === undefined)
        return reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send({ error: 'invalid_token' });
      const {
        oid: _oid,
        ver: _ver,
        tid: _tid,
        upn: _upn,
        preferred_username: _name,
        ...claims
      } = personClaims(person, [], undefined, settings.tenantId);
      return reply.header('cache-control', 'no-store').send({ sub: person.id, ...claims });
    },
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/:tenant/oauth2/v2.0/logout',
    handler: async (request, reply) => {
      const query = request.query as Form;
      // The cloud finds out by itself whose sign-out it is.
      const leadsTo = query['post_logout_redirect_uri'];
      const owner =
        leadsTo !== undefined && query['client_id'] === undefined && query['id_token_hint'] === undefined && URL.canParse(leadsTo)
          ? await directory.applicationAt(new URL(leadsTo).origin)
          : undefined;
      hand(request, reply, (url) => owner && url.searchParams.set('client_id', owner.appId));
      return reply;
    },
  });
  app.route({ method: ['GET', 'POST'], url: '/:tenant/oauth2/v2.0/logout/*', handler: (request, reply) => hand(request, reply) });

  const signIn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    details: NonNullable<Awaited<ReturnType<typeof interactionOf>>>,
    person: string,
  ): Promise<FastifyReply> => {
    await leaveSessionOfAnother(provider, details, person);
    reply.hijack();
    const chosen = { login: { accountId: person }, select_account: {} };
    await provider.interactionFinished(request.raw, reply.raw, chosen, { mergeWithLastSubmission: false });
    return reply;
  };

  app.get('/:tenant/sign-in/:uid', async (request, reply) => {
    const details = await interactionOf(request, reply);
    if (details === undefined)
      return show(
        reply,
        400,
        errorPage('expired', 'This sign-in is over or was begun in another browser. Begin again at the application.'),
      );
    const chosen = personAskedFor(request);
    const person = chosen === undefined ? undefined : await directory.person(chosen);
    if (person !== undefined) {
      reply.raw.setHeader('set-cookie', forgetPerson); // a link is for one sign-in
      return signIn(request, reply, details, person.id);
    }
    const clientId = String(details.params['client_id'] ?? '');
    const application = await directory.application(clientId);
    return show(
      reply,
      200,
      signInPage({
        people: await directory.people(mostPeople),
        application: application?.displayName ?? 'an application',
        action: request.url,
        refused: context.refusal?.(details.session?.accountId ?? '', clientId),
      }),
    );
  });
  app.post('/:tenant/sign-in/:uid', async (request, reply) => {
    const details = await interactionOf(request, reply);
    const person = details === undefined ? undefined : await directory.person(((request.body ?? {}) as Form)['person'] ?? '');
    if (details === undefined || person === undefined)
      return show(reply, 400, errorPage('expired', 'This sign-in is over, or no one was chosen. Begin again at the application.'));
    return signIn(request, reply, details, person.id);
  });

  /** The implicit flow: tokens for the billing service, by the addresses that its documentation names. */
  const implicit = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = { ...(request.query as Form), ...(request.method === 'POST' ? ((request.body ?? {}) as Form) : {}) };
    const { client_id: clientId = '', redirect_uri: redirectUri = '', state, scope = 'user_impersonation', resource } = query;
    const application = await directory.application(clientId);
    if (application === undefined)
      return show(
        reply,
        400,
        errorPage('unauthorized_client', `The application '${clientId}' is not registered in the sandbox's directory.`),
      );
    if (!redirectUrisOf(application).includes(redirectUri))
      return show(reply, 400, errorPage('invalid_request', `The redirect URI '${redirectUri}' is not one of the application's.`));
    const back = (values: Record<string, string>): FastifyReply =>
      reply.redirect(`${redirectUri}#${new URLSearchParams({ ...values, ...(state === undefined ? {} : { state }) }).toString()}`, 303);
    if (query['response_type'] !== 'token')
      return back({ error: 'unsupported_response_type', error_description: 'Only response_type=token is answered here.' });
    if (request.method === 'GET') {
      const page = signInPage({
        people: await directory.people(mostPeople),
        application: application.displayName ?? clientId,
        action: request.url,
      });
      return show(reply, 200, page);
    }
    const person = await directory.person(query['person'] ?? '');
    if (person === undefined) return back({ error: 'access_denied', error_description: 'No one was chosen.' });
    const claims = personClaims(person, await directory.membershipsOf(person.id), application, settings.tenantId);
    const audience = (resource ?? (scope.includes('/') ? scope.slice(0, scope.lastIndexOf('/')) : origin)).replace(/\/+$/, '');
    const scp = scope
      .split(' ')
      .map((each) => each.slice(each.lastIndexOf('/') + 1))
      .join(' ');
    const token = await key.sign(
      { ...claims, iss: issuerOf(context), aud: audience, sub: person.id, appid: clientId, azp: clientId, scp },
      tokenSeconds,
    );
    return back({ access_token: token, token_type: 'Bearer', expires_in: String(tokenSeconds), scope });
  };
  app.route({ method: ['GET', 'POST'], url: '/:tenant/oauth2/authorize', handler: implicit });

  /** A managed identity's tokens, for programs that take them from nowhere else. */
  app.get('/msi/token', async (request, reply) => {
    if (request.headers['x-identity-header'] !== settings.identityHeader && request.headers['secret'] !== settings.identityHeader)
      return answer(reply, refused(401, 'unauthorized_client', 'The header X-IDENTITY-HEADER is missing or wrong.'));
    const resource = ((request.query as Form)['resource'] ?? origin).replace(/\/+$/, '');
    const { clientId, clientObjectId: objectId } = settings;
    const token = await applicationToken(context, { clientId, objectId, roles: toolkitRoles, audience: resource });
    const expires = Math.floor(Date.now() / 1000) + tokenSeconds;
    return answer(reply, {
      status: 200,
      body: { access_token: token, expires_on: String(expires), resource, token_type: 'Bearer', client_id: clientId },
    });
  });

  const personOf = async (authorization: string | undefined): Promise<Person | undefined> => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const { jwtVerify, errors } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, key.verifyKey, { issuer: issuerOf(context) });
      return await directory.person(String(payload['oid'] ?? ''));
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

  const interactionOf = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await provider.interactionDetails(request.raw, reply.raw);
    } catch {
      return undefined; // no cookie, another browser or too late: the page says so
    }
  };
}

/**
 * Ends the session of somebody else in this browser: choosing another person starts over, without the round trip by which
 * oidc-provider would sign the first one out.
 */
async function leaveSessionOfAnother(
  provider: Provider,
  details: Awaited<ReturnType<Provider['interactionDetails']>>,
  personId: string,
): Promise<void> {
  const { session } = details;
  if (session === undefined || session.accountId === personId) return;
  await (await provider.Session.findByUid(session.uid))?.destroy();
  delete details.session;
  await details.save(details.exp - Math.floor(Date.now() / 1000));
}

function withBasicCredentials(request: FastifyRequest, form: Form): Form {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return form;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  return { ...form, client_id: decode(text.slice(0, at)), client_secret: decode(text.slice(at + 1)) };
}
