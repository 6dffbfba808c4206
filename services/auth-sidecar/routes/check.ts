import { identityHeaderNames } from '../session/principal.js';
import { type Answer, bareAnswer, isNavigation } from '../http/answer.js';
import { Refusal } from '../http/refusal.js';
import { parseTarget, type RequestTarget } from '../http/request-target.js';
import { ownerOf } from '../entrance.js';
import { type CheckedRequest, httpsRedirect, isTakenMethod, judge, signInPath } from '../gate.js';
import type { Runtime } from '../runtime.js';
import { senderOf, type SignedIn } from '../session/authentication.js';
import type { OwnRequest } from './own-request.js';

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
export async function checkForwarded(request: OwnRequest): Promise<Answer> {
  const { runtime, arrival, target } = request;
  const checked = originalRequest(request);
  const redirects =
    followsPath(request) || new URLSearchParams(target.query).get('redirect') === 'true';
  const redirect = httpsRedirect(checked);
  if (redirect !== undefined) return redirects ? redirect : withoutRedirect(checked, redirect);
  if (ownerOf(checked.target, runtime.settings) !== 'app')
    throw new Refusal(
      403,
      'This path belongs to the sign-in layer: the proxy has to send it there.',
    );
  const verdict = await judge(checked, checked.headers.webSocketKey !== undefined);
  if (verdict.kind === 'answer')
    return redirects
      ? absolute(verdict.answer, arrival.origin.origin)
      : withoutRedirect(checked, verdict.answer);
  const { authentication } = verdict;
  const identity = authentication.kind === 'signed-in' ? headersOf(authentication) : {};
  const answer = bareAnswer(200, {
    'Set-Cookie': verdict.setCookies,
    ...identity,
    'X-Request-Id': request.id,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Envoy-Auth-Headers-To-Remove': absentNames(runtime, identity),
  });
  const sender = senderOf(authentication);
  return sender === undefined ? answer : { ...answer, sender };
}

function followsPath({ runtime, target }: OwnRequest): boolean {
  return target.path.startsWith(`${runtime.settings.prefix}/check/`);
}

/** The request that the proxy holds. */
function originalRequest(request: OwnRequest): CheckedRequest {
  const { runtime, target, headers, arrival } = request;
  if (followsPath(request))
    return asked(request, target.raw.slice(`${runtime.settings.prefix}/check`.length));
  if (!arrival.isTrusted) {
    if (headers.forwarding.length > 0) warnOnce(runtime, arrival.client);
    return asked(request, undefined);
  }
  const [method = request.method, uri] = [
    forwardingHeader(request, 'x-forwarded-method'),
    forwardingHeader(request, 'x-forwarded-uri'),
  ];
  if (!isTakenMethod(method)) throw new Refusal(403, 'This method is not taken.');
  return { ...asked(request, uri), method };
}

/** The request with the target that is asked about. @param uri undefined if it is not known */
function asked(request: OwnRequest, uri: string | undefined): CheckedRequest {
  const target = uri === undefined ? unknownTarget : originalTarget(uri);
  return { ...request, target, credentials: { ...request.credentials, target } };
}

/** The target of a request whose path no trusted proxy reports: never an excluded path. */
const unknownTarget: RequestTarget = { raw: '/', path: '/', query: '', plain: false };

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
function forwardingHeader({ headers }: OwnRequest, name: string): string | undefined {
  const values = headers.forwarding.filter(([header]) => header === name).map(([, value]) => value);
  if (values.length > 1) throw new Refusal(403, `The header ${name} is given twice.`);
  return values[0] === '' ? undefined : values[0];
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
  if (answer.headers.some(([name]) => name === 'Location'))
    return { ...absolute(answer, origin), status };
  if (status === 403 || !isNavigation(request.method, request.headers))
    return { ...answer, status };
  const path = signInPath(request);
  return {
    ...answer,
    status,
    headers: [
      ...answer.headers,
      ...(path === undefined ? [] : [['Location', `${origin}${path}`] as const]),
    ],
  };
}

/**
 * An answer with a full URL in `Location`: some proxies would take a path for one of the sidecar's.
 */
function absolute(answer: Answer, origin: string): Answer {
  const headers = answer.headers.map(([name, value]) =>
    name === 'Location' && value.startsWith('/')
      ? ([name, `${origin}${value}`] as const)
      : ([name, value] as const),
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
  const words = [...providers.values()].map((provider) => provider.words[0]);
  return identityHeaderNames(settings.dialect, words)
    .filter((name) => !(name in identity))
    .join(', ');
}
