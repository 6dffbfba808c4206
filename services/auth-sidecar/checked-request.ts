import type { IncomingMessage } from 'node:http';
import { rawHeadersOf } from './http/message.js';
import { type Arrival, peerOf } from './http/origin.js';
import { Refusal } from './http/refusal.js';
import type { ScrubbedHeaders } from './http/request-headers.js';
import { parseTarget, type RequestTarget } from './http/request-target.js';
import type { Runtime } from './runtime.js';
import type { Credentials } from './session/authentication.js';
import { splitCookies } from './session/cookies.js';

/** A request after the first checks: its target and headers are unambiguous, its host is ours. */
export interface CheckedRequest {
  readonly runtime: Runtime;
  readonly inbound: IncomingMessage;
  readonly id: string;
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: ScrubbedHeaders;
  readonly arrival: Arrival;
  readonly credentials: Credentials;
}

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
  peer = peerOf(inbound),
): CheckedRequest {
  const { method = '', url = '' } = inbound;
  if (!isAcceptedMethod(method))
    throw new Refusal(405, 'This method is not taken.', { close: true });
  const target = parseTarget(url);
  const headers = runtime.scrubber.scrub(rawHeadersOf(inbound));
  const arrival = runtime.resolver.resolve(headers, peer);
  const names = arrival.origin.secure ? runtime.cookies.secure : runtime.cookies.plain;
  const cookies = headers.cookie === '' ? noCookies : splitCookies(headers.cookie, names);
  return {
    runtime,
    inbound,
    id,
    method,
    target,
    headers,
    arrival,
    credentials: { id, target, headers, cookies, names, arrival },
  };
}

const noCookies = { forwarded: '', own: [] } as const;
