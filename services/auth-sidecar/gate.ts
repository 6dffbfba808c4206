import { isCheckPath, pathOwner } from './path-owner.js';
import { recordRefusal, type Subject } from './audit-trail.js';
import type { CheckedRequest } from './checked-request.js';
import { type Answer, redirectAnswer } from './http/answer.js';
import { Refusal } from './http/refusal.js';
import { excludedBy } from './http/request-target.js';
import {
  refusalOfPerson,
  meetsStepUp,
  publicDespite,
  requirementsOf,
  stepUpOf,
} from './requirement.js';
import { answerUnauthenticated, askStepUp, landingOf, loginLinks } from './sign-in-answers.js';
import { invalidToken } from './providers/refusals.js';
import { authenticate, type Authentication } from './session/authentication.js';
import { clearSessionCookies } from './session/cookies.js';
import { type MaybePromise, whenReady } from './token-store/entry-store.js';

/** The decision about a request. */
export type Verdict =
  | {
      readonly kind: 'forward';
      readonly authentication: Authentication;
      readonly setCookies: readonly string[];
    }
  | { readonly kind: 'answer'; readonly answer: Answer };

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
      const stepUp = stepUpOf(required.filter((each) => !meetsStepUp(each, identity, runtime)));
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
  if (ended !== undefined)
    recorded(request, endedSession(), { ...ended, identity: ended.session.identity });
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
