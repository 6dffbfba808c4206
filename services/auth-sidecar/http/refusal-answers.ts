import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorFields } from '../operations/log.js';
import type { Pages } from '../pages/pages.js';
import type { Runtime } from '../runtime.js';
import {
  type Answer,
  htmlAnswer,
  isClosing,
  jsonAnswer,
  sendAnswer,
  sendToSocket,
} from './answer.js';
import { wantsHtml } from './browser-request.js';
import { Refusal } from './refusal.js';
import { headersTooLongRefusal } from './request-headers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * Converts an error to a refusal: a thrown refusal stays, any other error becomes 500 and is
 * logged.
 */
export function asRefusal(runtime: Runtime, id: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  runtime.log.error('a request failed unexpectedly', { id, ...errorFields(error) });
  return new Refusal(500, 'The request could not be handled.', { closesConnection: true });
}

/** Answers a failed request: a page for people, JSON for programs and for posted sign-ins. */
export function sendRefusal(
  runtime: Runtime,
  id: string,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  error: unknown,
): void {
  const refusal = asRefusal(runtime, id, error);
  runtime.metrics.count('refusals_total', { status: refusal.status });
  const { method, url } = inbound;
  const isLoginPost =
    method === 'POST' && (url ?? '').startsWith(`${runtime.settings.apiPrefix}/login/`);
  // What the client accepts is read from Node's own headers: the sidecar's parsing may have failed.
  sendAnswer(
    inbound,
    outbound,
    refusalAnswer(runtime.pages, refusal, id, isLoginPost ? undefined : inbound.headers),
  );
}

/**
 * The answer to a refused request.
 *
 * @param headers the `Accept` header decides between a page and JSON; undefined: JSON.
 */
export function refusalAnswer(
  pages: Pages,
  { status, message, options }: Refusal,
  id: string,
  headers: { readonly accept?: string | undefined } | undefined,
): Answer {
  const { headers: extraHeaders = {}, closesConnection = false, code, links } = options;
  if (wantsHtml(headers))
    return htmlAnswer(
      status,
      pages.error(status, message, id, links),
      extraHeaders,
      closesConnection,
    );
  return jsonAnswer(
    status,
    { code: status, ...omitUndefined({ error: code }), message, requestId: id },
    extraHeaders,
    closesConnection,
  );
}

/** Refuses a request whose `Expect` is not 100-continue. */
export function refuseExpectation(inbound: IncomingMessage, outbound: ServerResponse): void {
  sendAnswer(inbound, outbound, bareRefusalAnswer(417, 'Only 100-continue can be expected.'));
}

/** Writes a refusal to a socket, and ends it. */
export function refuseSocket(socket: Duplex, status: number, message: string): void {
  socket.on('error', () => socket.destroy());
  sendToSocket(socket, bareRefusalAnswer(status, message));
}

/** The refusal of a request of which too little is known for a page or a request id. */
function bareRefusalAnswer(status: number, message: string): Answer {
  return jsonAnswer(status, { code: status, message }, {}, true);
}

/** Refuses a request that Node's HTTP parser rejected. */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  maxHeaderBytes: number,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (isClosing(socket)) return;
  if (error.code === 'HPE_HEADER_OVERFLOW')
    refuseSocket(socket, 431, headersTooLongRefusal(maxHeaderBytes).message);
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    refuseSocket(socket, 408, 'The request did not arrive in time.');
  else refuseSocket(socket, 400, 'This is not a valid HTTP request.');
}
