import { recordRefusal } from './audit-trail.js';
import type { CheckedRequest } from './checked-request.js';
import {
  type Answer,
  type ExtraHeaders,
  htmlAnswer,
  jsonAnswer,
  redirectAnswer,
} from './http/answer.js';
import { isNavigation, wantsHtml } from './http/browser-request.js';
import { Refusal } from './http/refusal.js';
import { metadataPath } from './path-owner.js';
import { type StepUp, stepUpChallenge } from './path-requirements.js';
import type { Runtime } from './runtime.js';
import type { SignedIn } from './session/authentication.js';
import { isAllowedLanding } from './session/landing.js';
import { challengeOf } from './unauthenticated-request.js';

/** The configured answer to a request without a sign-in. */
export function answerUnauthenticated(
  request: CheckedRequest,
  hasInvalidToken: boolean,
  setCookies: readonly string[],
): Answer {
  const { runtime, headers, method } = request;
  const { settings } = runtime;
  const extraHeaders: ExtraHeaders = setCookies.length === 0 ? {} : { 'Set-Cookie': setCookies };
  const challenge = challengeOf(settings, isNavigation(method, headers));
  if (challenge.status === 403)
    return denialAnswer(
      request,
      403,
      'Only people who signed in before are let in here.',
      extraHeaders,
    );
  const challengeHeaders: ExtraHeaders = settings.omitsChallenge
    ? extraHeaders
    : { ...extraHeaders, 'WWW-Authenticate': bearerChallenge(request, hasInvalidToken) };
  if (challenge.kind === 'status')
    return denialAnswer(
      request,
      401,
      hasInvalidToken ? 'The token is not valid.' : 'You have to sign in first.',
      challengeHeaders,
    );
  if (challenge.kind === 'choice')
    return htmlAnswer(
      401,
      runtime.pages.signIn(request.arrival.origin.host, loginLinks(runtime, landingPath(request))),
      challengeHeaders,
    );
  const login = signInPath(request) ?? '/';
  return challenge.status === 401
    ? htmlAnswer(401, runtime.pages.redirectKeepingFragment(login), extraHeaders)
    : redirectAnswer(login, extraHeaders);
}

/**
 * The address at which a browser's navigation signs in: at the chosen provider or the page that
 * lists them; undefined for other requests.
 */
export function signInPath(request: CheckedRequest): string | undefined {
  const { runtime } = request;
  const challenge = challengeOf(runtime.settings, true);
  if (challenge.kind === 'status') return undefined;
  const providerName =
    challenge.kind === 'login'
      ? runtime.providers.get(challenge.provider)?.pathNames[0]
      : undefined;
  const page = `${runtime.settings.apiPrefix}/login${providerName === undefined ? '' : `/${providerName}`}`;
  return `${page}?post_login_redirect_uri=${encodeURIComponent(landingPath(request))}`;
}

function denialAnswer(
  request: CheckedRequest,
  status: number,
  message: string,
  extraHeaders: ExtraHeaders,
): Answer {
  if (!wantsHtml(request.headers))
    return jsonAnswer(status, { code: status, message, requestId: request.id }, extraHeaders);
  const links =
    status === 401 || status === 403 ? loginLinks(request.runtime, landingPath(request)) : [];
  return htmlAnswer(
    status,
    request.runtime.pages.error(status, message, request.id, links),
    extraHeaders,
  );
}

/** Where the browser returns after a sign-in: the address of the request if that is possible, or `/`. */
export function landingPath({ runtime, target, arrival, method }: CheckedRequest): string {
  const { allowedRedirects } = runtime.settings;
  return isNavigable(method) &&
    isAllowedLanding(target.raw, arrival.origin.serialized, allowedRedirects)
    ? target.raw
    : '/';
}

function isNavigable(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** One sign-in link for each provider. */
export function loginLinks(
  runtime: Runtime,
  landing: string,
): { readonly label: string; readonly href: string }[] {
  const query = landing === '/' ? '' : `?post_login_redirect_uri=${encodeURIComponent(landing)}`;
  return [...runtime.providers.values()].map(({ key, label, pathNames }) => ({
    label: runtime.pages.signInWith(key, label),
    href: `${runtime.settings.apiPrefix}/login/${pathNames[0]}${query}`,
  }));
}

/** `WWW-Authenticate` with the address of the protected-resource metadata (RFC 9728, 5.1). */
export function bearerChallenge({ arrival }: CheckedRequest, hasInvalidToken: boolean): string {
  return `Bearer resource_metadata="${arrival.origin.serialized}${metadataPath}", realm="${arrival.origin.host}"${hasInvalidToken ? ', error="invalid_token"' : ''}`;
}

/** Asks for a stronger or more recent sign-in, at the provider of the session. */
export function stepUpAnswer(request: CheckedRequest, signedIn: SignedIn, stepUp: StepUp): Answer {
  const { runtime, headers, method } = request;
  if (isNavigation(method, headers)) {
    const landing = encodeURIComponent(landingPath(request));
    const path = `${runtime.settings.apiPrefix}/login/${signedIn.provider.pathNames[0]}`;
    return redirectAnswer(`${path}?post_login_redirect_uri=${landing}`);
  }
  const message = 'A stronger or more recent sign-in is required.';
  const options = {
    code: 'insufficient_user_authentication',
    rule: 'globalValidation.requirements',
  };
  recordRefusal(request, new Refusal(401, message, options), signedIn);
  return denialAnswer(request, 401, message, { 'WWW-Authenticate': stepUpChallenge(stepUp) });
}
