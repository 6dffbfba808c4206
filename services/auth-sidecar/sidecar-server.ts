import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { type CheckedRequest, checkRequest } from './checked-request.js';
import { decideAccess, httpsRedirect, isSidecarPath } from './decide-access.js';
import { type AccessSender, isClosing, sendAnswer } from './http/answer.js';
import { applicationProtocols, Http2Clients } from './http/http2-clients.js';
import { isHttp2 } from './http/message.js';
import { peerOf } from './http/origin.js';
import { serveWithoutUpgrade, offersWebSocket } from './http/upgrade-offer.js';
import { Refusal } from './http/refusal.js';
import {
  sendRefusal,
  refuseExpectation,
  refuseMalformed,
  refuseSocket,
} from './http/refusal-answers.js';
import { setSpanAttributes, withSpan } from './operations/tracing.js';
import { answerSidecarPath } from './routes/routes.js';
import type { Runtime } from './runtime.js';
import { senderOf } from './session/authentication.js';
import { nextRequestId } from './upstream/request-head.js';
import { sendToApp } from './upstream/send-to-app.js';
import { upgradeToWebSocket } from './upstream/upgrade.js';
import { runCatching, whenFulfilled } from './maybe-promise.js';

/** The contents of the certificate and key files, when the sidecar terminates TLS itself. */
export interface TlsKeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The sidecar's public port. */
export interface SidecarServer {
  readonly server: Server;
  /** Stops accepting, waits for running requests, and closes those that take longer. */
  drain(timeoutMs: number): Promise<void>;
}

/** How long clients may take. */
export interface ClientTimeouts {
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersMs: number;
  /** Idle time of a connection whose request isn't complete, or whose answer waits to be read. */
  readonly clientIdleMs: number;
}

/** How long a connection may stay without a request, in milliseconds. */
const keepAliveTimeoutMs = 65_000;

/**
 * A request may take any time (`requestTimeout: 0`): `inbound.setTimeout` limits how long a client may
 * be idle while it sends the body.
 */
const serverTimeouts = {
  requestTimeout: 0,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: 2000,
};
const tlsOptions = { minVersion: 'TLSv1.2', ALPNProtocols: applicationProtocols } as const;

/**
 * Creates the server of the public port.
 *
 * @param currentRuntime returns the runtime of the latest configuration, for each request.
 */
export function createSidecarServer(
  currentRuntime: () => Runtime,
  tls: TlsKeyPair | undefined,
  timeouts: ClientTimeouts,
): SidecarServer {
  /** A function for each open WebSocket that closes it. */
  const webSocketClosers = new Set<() => void>();
  let isDraining = false;
  const { maxHeaderBytes } = currentRuntime().settings.limits;
  const options = {
    ...serverTimeouts,
    headersTimeout: timeouts.headersMs,
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  };
  const isFromTrustedProxy = ({ socket }: IncomingMessage): boolean =>
    currentRuntime().isTrustedProxy(socket.remoteAddress ?? '');
  const listener = withSpan((inbound, outbound) => {
    if (isDraining && !isHttp2(inbound)) outbound.setHeader('Connection', 'close');
    handleRequest(currentRuntime(), timeouts, inbound, outbound, false);
  }, isFromTrustedProxy);
  const onContinue = withSpan(
    (inbound, outbound) => handleRequest(currentRuntime(), timeouts, inbound, outbound, true),
    isFromTrustedProxy,
  );
  const server =
    tls === undefined
      ? http.createServer(options, listener)
      : https.createServer({ ...options, ...tls, ...tlsOptions }, listener);
  const http2Clients =
    server instanceof https.Server
      ? new Http2Clients(server, listener, onContinue, {
          maxHeaderBytes,
          idleTimeoutMs: keepAliveTimeoutMs,
        })
      : undefined;
  // Node would drop headers after the 2000th unchecked; 0 turns that limit off. Their size is limited.
  server.maxHeadersCount = 0;
  server.on('checkContinue', onContinue);
  server.on('checkExpectation', refuseExpectation);
  server.on('upgrade', (inbound: IncomingMessage, socket: Duplex, firstBytes: Buffer) => {
    const serve = (): void => {
      if (isClosing(socket) || socket.destroyed) return;
      inbound.socket.setTimeout(0);
      if (offersWebSocket(inbound))
        upgradeToWebSocket(currentRuntime(), inbound, socket, firstBytes, webSocketClosers);
      else serveWithoutUpgrade(server, inbound, socket, firstBytes, tls !== undefined);
    };
    // Node hands over the connection although earlier requests on it may still be unanswered.
    const earlierAnswer = latestAnswer.get(socket);
    if (earlierAnswer === undefined || earlierAnswer.writableFinished) serve();
    else earlierAnswer.once('close', serve);
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) =>
    refuseSocket(socket, 405, 'This method is not allowed.'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseMalformed(error, socket, maxHeaderBytes),
  );
  let openConnections = 0;
  server.on('connection', (socket: Duplex) => {
    openConnections += 1;
    socket.once('close', () => (openConnections -= 1));
    socket.on('error', () => socket.destroy());
  });
  currentRuntime().metrics.addGauge(
    'connections',
    'Open connections of clients.',
    () => openConnections,
  );
  currentRuntime().metrics.addGauge('websockets', 'Open WebSockets.', () => webSocketClosers.size);
  currentRuntime().metrics.addGauge(
    'upstream_connections',
    'Open connections to the app.',
    () => currentRuntime().pool.size,
  );
  return {
    server,
    drain: (timeoutMs) => {
      isDraining = true;
      return drain(server, http2Clients, webSocketClosers, timeoutMs);
    },
  };
}

async function drain(
  server: Server,
  http2Clients: Http2Clients | undefined,
  webSocketClosers: ReadonlySet<() => void>,
  timeoutMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  http2Clients?.close();
  const closingIdle = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => {
    for (const close of webSocketClosers) close();
    server.closeAllConnections();
    http2Clients?.destroy();
  }, timeoutMs);
  for (const close of webSocketClosers) close();
  await closed;
  clearInterval(closingIdle);
  clearTimeout(deadline);
}

/** What nginx writes in its log for a client that left before an answer began. */
const clientClosedRequest = 499;

/** The answer to the latest request of each connection. */
const latestAnswer = new WeakMap<Duplex, ServerResponse>();

function handleRequest(
  runtime: Runtime,
  timeouts: ClientTimeouts,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  expectsContinue: boolean,
): void {
  if (isClosing(inbound.socket)) return;
  latestAnswer.set(inbound.socket, outbound);
  const startTime = performance.now();
  const id = nextRequestId();
  setSpanAttributes({ request_id: id });
  const method = inbound.method ?? '';
  const peer = peerOf(inbound); // read now: a closed socket has no address
  let sender: AccessSender | undefined;
  let checkedRequest: CheckedRequest | undefined;
  let onClose: (() => void) | undefined;
  outbound.on('close', () => {
    onClose?.();
    const milliseconds = performance.now() - startTime;
    const status = outbound.headersSent ? outbound.statusCode : clientClosedRequest;
    runtime.metrics.countRequest(status, milliseconds);
    if (runtime.log.accessEnabled)
      runtime.log.access({
        id,
        method,
        path: checkedRequest?.target.path ?? inbound.url?.split('?', 1)[0] ?? '',
        status,
        milliseconds,
        client: checkedRequest?.arrival.client ?? peer,
        sender,
      });
  });
  const fail = (error: unknown): void => sendRefusal(runtime, id, inbound, outbound, error);
  runCatching(() => {
    const request = checkRequest(runtime, id, inbound, peer);
    checkedRequest = request;
    if (inbound.httpVersionMajor !== 1 && !isHttp2(inbound))
      throw new Refusal(505, 'Only HTTP/1.0, 1.1 and 2 are supported.', {
        closesConnection: true,
      });
    if (request.headers.chunked && inbound.httpVersion === '1.0')
      throw new Refusal(400, 'HTTP/1.0 does not have chunked transfer encoding.', {
        closesConnection: true,
      });
    const redirect = httpsRedirect(request);
    if (redirect !== undefined) {
      sendAnswer(inbound, outbound, redirect);
      return;
    }
    if (isSidecarPath(request)) {
      if (expectsContinue) outbound.writeContinue();
      return whenFulfilled(answerSidecarPath(request), (answer) => {
        ({ sender } = answer);
        sendAnswer(inbound, outbound, answer);
      });
    }
    return whenFulfilled(decideAccess(request, 'http'), (decision) => {
      if (decision.kind === 'forward') sender = senderOf(decision.authentication);
      if (outbound.destroyed) return; // the client disconnected
      if (decision.kind === 'answer') sendAnswer(inbound, outbound, decision.answer);
      else
        onClose = sendToApp(
          request,
          decision,
          inbound,
          outbound,
          expectsContinue,
          timeouts.clientIdleMs,
        );
    });
  }, fail);
}
