import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import http2, {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { cutOff, giveHead } from '../http/message.js';
import { Failure, reasonOf } from '../operations/failure.js';
import type { ForwardFailure, OutboundRequest } from './forward.js';
import { belongsInHead, setsOwnCookie } from './response-head.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

const connectPatience = 5000;

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
    const late = setTimeout(
      () => session.destroy(new Failure('ETIMEDOUT', this.url)),
      connectPatience,
    );
    session.once('connect', () => clearTimeout(late));
    session.once('close', () => clearTimeout(late));
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
  request: OutboundRequest,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  onFailure: (failure: ForwardFailure) => void,
): () => void {
  const isEmpty = !request.chunked && (request.contentLength ?? '0') === '0';
  const stream = app.connect().request(headersFor(request, app.url), { endStream: isEmpty });
  let trailers: Readonly<Record<string, string>> = {};
  let isOver = false;
  const fail = (failure: ForwardFailure): void => {
    if (isOver) return;
    isOver = true;
    stream.close(constants.NGHTTP2_CANCEL);
    if (outbound.headersSent) cutOff(outbound);
    else onFailure(failure);
  };
  stream.setTimeout(request.patience, () => {
    if (!outbound.headersSent) fail('timeout');
  });
  stream.on('error', () => fail('unreachable'));
  stream.on('close', () => fail('unreachable'));
  stream.on('headers', (headers) => {
    const { link } = headers;
    if (headers[':status'] === 103 && link !== undefined) hint(outbound, link);
  });
  stream.on('response', (headers, flags) => {
    giveHead(
      outbound,
      headers[':status'] ?? 502,
      reasonFor(headers),
      answerHeaders(headers, request),
    );
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) outbound.flushHeaders();
  });
  stream.on('data', (chunk: Buffer) => {
    if (outbound.write(chunk)) return;
    stream.pause();
    outbound.once('drain', () => stream.resume());
  });
  stream.on('trailers', (headers) => {
    const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    trailers = Object.fromEntries(pairs.filter(([name]) => !belongsInHead(name)));
  });
  stream.on('end', () => {
    if (isOver) return;
    isOver = true;
    outbound.addTrailers(trailers);
    outbound.end();
  });
  if (!isEmpty) sendBody(request, inbound, outbound, stream);
  return () => {
    isOver = true;
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  };
}

function sendBody(
  { expectContinue }: OutboundRequest,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  stream: ClientHttp2Stream,
): void {
  if (expectContinue) outbound.writeContinue();
  inbound.pipe(stream);
}

function hint(outbound: ServerResponse, link: string | string[]): void {
  try {
    outbound.writeEarlyHints({ link });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // Node takes one well-formed link a header
  }
}

/** Request line and headers as HTTP/2 has them. */
function headersFor(
  { head, method, contentLength }: OutboundRequest,
  url: string,
): OutgoingHttpHeaders {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string | string[]> = {
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
    const before = headers[name];
    if (name === 'host') headers[':authority'] = value;
    else headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

function reasonFor({ ':status': status }: IncomingHttpHeaders & { ':status'?: number }): string {
  return STATUS_CODES[status ?? 502] ?? '';
}

/** Names and values of an answer in turn, with the sidecar's cookies, and none of the app's in their place. */
function answerHeaders(headers: IncomingHttpHeaders, { setCookies }: OutboundRequest): string[] {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') ? [] : [value ?? []].flat().map((each) => [name, each] as const),
  );
  const kept = pairs.filter(([name, value]) => name !== 'set-cookie' || !setsOwnCookie(value));
  return [...kept, ...setCookies.map((value) => ['set-cookie', value] as const)].flat();
}
