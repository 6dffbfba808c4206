import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { personClaims } from '../../access/token-claims.js';
import { contentSecurityPolicy } from '../html.js';
import {
  deviceGrant,
  deviceSeconds,
  instanceDiscovery,
  metadataEndpoints,
  openIdConfiguration,
} from './discovery.js';
import { errorPage, signInPage } from './pages.js';
import { type Person, redirectUrisOf } from './people.js';
import { forgetPerson, personAskedFor } from './sign-in-as.js';
import {
  applicationToken,
  clientCredentials,
  issuerOf,
  type OAuthAnswer,
  passwordGrant,
  oauthError,
  type TokenContext,
  tokenSeconds,
  toolkitRoles,
} from './token-endpoint.js';

type Form = Readonly<Record<string, string>>;
type Details = Awaited<ReturnType<Provider['interactionDetails']>>;
/** Passes a request to oidc-provider, with a changed address. */
type Hand = (
  request: FastifyRequest,
  reply: FastifyReply,
  change?: (url: URL) => void,
) => Promise<FastifyReply>;
/** Loaded with the first request that needs it, since oidc-provider takes a while to load. */
type OpenProvider = () => Promise<Provider>;
const getAndPost = ['GET', 'POST'];
const mostPeople = 500;
/**
 * Form targets are not restricted: after a sign-in the browser is redirected to the application, at
 * any address.
 */
const pagePolicy = contentSecurityPolicy;

/**
 * Adds the identity provider's routes to the sandbox's server: the cloud's, for any word that names
 * the tenant.
 */
export function registerIdentityProvider(
  app: FastifyInstance,
  context: TokenContext,
  provider: OpenProvider,
): void {
  const hand = handTo(provider, context);
  registerDiscovery(app, context);
  registerTokens(app, context, hand);
  registerAuthorization(app, context, hand);
  registerUserInfo(app, context);
  registerSignOut(app, context, hand);
  registerSignIn(app, context, provider);
}

/** oidc-provider is mounted at the tenant's path. */
function handTo(provider: OpenProvider, { origin, settings }: TokenContext): Hand {
  let callback: ReturnType<Provider['callback']> | undefined;
  return async (request, reply, change) => {
    callback ??= (await provider()).callback();
    const url = new URL(request.raw.url ?? '/', origin);
    url.pathname = url.pathname.replace(/^\/[^/]+/, `/${settings.tenantId}`);
    change?.(url);
    const raw = request.raw as typeof request.raw & { originalUrl?: string; body?: unknown };
    raw.originalUrl = `${url.pathname}${url.search}`;
    raw.url = raw.originalUrl.slice(settings.tenantId.length + 1);
    if (request.body !== undefined) raw.body = request.body;
    reply.hijack();
    reply.raw.setHeader('x-frame-options', 'DENY');
    void callback(request.raw, reply.raw);
    return reply;
  };
}

function registerDiscovery(app: FastifyInstance, { origin, settings, key }: TokenContext): void {
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
      reply.header('access-control-allow-origin', '*').send(key.publicKeys),
    );
}

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
function registerTokens(app: FastifyInstance, context: TokenContext, hand: Hand): void {
  const { origin, settings } = context;
  const asksTooSoon = pollingGuard();
  for (const path of ['/:tenant/oauth2/v2.0/token', '/:tenant/oauth2/token'])
    app.post(path, async (request, reply) => {
      const form = withBasicCredentials(request, (request.body ?? {}) as Form);
      if (form['grant_type'] === 'client_credentials')
        return answer(reply, await clientCredentials(context, form));
      if (form['grant_type'] === 'password')
        return answer(reply, await passwordGrant(context, form));
      // Some SDKs use the grant's name from before it was a standard.
      const isDevice = form['grant_type'] === deviceGrant || form['grant_type'] === 'device_code';
      if (isDevice) request.body = { ...form, grant_type: deviceGrant };
      if (isDevice && asksTooSoon(form['device_code'] ?? ''))
        return answer(
          reply,
          oauthError(400, 'slow_down', `Ask again after ${String(deviceSeconds)} seconds.`),
        );
      return hand(
        request,
        reply,
        (url) => void (url.pathname = `/${settings.tenantId}/oauth2/v2.0/token`),
      );
    });
  app.post('/:tenant/oauth2/v2.0/devicecode', (request, reply) => hand(request, reply));
  app.get('/devicelogin', (_request, reply) =>
    reply.redirect(`/${settings.tenantId}/oauth2/deviceauth`, 302),
  );
  for (const url of ['/:tenant/oauth2/deviceauth', '/:tenant/oauth2/deviceauth/*'])
    app.route({ method: getAndPost, url, handler: (request, reply) => hand(request, reply) });
  app.get('/msi/token', async (request, reply) => {
    if (
      request.headers['x-identity-header'] !== settings.identityHeader &&
      request.headers['secret'] !== settings.identityHeader
    )
      return answer(
        reply,
        oauthError(401, 'unauthorized_client', 'The header X-IDENTITY-HEADER is missing or wrong.'),
      );
    const resource = ((request.query as Form)['resource'] ?? origin).replace(/\/+$/, '');
    const { clientId, clientObjectId: objectId } = settings;
    const token = await applicationToken(context, {
      clientId,
      objectId,
      roles: toolkitRoles,
      audience: resource,
    });
    const expires = Math.floor(Date.now() / 1000) + tokenSeconds;
    const body = {
      access_token: token,
      expires_on: String(expires),
      resource,
      token_type: 'Bearer',
      client_id: clientId,
    };
    return answer(reply, { status: 200, body });
  });
}

function registerAuthorization(app: FastifyInstance, context: TokenContext, hand: Hand): void {
  for (const url of ['/:tenant/oauth2/v2.0/authorize', '/:tenant/oauth2/v2.0/authorize/*'])
    app.route({
      method: getAndPost,
      url,
      handler: async (request, reply) => {
        if ((request.query as Form)['response_type'] === 'token')
          return implicitFlow(context, request, reply);
        return hand(request, reply);
      },
    });
  app.route({
    method: getAndPost,
    url: '/:tenant/oauth2/authorize',
    handler: (request, reply) => implicitFlow(context, request, reply),
  });
}

/** The implicit flow: tokens for the billing service, at the addresses in its documentation. */
async function implicitFlow(
  context: TokenContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { origin, settings, key, directory } = context;
  const query = {
    ...(request.query as Form),
    ...(request.method === 'POST' ? ((request.body ?? {}) as Form) : {}),
  };
  const {
    client_id: clientId = '',
    redirect_uri: redirectUri = '',
    state,
    scope = 'user_impersonation',
    resource,
  } = query;
  const application = await directory.application(clientId);
  if (application === undefined) {
    const message = `The application '${clientId}' is not registered in the sandbox's directory.`;
    return show(reply, 400, errorPage('unauthorized_client', message));
  }
  if (!redirectUrisOf(application).includes(redirectUri))
    return show(
      reply,
      400,
      errorPage(
        'invalid_request',
        `The redirect URI '${redirectUri}' is not one of the application's.`,
      ),
    );
  const back = (values: Record<string, string>): FastifyReply =>
    reply.redirect(
      `${redirectUri}#${new URLSearchParams({ ...values, ...omitUndefined({ state }) }).toString()}`,
      303,
    );
  if (query['response_type'] !== 'token')
    return back({
      error: 'unsupported_response_type',
      error_description: 'Only response_type=token is answered here.',
    });
  if (request.method === 'GET') {
    const people = await directory.people(mostPeople);
    return show(
      reply,
      200,
      signInPage({ people, application: application.displayName ?? clientId, action: request.url }),
    );
  }
  const person = await directory.person(query['person'] ?? '');
  if (person === undefined)
    return back({ error: 'access_denied', error_description: 'No one was chosen.' });
  const claims = personClaims(
    person,
    await directory.membershipsOf(person.id),
    application,
    settings.tenantId,
  );
  const audience = (
    resource ?? (scope.includes('/') ? scope.slice(0, scope.lastIndexOf('/')) : origin)
  ).replace(/\/+$/, '');
  const scopes = scope.split(' ').map((each) => each.slice(each.lastIndexOf('/') + 1));
  const own = {
    iss: issuerOf(context),
    aud: audience,
    sub: person.id,
    appid: clientId,
    azp: clientId,
    scp: scopes.join(' '),
  };
  const token = await key.sign({ ...claims, ...own }, tokenSeconds);
  return back({
    access_token: token,
    token_type: 'Bearer',
    expires_in: String(tokenSeconds),
    scope,
  });
}

function registerUserInfo(app: FastifyInstance, context: TokenContext): void {
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
  app.route({ method: getAndPost, url: '/:tenant/oidc/userinfo', handler });
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
    const { payload } = await jwtVerify(token, context.key.verifyKey, {
      issuer: issuerOf(context),
    });
    return await context.directory.person(String(payload['oid'] ?? ''));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function registerSignOut(app: FastifyInstance, { directory }: TokenContext, hand: Hand): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = request.query as Form;
    // The cloud determines the application of a sign-out itself.
    const leadsTo = query['post_logout_redirect_uri'];
    const owner =
      leadsTo !== undefined &&
      query['client_id'] === undefined &&
      query['id_token_hint'] === undefined &&
      URL.canParse(leadsTo)
        ? await directory.applicationAt(new URL(leadsTo).origin)
        : undefined;
    return hand(request, reply, (url) => owner && url.searchParams.set('client_id', owner.appId));
  };
  app.route({ method: getAndPost, url: '/:tenant/oauth2/v2.0/logout', handler });
  app.route({
    method: getAndPost,
    url: '/:tenant/oauth2/v2.0/logout/*',
    handler: (request, reply) => hand(request, reply),
  });
}

/** The page to choose a person. */
function registerSignIn(
  app: FastifyInstance,
  context: TokenContext,
  openProvider: OpenProvider,
): void {
  const { directory } = context;
  app.get('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await openProvider();
    const details = await detailsOf(provider, request, reply);
    if (details === undefined) {
      const message =
        'This sign-in has ended or was started in another browser. Start again at the application.';
      return show(reply, 400, errorPage('expired', message));
    }
    const account = personAskedFor(request);
    const person = account === undefined ? undefined : await directory.person(account);
    if (person !== undefined) {
      reply.raw.setHeader('set-cookie', forgetPerson); // a link is for one sign-in
      return finishSignIn(provider, request, reply, details, person.id);
    }
    const clientId = String(details.params['client_id'] ?? '');
    const application = (await directory.application(clientId))?.displayName ?? 'an application';
    const refusal = context.refusal?.(details.session?.accountId ?? '', clientId);
    return show(
      reply,
      200,
      signInPage({
        people: await directory.people(mostPeople),
        application,
        action: request.url,
        refusal,
      }),
    );
  });
  app.post('/:tenant/sign-in/:uid', async (request, reply) => {
    const provider = await openProvider();
    const details = await detailsOf(provider, request, reply);
    const person =
      details === undefined
        ? undefined
        : await directory.person(((request.body ?? {}) as Form)['person'] ?? '');
    if (details === undefined || person === undefined)
      return show(
        reply,
        400,
        errorPage(
          'expired',
          'This sign-in is over, or no one was chosen. Begin again at the application.',
        ),
      );
    return finishSignIn(provider, request, reply, details, person.id);
  });
}

async function detailsOf(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Details | undefined> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw);
  } catch {
    return undefined; // no cookie, another browser or too late: the page says so
  }
}

async function finishSignIn(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  details: Details,
  person: string,
): Promise<FastifyReply> {
  await leaveSessionOfAnother(provider, details, person);
  reply.hijack();
  const result = { login: { accountId: person }, select_account: {} };
  await provider.interactionFinished(request.raw, reply.raw, result, {
    mergeWithLastSubmission: false,
  });
  return reply;
}

/**
 * Ends another person's session in this browser: choosing another person starts over, without the
 * round trip by which oidc-provider would sign the first one out.
 */
async function leaveSessionOfAnother(
  provider: Provider,
  details: Details,
  personId: string,
): Promise<void> {
  const { session } = details;
  if (session === undefined || session.accountId === personId) return;
  await (await provider.Session.findByUid(session.uid))?.destroy();
  delete details.session;
  await details.save(details.exp - Math.floor(Date.now() / 1000));
}

function answer(reply: FastifyReply, { status, body }: OAuthAnswer): FastifyReply {
  return reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(body);
}

function show(reply: FastifyReply, status: number, content: string): FastifyReply {
  const headers = {
    'content-security-policy': pagePolicy,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  };
  return reply.code(status).type('text/html; charset=utf-8').headers(headers).send(content);
}

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
