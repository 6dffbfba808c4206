import type { IncomingMessage } from 'node:http';
import { isCheckPath, metadataPath, pathOwner } from './path-owner.js';
import { recordRefusal, type Subject } from './audit-trail.js';
import {
  type Answer,
  htmlAnswer,
  isNavigation,
  jsonAnswer,
  redirectAnswer,
  wantsHtml,
} from './http/answer.js';
import { rawHeadersOf } from './http/message.js';
import { type Arrival, peerOf } from './http/origin.js';
import { Refusal } from './http/refusal.js';
import type { ScrubbedHeaders } from './http/request-headers.js';
import { excludedBy, parseTarget, type RequestTarget } from './http/request-target.js';
import {
  refusalOfPerson,
  meetsStepUp,
  publicDespite,
  requirementsOf,
  type StepUp,
  stepUpChallenge,
  stepUpOf,
} from './requirement.js';
import { challengeOf } from './unauthenticated-request.js';
import { invalidToken } from './providers/refusals.js';
import type { Runtime } from './runtime.js';
import {
  authenticate,
  type Authentication,
  type Credentials,
  type SignedIn,
} from './session/authentication.js';
import { isAllowedLanding } from './session/landing.js';
import { clearSessionCookies, splitCookies } from './session/cookies.js';
import { type MaybePromise, whenReady } from './token-store/entry-store.js';

/** A request after the first checks: its target and headers are unambiguous, its host is ours. */
export interface CheckedRequest {
  readonly runtime: Runtime;
  readonly id: string;
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: ScrubbedHeaders;
  readonly arrival: Arrival;
  readonly credentials: Credentials;
}

/** The decision about a request. */
export type Verdict =
  | {
      readonly kind: 'forward';
      readonly authentication: Authentication;
      readonly setCookies: readonly string[];
    }
  | { readonly kind: 'answer'; readonly answer: Answer };

const methodToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;

/** Methods that would return headers or open a tunnel; by HTTP/2 they come in any letter case. */
const refusedMethods = /^(?:trace|track|connect)$/i;

/** Whether a method is valid, and not one of those that are refused. */
export function isAcceptedMethod(method: string): boolean {
  return methodToken.test(method) && !refusedMethods.test(method);
}

/**
 * The first checks, the same for requests and WebSocket handshakes.
 *
 * @throws Refusal 400, 405 or 421; nothing of such a request reaches the app.
 */
export function checkRequest(
  runtime: Runtime,
  id: string,
  inbound: IncomingMessage,
): CheckedRequest {
  const { method = '', url = '' } = inbound;
  if (!isAcceptedMethod(method))
    throw new Refusal(405, 'This method is not taken.', { close: true });
  const target = parseTarget(url);
  const headers = runtime.scrubber.scrub(rawHeadersOf(inbound));
  const arrival = runtime.resolver.resolve(headers, peerOf(inbound));
  const names = arrival.origin.secure ? runtime.cookies.secure : runtime.cookies.plain;
  const cookies = headers.cookie === '' ? noCookies : splitCookies(headers.cookie, names);
  return {
    runtime,
    id,
    method,
    target,
    headers,
    arrival,
    credentials: { id, target, headers, cookies, names, arrival },
  };
}

const noCookies = { forwarded: '', own: [] } as const;

/**
 * Whether the sidecar answers this path itself. @throws Refusal 404 for other spellings of its own
 * paths
 */
export function isOwnPath({ runtime, target }: CheckedRequest): boolean {
  const owner = pathOwner(target, runtime.settings);
  if (owner === 'misspelt') throw new Refusal(404, 'There is nothing at this path.');
  if (owner === 'app' && !runtime.hasApp)
    throw new Refusal(404, 'There is no app behind this sidecar: it answers for a proxy.');
  return owner === 'own';
}

/** A redirect to https, if it is required and the request came without it. */
export function httpsRedirect({ runtime, arrival, target }: CheckedRequest): Answer | undefined {
  const { requireHttps, prefix } = runtime.settings;
  if (!arrival.origin.secure || arrival.scheme === 'https' || requireHttps === 'never')
    return undefined;
  if (arrival.scheme === 'unknown' && requireHttps === 'known') return undefined;
  if (isCheckPath(target, prefix)) return undefined; // not for checks: the requirement applies to the request that they ask about
  return redirectAnswer(`${arrival.origin.origin}${target.raw}`, {}, 307);
}

/** Decides on a request to the app. @throws Refusal */
export function decideAccess(request: CheckedRequest, webSocket: boolean): MaybePromise<Verdict> {
  return whenReady(authenticate(request.runtime, request.credentials), (authentication) =>
    decide(request, authentication, webSocket),
  );
}

function decide(
  request: CheckedRequest,
  authentication: Authentication,
  webSocket: boolean,
): Verdict {
  const { runtime, headers, target, credentials } = request;
  const required = requirementsOf(target, runtime.settings.requirements);
  const isPublic =
    publicDespite(required, target, runtime.settings) !== undefined || isAllowedPreflight(request);
  if (authentication.kind === 'signed-in') {
    const { guard } = runtime;
    const { provider, identity } = authentication;
    if (
      authentication.via === 'cookie' &&
      (webSocket ? guard.forbidsWebSocket(headers) : guard.forbids(request.method, headers))
    )
      throw recorded(request, crossSite(), authentication);
    if (!isPublic && required.length > 0) {
      for (const each of required) {
        const refusal = refusalOfPerson(each, provider, identity);
        if (refusal !== undefined) throw recorded(request, refusal, authentication);
      }
      const stepUp = stepUpOf(
        required.filter((each) => !meetsStepUp(each, identity, runtime.now())),
      );
      if (stepUp !== undefined)
        return { kind: 'answer', answer: askStepUp(request, authentication, stepUp) };
    }
    return { kind: 'forward', authentication, setCookies: [] };
  }
  const setCookies = authentication.brokenCookie
    ? clearSessionCookies(credentials.names, ownNames(credentials))
    : [];
  const { refused, ended, badToken } = authentication;
  const isBearer = refused !== undefined && refused.session === undefined;
  if (isPublic && !isBearer) return { kind: 'forward', authentication, setCookies };
  if (refused !== undefined) {
    const { status, message, options } = recorded(request, refused.refusal, refused);
    throw new Refusal(status, message, {
      ...options,
      links: loginLinks(runtime, landingOf(request)),
    });
  }
  if (ended !== undefined) recorded(request, endedSession(), ended);
  else if (badToken) recorded(request, invalidToken('the token in the request is not valid'));
  return {
    kind: 'answer',
    answer: answerUnauthenticated(request, badToken, setCookies),
  };
}

/** Writes a refusal to the audit. */
function recorded(request: CheckedRequest, refusal: Refusal, subject?: Subject): Refusal {
  recordRefusal(request, refusal, subject);
  return refusal;
}

function crossSite(): Refusal {
  return new Refusal(403, 'This request comes from another site.', { code: 'cross_site_request' });
}

function endedSession(): Refusal {
  return new Refusal(401, 'The session has ended.', { code: 'session_ended' });
}

/**
 * Whether a request asks for a browser which requests of another site the app takes: it carries no
 * credentials, so that a sign-in would refuse it always (`httpSettings.preflight.allowedPaths`).
 */
function isAllowedPreflight({ runtime, method, target, headers }: CheckedRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers.requestedMethod !== undefined &&
    !headers.chunked &&
    (headers.contentLength ?? '0') === '0' &&
    excludedBy(target, runtime.settings.preflightPaths) !== undefined
  );
}

/** Asks for a stronger or more recent sign-in, at the provider of the session. */
function askStepUp(request: CheckedRequest, signedIn: SignedIn, stepUp: StepUp): Answer {
  const { runtime, headers, method } = request;
  if (isNavigation(method, headers)) {
    const landing = encodeURIComponent(landingOf(request));
    const path = `${runtime.settings.prefix}/login/${signedIn.provider.pathNames[0]}`;
    return redirectAnswer(`${path}?post_login_redirect_uri=${landing}`);
  }
  const message = 'A stronger or more recent sign-in is required.';
  const options = {
    code: 'insufficient_user_authentication',
    rule: 'globalValidation.requirements',
  };
  recorded(request, new Refusal(401, message, options), signedIn);
  return deny(request, 401, message, { 'WWW-Authenticate': stepUpChallenge(stepUp) });
}

function ownNames({ cookies }: Credentials): string[] {
  return cookies.own.map(([name]) => name);
}

type Extra = Readonly<Record<string, string | readonly string[]>>;

/** The configured answer to a request without a sign-in. */
function answerUnauthenticated(
  request: CheckedRequest,
  badToken: boolean,
  setCookies: readonly string[],
): Answer {
  const { runtime, headers, method } = request;
  const { settings } = runtime;
  const extra: Extra = setCookies.length === 0 ? {} : { 'Set-Cookie': setCookies };
  const requirement = challengeOf(settings, isNavigation(method, headers));
  if (requirement.status === 403)
    return deny(request, 403, 'Only people who signed in before are let in here.', extra);
  const challengeHeaders: Extra = settings.silent401
    ? extra
    : { ...extra, 'WWW-Authenticate': challenge(request, badToken) };
  if (requirement.kind === 'status')
    return deny(
      request,
      401,
      badToken ? 'The token is not valid.' : 'You have to sign in first.',
      challengeHeaders,
    );
  if (requirement.kind === 'choice')
    return htmlAnswer(
      401,
      runtime.pages.signIn(request.arrival.origin.host, loginLinks(runtime, landingOf(request))),
      challengeHeaders,
    );
  const login = signInPath(request) ?? '/';
  return requirement.status === 401
    ? htmlAnswer(401, runtime.pages.fragment(login), extra)
    : redirectAnswer(login, extra);
}

/**
 * The address at which a browser's navigation signs in: at the chosen provider or the page that
 * lists them; undefined for other requests.
 */
export function signInPath(request: CheckedRequest): string | undefined {
  const { runtime } = request;
  const requirement = challengeOf(runtime.settings, true);
  if (requirement.kind === 'status') return undefined;
  const word =
    requirement.kind === 'login'
      ? runtime.providers.get(requirement.provider)?.pathNames[0]
      : undefined;
  const page = `${runtime.settings.prefix}/login${word === undefined ? '' : `/${word}`}`;
  return `${page}?post_login_redirect_uri=${encodeURIComponent(landingOf(request))}`;
}

function deny(request: CheckedRequest, status: number, message: string, extra: Extra): Answer {
  if (!wantsHtml(request.headers))
    return jsonAnswer(status, { code: status, message, requestId: request.id }, extra);
  const links =
    status === 401 || status === 403 ? loginLinks(request.runtime, landingOf(request)) : [];
  return htmlAnswer(status, request.runtime.pages.error(status, message, request.id, links), extra);
}

/** The address of a request, if a browser may return to it later. */
function landingOf({ runtime, target, arrival, method }: CheckedRequest): string {
  const { allowedRedirects } = runtime.settings;
  return isNavigable(method) &&
    isAllowedLanding(target.raw, arrival.origin.origin, allowedRedirects)
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
    href: `${runtime.settings.prefix}/login/${pathNames[0]}${query}`,
  }));
}

/** `WWW-Authenticate` for programs: the address of the token requirements. */
export function challenge({ arrival }: CheckedRequest, badToken: boolean): string {
  return `Bearer resource_metadata="${arrival.origin.origin}${metadataPath}", realm="${arrival.origin.host}"${badToken ? ', error="invalid_token"' : ''}`;
}
