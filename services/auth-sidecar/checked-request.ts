import type { IncomingMessage } from 'node:http';
import { rawHeadersOf } from './http/message.js';
import { type Arrival, peerOf } from './http/origin.js';
import { Refusal } from './http/refusal.js';
import type { ScrubbedHeaders } from './http/request-headers.js';
import { parseTarget, type RequestTarget } from './http/request-target.js';
import type { Runtime } from './runtime.js';
import type { Credentials } from './session/authentication.js';
import { splitCookies } from './session/cookies.js';

/** A request after the first checks: its target and headers are unambiguous, its host is served here. */
export interface CheckedRequest {
  readonly runtime: Runtime;
  /** The request as Node parsed it, with all its headers. */
  readonly inbound: IncomingMessage;
  readonly id: string;
  /** Of the request to decide on: `inbound` may be a proxy's question about it. */
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: ScrubbedHeaders;
  readonly arrival: Arrival;
  readonly credentials: Credentials;
}

const methodToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;

/**
 * Methods that echo request headers (TRACE, TRACK) or open a tunnel (CONNECT). In HTTP/2 any letter
 * case reaches the sidecar.
 */
const refusedMethods = /^(?:trace|track|connect)$/i;

/** Whether a method is a valid token, and none of those that are always refused. */
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
  peer = peerOf(inbound),
): CheckedRequest {
  const { method = '', url = '' } = inbound;
  if (!isAcceptedMethod(method))
    throw new Refusal(405, 'This method is not allowed.', { closesConnection: true });
  const target = parseTarget(url);
  const headers = runtime.headerScrubber.scrub(rawHeadersOf(inbound));
  const arrival = runtime.originResolver.resolve(headers, peer);
  const cookieNames = arrival.origin.isSecure
    ? runtime.cookieNames.secure
    : runtime.cookieNames.plain;
  const cookies = headers.cookie === '' ? noCookies : splitCookies(headers.cookie);
  return {
    runtime,
    inbound,
    id,
    method,
    target,
    headers,
    arrival,
    credentials: { id, target, headers, cookies, cookieNames, arrival },
  };
}

const noCookies = { forwarded: '', sidecar: [] } as const;
