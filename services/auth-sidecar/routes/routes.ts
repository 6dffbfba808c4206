import { type Answer, jsonAnswer } from '../http/answer.js';
import { isForwardAuthPath, metadataPath } from '../path-owner.js';
import { Refusal } from '../http/refusal.js';
import { isWithin } from '../http/request-target.js';
import { finishLogin } from './callback.js';
import { answerForwardAuth } from './forward-auth.js';
import { beginLogin, listProviders, postLogin } from './login.js';
import { showLogout, logOut } from './logout.js';
import { answerMe } from './me.js';
import {
  backChannelLogout,
  frontChannelLogout,
  receiveEvent,
} from './provider-initiated-logout.js';
import type { CheckedRequest } from '../checked-request.js';
import type { MaybePromise } from '../maybe-promise.js';
import { refresh } from './refresh.js';

type Handler = (request: CheckedRequest) => MaybePromise<Answer>;

/**
 * Answers a request to one of the sidecar's own paths. @throws Refusal 404 for unknown ones, 405
 * for other methods
 */
export function answerSidecarPath(request: CheckedRequest): MaybePromise<Answer> {
  const { runtime, target, method, headers } = request;
  const { crossSiteGuard } = runtime;
  const { apiPrefix, logoutPath, enabled } = runtime.settings;
  if (isForwardAuthPath(target, apiPrefix)) return answerForwardAuth(request);
  if (!enabled) throw notFoundRefusal();
  const { path } = target;
  const isCallback = /\/login\/[^/]+\/callback$/.test(path); // has its own state, and one provider's arrives as a cross-site POST
  if (!isCallback && usesCookieSession(request) && crossSiteGuard.forbids(method, headers))
    throw new Refusal(403, 'This request comes from another site.', { code: 'cross_site_request' });
  if (isWithin(path, metadataPath)) return withMethods(request, ['GET', 'HEAD'], resourceMetadata);
  if (path === logoutPath) return withMethods(request, ['GET'], logOut);
  const [firstSegment, pathName, callbackSegment, ...more] = path
    .slice(apiPrefix.length + 1)
    .split('/');
  if (firstSegment === 'login' && pathName !== undefined) {
    const provider = runtime.providersByPathName.get(pathName);
    if (
      provider === undefined ||
      more.length > 0 ||
      (callbackSegment !== undefined && callbackSegment !== 'callback')
    )
      throw notFoundRefusal();
    if (callbackSegment === 'callback')
      return withMethods(request, provider.usesFormPost ? ['POST', 'GET'] : ['GET'], (each) =>
        finishLogin(each, provider),
      );
    return withMethods(request, ['GET', 'POST'], (each) =>
      method === 'POST' ? postLogin(each, provider) : beginLogin(each, provider),
    );
  }
  switch (path.slice(apiPrefix.length)) {
    case '/login':
      return withMethods(request, ['GET'], listProviders);
    case '/logout':
      return withMethods(request, ['GET'], logOut);
    case '/logout/done':
      return withMethods(request, ['GET', 'HEAD'], showLogout);
    case '/logout/backchannel':
      return withMethods(request, ['POST'], backChannelLogout);
    case '/logout/frontchannel':
      return withMethods(request, ['GET'], frontChannelLogout);
    case '/events':
      return withMethods(request, ['POST'], receiveEvent);
    case '/me':
      return withMethods(request, ['GET', 'HEAD'], answerMe);
    case '/refresh':
      return withMethods(request, ['GET', 'POST'], refresh);
    default:
      throw notFoundRefusal();
  }
}

/** Whether a request would use the session of its cookie for a change. */
function usesCookieSession({
  headers,
  credentials: { cookies, cookieNames },
}: CheckedRequest): boolean {
  return (
    headers.session === undefined && cookies.sidecar.some(([name]) => name === cookieNames.session)
  );
}

function withMethods(
  request: CheckedRequest,
  methods: readonly string[],
  handler: Handler,
): MaybePromise<Answer> {
  if (!methods.includes(request.method))
    throw new Refusal(405, 'This path does not take this method.', {
      headers: { Allow: methods.join(', ') },
    });
  return handler(request);
}

function notFoundRefusal(): Refusal {
  return new Refusal(404, 'There is nothing at this path.');
}

/**
 * `/.well-known/oauth-protected-resource` (RFC 9728): lists the authorization servers that issue
 * tokens for this app.
 */
export function resourceMetadata({ runtime, arrival, target }: CheckedRequest): Answer {
  const bearerProviders = runtime.bearerProviders;
  const issuers = bearerProviders
    .map(({ issuer }) => issuer?.())
    .filter((issuer) => issuer !== undefined);
  const scopes = [...new Set(bearerProviders.flatMap((provider) => provider.scopes))];
  const body = {
    resource: `${arrival.origin.serialized}${target.path.slice(metadataPath.length)}`,
    ...(issuers.length !== 0 && { authorization_servers: issuers }),
    ...(scopes.length !== 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
  return jsonAnswer(200, body, { 'Access-Control-Allow-Origin': '*' });
}
