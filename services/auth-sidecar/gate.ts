import type { IncomingMessage } from 'node:http';
import { isCheckPath, pathOwner } from './path-owner.js';
import { recordRefusal, type Subject } from './audit-trail.js';
import { type Answer, redirectAnswer } from './http/answer.js';
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
  stepUpOf,
} from './requirement.js';
import { answerUnauthenticated, askStepUp, landingOf, loginLinks } from './sign-in-answers.js';
import { invalidToken } from './providers/refusals.js';
import type { Runtime } from './runtime.js';
import { authenticate, type Authentication, type Credentials } from './session/authentication.js';
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
  const { names, cookies } = credentials;
  const setCookies = authentication.brokenCookie
    ? clearSessionCookies(
        names,
        cookies.own.map(([name]) => name),
      )
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
