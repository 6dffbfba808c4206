import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { checkRequest, httpsRedirect, isOwnPath, judge } from './gate.js';
import type { CheckedRequest, Verdict } from './gate.js';
import type { Answer } from './http/answer.js';
import { htmlAnswer, jsonAnswer, rawAnswer, sendAnswer, wantsHtml } from './http/answer.js';
import { Refusal } from './http/refusal.js';
import { plainAddress } from './http/trusted-proxies.js';
import { errorFields } from './operations/log.js';
import { traced } from './operations/tracing.js';
import { errorPage } from './pages/pages.js';
import { answerOwn } from './routes/routes.js';
import type { Runtime } from './runtime.js';
import { keepAliveSeconds } from './upstream/client-answer.js';
import { forward } from './upstream/forward.js';
import type { ForwardFailure } from './upstream/forward.js';
import { checkHandshake, joinWebSocket } from './upstream/websocket.js';
import { endWithSession } from './upstream/websocket-life.js';

/** Certificate and key, when the sidecar ends TLS itself. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The sidecar's port for the world. */
export interface SidecarServer {
  readonly server: Server;
  /** Stops accepting, lets requests end, then ends what is left. */
  drain(milliseconds: number): Promise<void>;
}

/** How long clients may take, in milliseconds. */
export interface ClientPatience {
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headers: number;
  /** Silence on a connection whose request isn't whole. */
  readonly body: number;
}

const timeouts = { requestTimeout: 0, keepAliveTimeout: keepAliveSeconds * 1000, connectionsCheckingInterval: 2000 };

/** @param current the runtime of this moment: a reload changes it for the requests that come then */
export function createSidecarServer(current: () => Runtime, tls: TlsFiles | undefined, patience: ClientPatience): SidecarServer {
  const webSockets = new Set<() => void>();
  let draining = false;
  const options = {
    ...timeouts,
    headersTimeout: patience.headers,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  };
  const trusted = ({ socket }: IncomingMessage): boolean => current().trusted(socket.remoteAddress ?? '');
  const listener = traced((inbound, outbound) => {
    if (draining) outbound.setHeader('Connection', 'close');
    handle(current(), inbound, outbound, false, patience.body);
  }, trusted);
  const server =
    tls === undefined ? http.createServer(options, listener) : https.createServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, listener);
  // By default Node forgets headers after the 2000th: each has to be seen, and 16 KB bound them.
  server.maxHeadersCount = 0;
  server.on(
    'checkContinue',
    traced((inbound, outbound) => handle(current(), inbound, outbound, true, patience.body), trusted),
  );
  server.on('checkExpectation', (_: IncomingMessage, outbound: ServerResponse) => {
    const body = plainError(417, 'Only 100-continue can be expected.');
    outbound.writeHead(417, { Connection: 'close', 'Content-Type': jsonType, 'Content-Length': body.length });
    outbound.end(body);
  });
  server.on('upgrade', (inbound: IncomingMessage, socket: Duplex, head: Buffer) => upgrade(current(), inbound, socket, head, webSockets));
  server.on('connect', (_: IncomingMessage, socket: Duplex) => refuseSocket(socket, 405, 'This method is not taken.'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => onClientError(error, socket));
  server.on('connection', (socket: Duplex) => socket.on('error', () => socket.destroy()));
  current().metrics.gauges.set('connections', () => openConnections(server));
  current().metrics.gauges.set('websockets', () => webSockets.size);
  current().metrics.gauges.set('upstream_connections', () => current().pool.size);
  return {
    server,
    drain: (milliseconds) => {
      draining = true;
      return drain(server, webSockets, milliseconds);
    },
  };
}

function openConnections(server: Server): number {
  return (server as unknown as { _connections?: number })._connections ?? 0;
}

async function drain(server: Server, webSockets: Set<() => void>, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const late = setTimeout(() => {
    for (const end of webSockets) end();
    server.closeAllConnections();
  }, milliseconds);
  for (const end of webSockets) end();
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

const idPrefix = randomBytes(6).toString('base64url');
let requestCount = 0;

function handle(runtime: Runtime, inbound: IncomingMessage, outbound: ServerResponse, expectsContinue: boolean, bodySilence: number): void {
  const started = performance.now();
  const id = `${idPrefix}${(++requestCount).toString(36)}`;
  const method = inbound.method ?? '';
  let verdict: Verdict | undefined;
  let gone: (() => void) | undefined;
  outbound.on('close', () => {
    gone?.();
    const milliseconds = performance.now() - started;
    runtime.metrics.request(outbound.statusCode, milliseconds);
    if (runtime.log.accessEnabled) logAccess(runtime, id, method, inbound, outbound, milliseconds, verdict);
  });
  const fail = (error: unknown): void => refuse(runtime, id, inbound, outbound, error);
  try {
    const request = checkRequest(
      runtime,
      id,
      method,
      inbound.url ?? '',
      inbound.rawHeaders,
      plainAddress(inbound.socket.remoteAddress ?? ''),
    );
    if (request.headers.chunked && inbound.httpVersion !== '1.1') throw new Refusal(400, 'HTTP/1.0 has no chunks.', { close: true });
    const moved = httpsRedirect(request);
    if (moved !== undefined) {
      sendAnswer(inbound, outbound, moved);
      return;
    }
    if (isOwnPath(request)) {
      if (expectsContinue) outbound.writeContinue();
      const answer = answerOwn({ ...request, inbound });
      if (answer instanceof Promise) answer.then((ready) => sendAnswer(inbound, outbound, ready)).catch(fail);
      else sendAnswer(inbound, outbound, answer);
      return;
    }
    const act = (known: Verdict): void => {
      verdict = known;
      if (outbound.destroyed) return; // the client didn't wait
      if (known.kind === 'answer') sendAnswer(inbound, outbound, known.answer);
      else gone = pass(request, known, inbound, outbound, expectsContinue, bodySilence);
    };
    const soon = judge(request, false);
    if (soon instanceof Promise) soon.then(act).catch(fail);
    else act(soon);
  } catch (error) {
    fail(error);
  }
}

/** The request line and headers that the app gets: what the client sent, scrubbed, then what the sidecar says. */
function outboundHead(request: CheckedRequest, verdict: Extract<Verdict, { kind: 'forward' }>): string {
  const { method, target, headers, arrival, credentials, id } = request;
  const cookie = credentials.cookies.forwarded === '' ? '' : `Cookie: ${credentials.cookies.forwarded}\r\n`;
  const identity = verdict.authentication.kind === 'signed-in' ? verdict.authentication.lines : '';
  return `${method} ${target.raw} HTTP/1.1\r\nHost: ${arrival.origin.host}\r\n${headers.lines}${cookie}${arrival.lines}X-Request-Id: ${id}\r\n${identity}`;
}

function pass(
  request: CheckedRequest,
  verdict: Extract<Verdict, { kind: 'forward' }>,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  expectsContinue: boolean,
  bodySilence: number,
): () => void {
  const { runtime, headers, method, id } = request;
  if (headers.contentLength !== undefined || headers.chunked) {
    inbound.setTimeout(bodySilence, () => {
      if (!inbound.complete) inbound.destroy();
    });
  }
  const outboundRequest = {
    method,
    head: outboundHead(request, verdict),
    contentLength: headers.contentLength,
    chunked: headers.chunked,
    expectContinue: expectsContinue,
    setCookies: verdict.setCookies,
  };
  return forward(runtime.pool, outboundRequest, inbound, outbound, (failure) => {
    runtime.metrics.count(`upstream_failures_total{reason="${failure}"}`);
    runtime.log.warn('the app did not answer', { id, reason: failure });
    sendAnswer(inbound, outbound, refusalAnswer(upstreamRefusal(failure), id, headers));
  });
}

function upstreamRefusal(failure: ForwardFailure): Refusal {
  if (failure === 'timeout') return new Refusal(504, 'The app did not answer in time.', { close: true });
  return new Refusal(502, failure === 'malformed' ? 'The app gave no valid answer.' : 'The app could not be reached.', { close: true });
}

function upgrade(runtime: Runtime, inbound: IncomingMessage, socket: Duplex, early: Buffer, webSockets: Set<() => void>): void {
  const id = `${idPrefix}${(++requestCount).toString(36)}`;
  socket.on('error', () => socket.destroy());
  const answer = (each: Answer): void => {
    runtime.metrics.request(each.status, 0);
    socket.end(rawAnswer(each, http.STATUS_CODES[each.status] ?? 'Refused'));
  };
  const fail = (error: unknown): void => answer(refusalAnswer(asRefusal(runtime, id, error), id, inbound.headers));
  const join = (checked: CheckedRequest, key: string, verdict: Verdict): void => {
    if (verdict.kind === 'answer') {
      answer(verdict.answer);
      return;
    }
    runtime.metrics.count('websockets_total');
    const end = joinWebSocket(runtime.pool, outboundHead(checked, verdict), key, socket, early, (status) =>
      answer(refusalAnswer(new Refusal(status, 'The app could not be reached.'), id, checked.headers)),
    );
    const release = endWithSession(runtime, verdict.authentication, end);
    webSockets.add(end);
    socket.once('close', () => {
      release();
      webSockets.delete(end);
    });
    runtime.log.info('websocket', { id, path: checked.target.path });
  };
  try {
    const request = checkRequest(
      runtime,
      id,
      inbound.method ?? '',
      inbound.url ?? '',
      inbound.rawHeaders,
      plainAddress(inbound.socket.remoteAddress ?? ''),
    );
    const key = checkHandshake(request.method, inbound.httpVersion, request.headers, inbound.rawHeaders);
    if (httpsRedirect(request) !== undefined) throw new Refusal(403, 'This host is served over https only.');
    if (isOwnPath(request)) throw new Refusal(404, 'There is nothing at this path.');
    const soon = judge(request, true);
    if (soon instanceof Promise) soon.then((verdict) => join(request, key, verdict)).catch(fail);
    else join(request, key, soon);
  } catch (error) {
    fail(error);
  }
}

function asRefusal(runtime: Runtime, id: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  runtime.log.error('a request failed unexpectedly', { id, ...errorFields(error) });
  return new Refusal(500, 'The request could not be handled.', { close: true });
}

function refuse(runtime: Runtime, id: string, inbound: IncomingMessage, outbound: ServerResponse, error: unknown): void {
  const refusal = asRefusal(runtime, id, error);
  runtime.metrics.count(`refusals_total{status="${refusal.status}"}`);
  const { method, url } = inbound;
  const posted = method === 'POST' && (url ?? '').startsWith(`${runtime.settings.prefix}/login/`);
  // What the client takes is read from Node's own headers: the sidecar's reading may be what failed.
  sendAnswer(inbound, outbound, refusalAnswer(refusal, id, posted ? undefined : inbound.headers));
}

function refusalAnswer(
  { status, message, options }: Refusal,
  id: string,
  headers: { readonly accept?: string | undefined } | undefined,
): Answer {
  const { headers: extra = {}, close = false, code, links } = options;
  if (wantsHtml(headers)) return htmlAnswer(status, errorPage(status, message, id, links), extra, close);
  return jsonAnswer(status, { code: status, ...(code === undefined ? {} : { error: code }), message, requestId: id }, extra, close);
}

const jsonType = 'application/json; charset=utf-8';

/** What is said of a request that can't be read far enough to know who sent it. */
function plainError(status: number, message: string): string {
  return `${JSON.stringify({ code: status, message })}\n`;
}

function refuseSocket(socket: Duplex, status: number, message: string): void {
  socket.on('error', () => socket.destroy());
  const body = plainError(status, message);
  const headers = `Content-Type: ${jsonType}\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? 'Refused'}\r\n${headers}${body}`);
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') refuseSocket(socket, 431, 'The headers are longer than 16 KB together.');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSocket(socket, 408, 'The request did not arrive in time.');
  else refuseSocket(socket, 400, 'This is not a valid HTTP request.');
}

function logAccess(
  runtime: Runtime,
  id: string,
  method: string,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  milliseconds: number,
  verdict: Verdict | undefined,
): void {
  const { url = '' } = inbound;
  const mark = url.indexOf('?');
  const known = verdict?.kind === 'forward' ? verdict.authentication : undefined;
  runtime.log.access({
    id,
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    status: outbound.statusCode,
    milliseconds,
    via: known?.kind === 'signed-in' ? known.via : undefined,
    provider: known?.kind === 'signed-in' ? known.provider.words[0] : undefined,
  });
}
