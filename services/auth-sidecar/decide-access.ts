import { isForwardAuthPath, pathOwner } from './path-owner.js';
import { recordRefusal, type Subject } from './audit-trail.js';
import type { CheckedRequest } from './checked-request.js';
import { type Answer, redirectAnswer } from './http/answer.js';
import { Refusal } from './http/refusal.js';
import { longestExcludedPath } from './http/request-target.js';
import {
  refusalByRequirement,
  meetsStepUp,
  publicReasonDespiteRequirements,
  requirementsOf,
  combinedStepUp,
} from './path-requirements.js';
import { answerUnauthenticated, stepUpAnswer, landingPath, loginLinks } from './sign-in-answers.js';
import { invalidTokenRefusal } from './providers/provider-refusals.js';
import { authenticate, type Authentication } from './session/authentication.js';
import { clearSessionCookies } from './session/cookies.js';
import { type MaybePromise, whenFulfilled } from './maybe-promise.js';

/** The decision about a request. */
export type AccessDecision =
  | {
      /** The app gets the request. */
      readonly kind: 'forward';
      readonly authentication: Authentication;
      /** `Set-Cookie` values to add to the app's answer: they clear a broken session cookie. */
      readonly setCookies: readonly string[];
    }
  /** The sidecar answers itself. */
  | { readonly kind: 'answer'; readonly answer: Answer };

/**
 * Whether the sidecar answers this path itself.
 *
 * @throws Refusal 404 for other spellings of its own paths, and for all others if there is no app.
 */
export function isSidecarPath({ runtime, target }: CheckedRequest): boolean {
  const owner = pathOwner(target, runtime.settings);
  if (owner === 'misspelt') throw new Refusal(404, 'There is nothing at this path.');
  if (owner === 'app' && !runtime.hasApp)
    throw new Refusal(404, 'There is no app behind this sidecar: it answers for a proxy.');
  return owner === 'sidecar';
}

/** A redirect to https, if it is required and the request came without it. */
export function httpsRedirect({ runtime, arrival, target }: CheckedRequest): Answer | undefined {
  const { requireHttps, apiPrefix } = runtime.settings;
  if (!arrival.origin.isSecure || arrival.scheme === 'https' || requireHttps === 'never')
    return undefined;
  if (arrival.scheme === 'unknown' && requireHttps === 'known') return undefined;
  // HTTPS is required of the request that a check asks about, not of the check itself.
  if (isForwardAuthPath(target, apiPrefix)) return undefined;
  return redirectAnswer(`${arrival.origin.serialized}${target.raw}`, {}, 307);
}

/** What a request to the app asks for: an answer, or that the connection becomes a WebSocket. */
export type RequestedProtocol = 'http' | 'websocket';

/** Decides on a request to the app. @throws Refusal */
export function decideAccess(
  request: CheckedRequest,
  protocol: RequestedProtocol,
): MaybePromise<AccessDecision> {
  return whenFulfilled(authenticate(request.runtime, request.credentials), (authentication) =>
    decide(request, authentication, protocol),
  );
}

function decide(
  request: CheckedRequest,
  authentication: Authentication,
  protocol: RequestedProtocol,
): AccessDecision {
  const { runtime, headers, target, credentials } = request;
  const requirements = requirementsOf(target, runtime.settings.requirements);
  const isPublic =
    publicReasonDespiteRequirements(requirements, target, runtime.settings) !== undefined ||
    isAllowedPreflight(request);
  if (authentication.kind === 'signed-in') {
    const { crossSiteGuard } = runtime;
    const { provider, identity } = authentication;
    if (
      authentication.via === 'cookie' &&
      (protocol === 'websocket'
        ? crossSiteGuard.forbidsWebSocket(headers)
        : crossSiteGuard.forbids(request.method, headers))
    )
      throw recordedRefusal(request, crossSiteRefusal(), authentication);
    if (!isPublic && requirements.length > 0) {
      for (const each of requirements) {
        const refusal = refusalByRequirement(each, provider, identity);
        if (refusal !== undefined) throw recordedRefusal(request, refusal, authentication);
      }
      const stepUp = combinedStepUp(
        requirements.filter((each) => !meetsStepUp(each, identity, runtime)),
      );
      if (stepUp !== undefined)
        return { kind: 'answer', answer: stepUpAnswer(request, authentication, stepUp) };
    }
    return { kind: 'forward', authentication, setCookies: [] };
  }
  const { cookieNames, cookies } = credentials;
  const setCookies = authentication.mustClearCookie
    ? clearSessionCookies(
        cookieNames,
        cookies.sidecar.map(([name]) => name),
      )
    : [];
  const { refusedSignIn, endedSignIn, hasInvalidToken, verificationFailure } = authentication;
  const isRefusedBearer = refusedSignIn !== undefined && refusedSignIn.session === undefined;
  if (isPublic && !isRefusedBearer) return { kind: 'forward', authentication, setCookies };
  if (verificationFailure !== undefined) throw verificationFailure;
  if (refusedSignIn !== undefined) {
    const { status, message, options } = recordedRefusal(
      request,
      refusedSignIn.refusal,
      refusedSignIn,
    );
    throw new Refusal(status, message, {
      ...options,
      links: loginLinks(runtime, landingPath(request)),
    });
  }
  if (endedSignIn !== undefined)
    recordRefusal(request, endedSessionRefusal(), {
      ...endedSignIn,
      identity: endedSignIn.session.identity,
    });
  else if (hasInvalidToken)
    recordRefusal(request, invalidTokenRefusal('the token in the request is not valid'));
  return {
    kind: 'answer',
    answer: answerUnauthenticated(request, hasInvalidToken, setCookies),
  };
}

/** Writes a refusal to the audit, and returns it to be thrown. */
function recordedRefusal(request: CheckedRequest, refusal: Refusal, subject?: Subject): Refusal {
  recordRefusal(request, refusal, subject);
  return refusal;
}

function crossSiteRefusal(): Refusal {
  return new Refusal(403, 'This request comes from another site.', { code: 'cross_site_request' });
}

function endedSessionRefusal(): Refusal {
  return new Refusal(401, 'The session has ended.', { code: 'session_ended' });
}

/**
 * Whether a request is a CORS preflight to one of `httpSettings.preflight.allowedPaths`. Browsers
 * send preflights without credentials, so a sign-in would refuse all of them.
 */
function isAllowedPreflight({ runtime, method, target, headers }: CheckedRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers.requestedMethod !== undefined &&
    !headers.chunked &&
    (headers.contentLength ?? '0') === '0' &&
    longestExcludedPath(target, runtime.settings.preflightPaths) !== undefined
  );
}
