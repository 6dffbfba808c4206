import { identityHeaderNames } from '../session/principal.js';
import { type Answer, emptyAnswer } from '../http/answer.js';
import { isNavigation } from '../http/browser-request.js';
import { headerValues } from '../http/raw-headers.js';
import { Refusal } from '../http/refusal.js';
import { parseTarget, type RequestTarget, unknownTarget } from '../http/request-target.js';
import { pathAfterCheck, pathOwner } from '../path-owner.js';
import { type CheckedRequest, isAcceptedMethod } from '../checked-request.js';
import { httpsRedirect, decideAccess, type AccessDecision } from '../decide-access.js';
import type { Runtime } from '../runtime.js';
import { signInPath } from '../sign-in-answers.js';
import { type Authentication, senderOf, type SignedIn } from '../session/authentication.js';
import { type MaybePromise, whenFulfilled } from '../maybe-promise.js';

/**
 * `{prefix}/check`: decides about a request that another proxy holds, and identifies its sender.
 * 200 admits it, with the identity headers for the app; 401 and 403 refuse it. A browser's
 * navigation that needs a sign-in gets 401 with the sign-in address in `Location`, or a redirect by
 * 302 if the proxy asks with `?redirect=true`.
 *
 * The proxy describes the request by `X-Forwarded-Method`, `-Proto`, `-Host` and `-Uri`, which are
 * read only if it is trusted. Envoy instead appends the path of the request to that of the check
 * (`{prefix}/check/the/path`): it always gets the redirect, and is told which identity headers of the
 * client to remove.
 *
 * @throws Refusal 403 for a request of another site, or to a path that only the sidecar answers
 */
export function answerForwardAuth(request: CheckedRequest): MaybePromise<Answer> {
  const { runtime, target } = request;
  const envoyPath = pathAfterCheck(target, runtime.settings.apiPrefix);
  const original = originalRequest(request, envoyPath);
  const mayRedirect =
    envoyPath !== undefined ||
    (target.query !== '' && new URLSearchParams(target.query).get('redirect') === 'true');
  const redirect = httpsRedirect(original);
  if (redirect !== undefined) return mayRedirect ? redirect : withoutRedirect(original, redirect);
  if (pathOwner(original.target, runtime.settings) !== 'app')
    throw new Refusal(
      403,
      'This path belongs to the sign-in layer: the proxy has to send it there.',
    );
  return whenFulfilled(
    decideAccess(original, original.headers.webSocketKey === undefined ? 'http' : 'websocket'),
    (decision) => {
      if (decision.kind === 'forward')
        return admittingAnswer(request, decision, envoyPath !== undefined);
      return mayRedirect
        ? withAbsoluteLocation(decision.answer, request.arrival.origin.serialized)
        : withoutRedirect(original, decision.answer);
    },
  );
}

/**
 * The answer that admits a request, with the identity headers for the app. Envoy adds these headers
 * to the client's own, so it is also told the names of the identity headers that the answer does not
 * have: it must remove them, because the client may have sent them.
 */
function admittingAnswer(
  { runtime, id }: CheckedRequest,
  { authentication, setCookies }: Extract<AccessDecision, { kind: 'forward' }>,
  isEnvoy: boolean,
): Answer {
  const { headers: identityHeaders, absentHeaderNames } = admittingHeaders(runtime, authentication);
  const headers = [...identityHeaders, 'X-Request-Id', id];
  if (isEnvoy) headers.push('X-Envoy-Auth-Headers-To-Remove', absentHeaderNames);
  for (const value of setCookies) headers.push('Set-Cookie', value);
  return {
    status: 200,
    headers,
    body: '',
    closesConnection: false,
    sender: senderOf(authentication),
  };
}

/** The headers that admit a request, and the names of identity headers that are not among them. */
interface AdmittingHeaders {
  readonly headers: Answer['headers'];
  /** Separated by commas. */
  readonly absentHeaderNames: string;
}

/** The headers by sender, which is the same object while nothing about the session changes. */
const cachedHeaders = new WeakMap<SignedIn, AdmittingHeaders>();

function admittingHeaders(runtime: Runtime, authentication: Authentication): AdmittingHeaders {
  const person = authentication.kind === 'signed-in' ? authentication : undefined;
  const cached = person && cachedHeaders.get(person);
  if (cached !== undefined) return cached;
  const identity = person === undefined ? {} : parseHeaderLines(person);
  const { headers } = emptyAnswer(200, {
    ...identity,
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  const admitting = { headers, absentHeaderNames: listAbsentHeaderNames(runtime, identity) };
  if (person !== undefined) cachedHeaders.set(person, admitting);
  return admitting;
}

/** The request that the proxy holds. @param envoyPath its path and query, if Envoy asks */
function originalRequest(request: CheckedRequest, envoyPath: string | undefined): CheckedRequest {
  const { runtime, headers, arrival } = request;
  if (envoyPath !== undefined) return withOriginalTarget(request, envoyPath);
  if (!arrival.isTrusted) {
    if (headers.forwarding.length > 0) warnOnce(runtime, arrival.client);
    return withOriginalTarget(request, undefined);
  }
  const [method = request.method, uri] = [
    forwardingHeader(request, 'x-forwarded-method'),
    forwardingHeader(request, 'x-forwarded-uri'),
  ];
  if (!isAcceptedMethod(method)) throw new Refusal(403, 'This method is not allowed.');
  return withOriginalTarget(request, uri, method);
}

/** The check's own request with the target and method of the held one. @param uri undefined if unknown */
function withOriginalTarget(
  request: CheckedRequest,
  uri: string | undefined,
  method = request.method,
): CheckedRequest {
  const target = uri === undefined ? unknownTarget : originalTarget(uri);
  const { runtime, inbound, id, headers, arrival } = request;
  const { cookies, cookieNames } = request.credentials;
  const credentials = { id, target, headers, cookies, cookieNames, arrival };
  return { runtime, inbound, id, method, target, headers, arrival, credentials };
}

/**
 * @throws Refusal 403 where the sidecar itself would answer 400: proxies understand no other
 *   refusal
 */
function originalTarget(raw: string): RequestTarget {
  try {
    return parseTarget(raw);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(403, error.message) : error;
  }
}

/**
 * The only value of a forwarding header, including commas. @throws Refusal 403 for a repeated one
 */
function forwardingHeader({ headers }: CheckedRequest, name: string): string | undefined {
  let onlyValue: string | undefined;
  for (const [header, value] of headers.forwarding) {
    if (header !== name) continue;
    if (onlyValue !== undefined) throw new Refusal(403, `The header ${name} is given twice.`);
    onlyValue = value;
  }
  return onlyValue === '' ? undefined : onlyValue;
}

const warnedRuntimes = new WeakSet<Runtime>();

function warnOnce(runtime: Runtime, address: string): void {
  if (warnedRuntimes.has(runtime)) return;
  warnedRuntimes.add(runtime);
  const message =
    'the forwarding headers of a check are not believed: see --trusted-proxies and httpSettings.forwardProxy.convention';
  runtime.log.warn(message, { address });
}

/**
 * A refusal for proxies that take 401 and 403 only (nginx): the address of the sign-in is in
 * `Location`.
 */
function withoutRedirect(request: CheckedRequest, answer: Answer): Answer {
  const { serialized: origin } = request.arrival.origin;
  const status = answer.status === 403 ? 403 : 401;
  if (headerValues(answer.headers, 'location').length > 0)
    return { ...withAbsoluteLocation(answer, origin), status };
  if (status === 403 || !isNavigation(request.method, request.headers))
    return { ...answer, status };
  const path = signInPath(request);
  return {
    ...answer,
    status,
    headers: [...answer.headers, ...(path === undefined ? [] : ['Location', `${origin}${path}`])],
  };
}

/**
 * An answer with a full URL in `Location`: some proxies would take a path for one of the sidecar's.
 */
function withAbsoluteLocation(answer: Answer, origin: string): Answer {
  const isPath = (text: string, index: number): boolean =>
    index % 2 === 1 && answer.headers[index - 1] === 'Location' && text.startsWith('/');
  const headers = answer.headers.map((text, index) =>
    isPath(text, index) ? `${origin}${text}` : text,
  );
  return { ...answer, headers };
}

function parseHeaderLines({ identityLines }: SignedIn): Record<string, string> {
  const pairs = identityLines.split('\r\n').filter((line) => line !== '');
  return Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}

/**
 * The identity headers that are not in the answer: a proxy must remove them from the request, since
 * the client may have set them.
 */
function listAbsentHeaderNames(
  { settings, providers }: Runtime,
  identity: Readonly<Record<string, string>>,
): string {
  const pathNames = [...providers.values()].map((provider) => provider.pathNames[0]);
  return identityHeaderNames(settings.dialect, pathNames)
    .filter((name) => !(name in identity))
    .join(', ');
}
