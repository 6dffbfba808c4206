import { randomBytes } from 'node:crypto';
import type { CheckedRequest } from '../checked-request.js';
import type { AccessDecision } from '../decide-access.js';

const idPrefix = randomBytes(6).toString('base64url');
let requestCount = 0;

/** A unique id of a request: in logs, on pages, and for the app. */
export function nextRequestId(): string {
  return `${idPrefix}${(++requestCount).toString(36)}`;
}

/** The request line and headers for the app: the client's, filtered, then the sidecar's. */
export function upstreamRequestHead(
  request: CheckedRequest,
  decision: Extract<AccessDecision, { kind: 'forward' }>,
): string {
  const { method, target, headers, arrival, credentials, id } = request;
  const cookie =
    credentials.cookies.forwarded === '' ? '' : `Cookie: ${credentials.cookies.forwarded}\r\n`;
  const identity =
    decision.authentication.kind === 'signed-in' ? decision.authentication.identityLines : '';
  return `${method} ${target.raw} HTTP/1.1\r\nHost: ${arrival.origin.host}\r\n${headers.lines}${cookie}${arrival.forwardingLines}X-Request-Id: ${id}\r\n${identity}`;
}
