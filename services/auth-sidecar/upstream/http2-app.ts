import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import http2, {
  type ClientHttp2Session,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import {
  abortAnswer,
  isSendableStatus,
  writeEarlyHints,
  writeHead,
  writeTrailers,
} from '../http/message.js';
import { ExternalCallError, reasonOf } from '../operations/external-call-error.js';
import type { ForwardFailure, UpstreamRequest } from './forward.js';
import { belongsInHead, setsSidecarCookie } from './response-head.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { whenClientDrained } from './slow-client.js';

const connectTimeoutMs = 5000;

/** The app over HTTP/2, in cleartext by prior knowledge: all requests share one connection. */
export class Http2App {
  private session: ClientHttp2Session | undefined;
  /** The code of the last failed connection. */
  lastFailure = '';

  /** @param url the app's origin */
  constructor(readonly url: string) {}

  /** The open connection, or a new one. */
  connect(): ClientHttp2Session {
    if (this.session !== undefined && !this.session.closed && !this.session.destroyed)
      return this.session;
    const session = http2.connect(this.url, { settings: { enablePush: false } });
    const deadline = setTimeout(
      () => session.destroy(new ExternalCallError('ETIMEDOUT', this.url)),
      connectTimeoutMs,
    );
    session.once('connect', () => clearTimeout(deadline));
    session.once('close', () => clearTimeout(deadline));
    session.on('error', (error) => (this.lastFailure = reasonOf(error)));
    this.session = session;
    return session;
  }

  /** Closes the connection after the requests under way. */
  close(): void {
    this.session?.close();
  }
}

/**
 * Sends a request to the app by HTTP/2 and its answer to the client, streaming both ways, with the
 * trailers that gRPC needs. Failures as in {@link ./forward.js}.
 *
 * @returns a function to call when the client's side has closed.
 */
export function forwardByHttp2(
  app: Http2App,
  request: UpstreamRequest,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  onFailure: (failure: ForwardFailure) => void,
): () => void {
  const isEmpty = !request.chunked && (request.contentLength ?? '0') === '0';
  const stream = app.connect().request(headersFor(request, app.url), { endStream: isEmpty });
  let trailers: string[] = [];
  let isAnswered = false;
  let isOver = false;
  const fail = (failure: ForwardFailure): void => {
    if (isOver) return;
    isOver = true;
    stream.close(constants.NGHTTP2_CANCEL);
    if (outbound.headersSent) abortAnswer(outbound);
    else onFailure(failure);
  };
  stream.setTimeout(request.idleTimeoutMs, () => {
    if (!outbound.headersSent) fail('timeout');
  });
  stream.on('error', () => fail('unreachable'));
  stream.on('close', () => fail('unreachable'));
  stream.on('headers', (headers) => {
    if (headers[':status'] === 103) writeEarlyHints(inbound, outbound, rawHeaders(headers));
  });
  stream.on('response', (headers, flags) => {
    isAnswered = true;
    const status = headers[':status'] ?? 502;
    if (!isSendableStatus(inbound, status)) {
      fail('malformed');
      return;
    }
    const keptHeaders = rawHeaders(
      headers,
      (name, value) => name !== 'set-cookie' || !setsSidecarCookie(value),
    );
    for (const value of request.setCookies) keptHeaders.push('set-cookie', value);
    writeHead(outbound, status, STATUS_CODES[status] ?? '', keptHeaders);
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) outbound.flushHeaders();
  });
  stream.on('data', (chunk: Buffer) => {
    if (outbound.write(chunk)) return;
    stream.pause();
    whenClientDrained(inbound, outbound, request.clientIdleTimeoutMs, () => stream.resume());
  });
  stream.on('trailers', (headers) => {
    trailers = rawHeaders(headers, (name) => !belongsInHead(name));
  });
  stream.on('end', () => {
    if (isOver) return;
    // Node ends a stream that was cancelled, or whose connection broke, like a complete one.
    if (!isAnswered || stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
      fail('unreachable');
      return;
    }
    isOver = true;
    writeTrailers(outbound, trailers);
    outbound.end();
  });
  if (!isEmpty) {
    if (request.expectContinue) outbound.writeContinue();
    inbound.pipe(stream);
  }
  return () => {
    isOver = true;
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  };
}

/** Request line and headers as HTTP/2 has them. */
function headersFor(
  { head, method, contentLength }: UpstreamRequest,
  url: string,
): OutgoingHttpHeaders {
  const [requestLine = '', ...lines] = head.split('\r\n');
  // Without a prototype: a client may send a header with the name of one of its properties.
  const headers: Record<string, string> = {
    __proto__: null as never,
    ':method': method,
    ':path': requestLine.split(' ')[1] ?? '/',
    ':scheme': new URL(url).protocol.slice(0, -1),
    te: 'trailers',
    ...omitUndefined({ 'content-length': contentLength }),
  };
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 2);
    const existing = headers[name];
    if (name === 'host') headers[':authority'] = value;
    // Repeated fields are one list (RFC 9110, 5.2); of some, Node takes no second value.
    else headers[name] = existing === undefined ? value : `${existing}, ${value}`;
  }
  return headers;
}

/** Names and values in turn of those fields that are kept. */
function rawHeaders(
  headers: IncomingHttpHeaders,
  isKept: (name: string, value: string) => boolean = () => true,
): string[] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    name.startsWith(':')
      ? []
      : [values].flat().flatMap((value) => (isKept(name, value) ? [name, value] : [])),
  );
}
