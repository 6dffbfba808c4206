import { identityHeaderNames } from '../session/principal.js';
import { type Answer, emptyAnswer, isNavigation } from '../http/answer.js';
import { valuesOf } from '../http/raw-headers.js';
import { Refusal } from '../http/refusal.js';
import { parseTarget, type RequestTarget, unknownTarget } from '../http/request-target.js';
import { pathAfterCheck, pathOwner } from '../path-owner.js';
import { type CheckedRequest, isAcceptedMethod } from '../checked-request.js';
import { httpsRedirect, decideAccess, type Verdict } from '../gate.js';
import type { Runtime } from '../runtime.js';
import { signInPath } from '../sign-in-answers.js';
import { type Authentication, senderOf, type SignedIn } from '../session/authentication.js';
import { type MaybePromise, whenReady } from '../token-store/entry-store.js';

/**
 * `{prefix}/check`: decides about a request that another proxy holds, and identifies its sender.
 * 200 admits it, with the identity headers for the app; 401 and 403 refuse it. A browser's
 * navigation gets 401 with the sign-in address in `Location`; with `?redirect=true`, or if the path
 * of the request follows (`{prefix}/check/the/path`, as Envoy sends it), a redirect by 302.
 *
 * The request is described by `X-Forwarded-Method`, `-Proto`, `-Host` and `-Uri` of a trusted
 * proxy.
 *
 * @throws Refusal 403 for a request of another site, or to a path that only the sidecar answers
 */
export function checkForwarded(request: CheckedRequest): MaybePromise<Answer> {
  const { runtime, target } = request;
  const following = pathAfterCheck(target, runtime.settings.prefix);
  const checked = originalRequest(request, following);
  const redirects =
    following !== undefined ||
    (target.query !== '' && new URLSearchParams(target.query).get('redirect') === 'true');
  const redirect = httpsRedirect(checked);
  if (redirect !== undefined) return redirects ? redirect : withoutRedirect(checked, redirect);
  if (pathOwner(checked.target, runtime.settings) !== 'app')
    throw new Refusal(
      403,
      'This path belongs to the sign-in layer: the proxy has to send it there.',
    );
  return whenReady(decideAccess(checked, checked.headers.webSocketKey !== undefined), (verdict) => {
    if (verdict.kind === 'forward') return admit(request, verdict, following !== undefined);
    return redirects
      ? absolute(verdict.answer, request.arrival.origin.origin)
      : withoutRedirect(checked, verdict.answer);
  });
}

/**
 * The answer that admits a request, with the identity headers for the app. @param byEnvoy it removes
 * the others
 */
function admit(
  { runtime, id }: CheckedRequest,
  { authentication, setCookies }: Extract<Verdict, { kind: 'forward' }>,
  byEnvoy: boolean,
): Answer {
  const { headers: identity, absent } = admittingHeaders(runtime, authentication);
  const headers = [...identity, 'X-Request-Id', id];
  if (byEnvoy) headers.push('X-Envoy-Auth-Headers-To-Remove', absent);
  for (const value of setCookies) headers.push('Set-Cookie', value);
  return { status: 200, headers, body: '', close: false, sender: senderOf(authentication) };
}

/** The headers that admit a request, and the names of identity headers that are not among them. */
interface AdmittingHeaders {
  readonly headers: Answer['headers'];
  readonly absent: string;
}

/** What admits a session, which is the same object until something about it changes. */
const knownHeaders = new WeakMap<SignedIn, AdmittingHeaders>();

function admittingHeaders(runtime: Runtime, authentication: Authentication): AdmittingHeaders {
  const person = authentication.kind === 'signed-in' ? authentication : undefined;
  const known = person && knownHeaders.get(person);
  if (known !== undefined) return known;
  const identity = person === undefined ? {} : headersOf(person);
  const { headers } = emptyAnswer(200, {
    ...identity,
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  const admitting = { headers, absent: absentNames(runtime, identity) };
  if (person !== undefined) knownHeaders.set(person, admitting);
  return admitting;
}

/** The request that the proxy holds. @param following its path, as Envoy sends it */
function originalRequest(request: CheckedRequest, following: string | undefined): CheckedRequest {
  const { runtime, headers, arrival } = request;
  if (following !== undefined) return asked(request, following);
  if (!arrival.isTrusted) {
    if (headers.forwarding.length > 0) warnOnce(runtime, arrival.client);
    return asked(request, undefined);
  }
  const [method = request.method, uri] = [
    forwardingHeader(request, 'x-forwarded-method'),
    forwardingHeader(request, 'x-forwarded-uri'),
  ];
  if (!isAcceptedMethod(method)) throw new Refusal(403, 'This method is not taken.');
  return asked(request, uri, method);
}

/** The request that is asked about. @param uri undefined if it is not known */
function asked(
  request: CheckedRequest,
  uri: string | undefined,
  method = request.method,
): CheckedRequest {
  const target = uri === undefined ? unknownTarget : originalTarget(uri);
  const { runtime, inbound, id, headers, arrival } = request;
  const { cookies, names } = request.credentials;
  const credentials = { id, target, headers, cookies, names, arrival };
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
  let only: string | undefined;
  for (const [header, value] of headers.forwarding) {
    if (header !== name) continue;
    if (only !== undefined) throw new Refusal(403, `The header ${name} is given twice.`);
    only = value;
  }
  return only === '' ? undefined : only;
}

const warnings = new WeakSet<Runtime>();

function warnOnce(runtime: Runtime, address: string): void {
  if (warnings.has(runtime)) return;
  warnings.add(runtime);
  const message =
    'the forwarding headers of a check are not believed: see --trusted-proxies and httpSettings.forwardProxy.convention';
  runtime.log.warn(message, { address });
}

/**
 * A refusal for proxies that take 401 and 403 only (nginx): the address of the sign-in is in
 * `Location`.
 */
function withoutRedirect(request: CheckedRequest, answer: Answer): Answer {
  const { origin } = request.arrival.origin;
  const status = answer.status === 403 ? 403 : 401;
  if (valuesOf(answer.headers, 'location').length > 0)
    return { ...absolute(answer, origin), status };
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
function absolute(answer: Answer, origin: string): Answer {
  const isPath = (text: string, index: number): boolean =>
    index % 2 === 1 && answer.headers[index - 1] === 'Location' && text.startsWith('/');
  const headers = answer.headers.map((text, index) =>
    isPath(text, index) ? `${origin}${text}` : text,
  );
  return { ...answer, headers };
}

function headersOf({ lines }: SignedIn): Record<string, string> {
  const pairs = lines.split('\r\n').filter((line) => line !== '');
  return Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}

/**
 * The identity headers that are not in the answer: a proxy must remove them from the request, since
 * the client may have set them.
 */
function absentNames(
  { settings, providers }: Runtime,
  identity: Readonly<Record<string, string>>,
): string {
  const words = [...providers.values()].map((provider) => provider.pathNames[0]);
  return identityHeaderNames(settings.dialect, words)
    .filter((name) => !(name in identity))
    .join(', ');
}
