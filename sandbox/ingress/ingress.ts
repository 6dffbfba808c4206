import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import {
  offersWebSocket,
  serveWithoutUpgrade,
} from '../../services/auth-sidecar/http/upgrade-offer.js';
import { contentSecurityPolicy, html, page } from '../html.js';
import type { ExplainPage } from '../explanation/refusal-explanation.js';
import type { SandboxSpan, SandboxTracer } from '../tracing/tracer.js';
import type { AppStatus } from '../hosting/app-status.js';

/** A target for the requests to an app. */
export interface Route {
  /**
   * A replica for one request, until it is released; undefined when the app must not be served now.
   */
  lease(): Promise<{ readonly port: number; release(): void } | undefined>;
  status(): AppStatus;
  /** The file that has the app's output, below the project's folder. */
  readonly logFile: string;
}

/** The apps behind the ingress. */
export interface AppRouter {
  /** The name of the app at a Host; undefined if it is not an app's. */
  appNameAt(host: string | undefined): string | undefined;
  /** The target for requests to an app, one of its revisions or a label. */
  route(name: string): Route | undefined;
}

/**
 * Headers of a single connection (RFC 9110, section 7.6.1), and those in which proxies report the
 * client: only the ingress itself may set these.
 */
const notForwardedHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-original-host',
  'x-original-proto',
  'x-real-ip',
]);

/**
 * The sandbox's ingress: forwards requests to `<app>.localhost`, or to a domain of its own, to a
 * replica of the app, streaming both ways.
 */
export class Ingress {
  readonly #agent = new Agent({ keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 64 });

  /** @param explain replaces the page of a sign-in layer that refuses somebody. */
  constructor(
    private readonly apps: AppRouter,
    private readonly explain?: ExplainPage,
    private readonly tracer?: SandboxTracer,
  ) {}

  /** Answers a request to an app. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#handle(request, response).catch((error: Error) => response.destroy(error));
  };

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = this.#routeOf(request);
    const lease = await route?.lease();
    if (route === undefined || lease === undefined)
      return sendUnavailable(request, response, route);
    response.once('close', lease.release);
    if (response.destroyed) return lease.release();
    const span = this.#startSpan(request, response);
    const upstreamRequest = httpRequest(this.#upstreamOptions(request, lease.port, span));
    const fail = (title: string, message: string): void => {
      if (response.headersSent) response.destroy();
      else
        sendMessage(request, response, 502, title, `${message} Its output is in ${route.logFile}.`);
    };
    upstreamRequest.once('response', (answer) => {
      if (span !== undefined)
        this.tracer?.store.linkToSignIn(span.traceId, [request.url, answer.headers.location]);
      this.#passOn(request, response, answer, route.status()).catch(() =>
        fail('The app gave no valid answer', 'Its answer was cut off, or has no valid status.'),
      );
    });
    upstreamRequest.on('error', () =>
      fail('The app closed the connection', 'The app did not answer this request.'),
    );
    response.once('close', () => upstreamRequest.destroy());
    request.pipe(upstreamRequest);
  }

  /**
   * Passes an answer on, a page that refuses somebody with the reasons.
   *
   * @throws Error for a status that HTTP does not have, and for a page that is not complete.
   */
  async #passOn(
    request: IncomingMessage,
    response: ServerResponse,
    answer: IncomingMessage,
    { name, auth }: AppStatus,
  ): Promise<void> {
    if (this.explain !== undefined && auth && mayBeRefusalPage(request, answer))
      return this.#sendExplained(request, response, answer, name, this.explain);
    answer.once('error', () => response.destroy());
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer));
    answer.pipe(response);
  }

  /** Passes a short page on, with the explanation of the refusal that it shows. */
  async #sendExplained(
    request: IncomingMessage,
    response: ServerResponse,
    answer: IncomingMessage,
    app: string,
    explain: ExplainPage,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const refusalPage = body.toString();
    const status = answer.statusCode ?? 502;
    const explainedPage = await explain({
      app,
      url: request.url ?? '/',
      status,
      page: refusalPage,
    });
    const bytes = explainedPage === refusalPage ? body : Buffer.from(explainedPage);
    const headers = answerHeaders(answer);
    // the answer has a Content-Length: see mayBeRefusalPage
    const nameIndex = headers.findIndex(
      (name, index) => index % 2 === 0 && /^content-length$/i.test(name),
    );
    headers[nameIndex + 1] = String(bytes.length);
    response.writeHead(status, answer.statusMessage, headers);
    response.end(bytes);
  }

  /**
   * Forwards a request to switch to WebSocket to a replica; once the replica accepts it, passes bytes
   * on in both directions. Requests that offer another protocol are served as if they offered none.
   *
   * @param server the server of the connection.
   */
  readonly upgrade = (
    server: Server,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void => {
    if (!offersWebSocket(request) || hasBody(request))
      return serveWithoutUpgrade(server, request, socket, head, socket instanceof TLSSocket);
    socket.on('error', () => socket.destroy());
    this.#upgrade(request, socket, head).catch((error: Error) => socket.destroy(error));
  };

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const lease = await this.#routeOf(request)?.lease();
    if (lease === undefined)
      return void socket.end(
        'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
    socket.once('close', lease.release);
    if (socket.destroyed) return lease.release();
    const options = this.#upstreamOptions(request, lease.port);
    const headers = [
      ...(options.headers as string[]),
      'Connection',
      'Upgrade',
      'Upgrade',
      'websocket',
    ];
    const upstreamRequest = httpRequest({ ...options, headers, agent: false });
    upstreamRequest.once('upgrade', (answer, upstream, upstreamHead) => {
      const lines = headerPairs(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
      socket.write(
        `HTTP/1.1 101 ${answer.statusMessage ?? 'Switching Protocols'}\r\n${lines.join('\r\n')}\r\n\r\n`,
      );
      if (upstreamHead.length > 0) socket.write(upstreamHead);
      if (head.length > 0) upstream.write(head);
      upstream.on('error', () => socket.destroy());
      socket.once('close', () => upstream.destroy());
      upstream.once('close', () => socket.destroy());
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstreamRequest.once('response', (answer) => {
      // The app does not switch: its answer is forwarded, and the connection closed.
      answer.once('error', () => socket.destroy());
      const lines = headerPairs(answerHeaders(answer)).map(([name, value]) => `${name}: ${value}`);
      socket.write(
        `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`,
      );
      answer.pipe(socket);
    });
    upstreamRequest.on('error', () => socket.destroy());
    upstreamRequest.end();
  }

  #routeOf({ headers }: IncomingMessage): Route | undefined {
    return this.apps.route(this.apps.appNameAt(headers.host) ?? '');
  }

  /** Closes the connections to replicas. */
  close(): void {
    this.#agent.destroy();
  }

  #startSpan(request: IncomingMessage, response: ServerResponse): SandboxSpan | undefined {
    const { method = 'GET', url = '/', headers } = request;
    const [path = '/'] = url.split('?', 1);
    const span = this.tracer?.start(
      'ingress',
      `${method} ${path}`,
      {
        'http.request.method': method,
        'url.path': path,
        'server.address': this.apps.appNameAt(headers.host) ?? '',
      },
      headers.traceparent as string | undefined,
    );
    if (span === undefined) return undefined;
    response.once('close', () => span.end(response.statusCode));
    return span;
  }

  #upstreamOptions(request: IncomingMessage, port: number, span?: SandboxSpan): RequestOptions {
    const headers = withoutHopByHop(
      span === undefined ? request.rawHeaders : withoutTraceparent(request.rawHeaders),
    );
    if (span !== undefined) headers.push('traceparent', span.traceparent);
    headers.push(
      'X-Forwarded-For',
      request.socket.remoteAddress ?? '127.0.0.1',
      'X-Forwarded-Proto',
      'https',
      'X-Forwarded-Host',
      request.headers.host ?? '',
    );
    return {
      host: '127.0.0.1',
      port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers,
      agent: this.#agent,
    };
  }
}

/**
 * The name of the app in a Host: `<app>.localhost`, also `<app>.internal.localhost`; undefined if it
 * is not an app's.
 */
export function appNameOfHost(host: string | undefined): string | undefined {
  return /^([a-z0-9-]+)(?:\.internal)?\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase();
}

/** The pages of sign-in layers are shorter. */
const maxPageBytes = 64 * 1024;

/** Whether an answer can be a page of a sign-in layer that refuses a request. */
function mayBeRefusalPage(
  { method }: IncomingMessage,
  { statusCode = 0, headers }: IncomingMessage,
): boolean {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return (
    statusCode >= 400 &&
    method !== 'HEAD' &&
    (headers['content-type'] ?? '').startsWith('text/html') &&
    headers['content-encoding'] === undefined &&
    length > 0 &&
    length <= maxPageBytes
  );
}

/** Headers without that of the client's span, which the ingress replaces by its own. */
function withoutTraceparent(rawHeaders: readonly string[]): string[] {
  return headerPairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== 'traceparent')
    .flat();
}

/**
 * Headers that say whose a message is and where it ends. Where `Connection` names one, it stays:
 * without it, a body would be read as the next request.
 */
const keptHeaders = new Set(['host', 'content-length', 'transfer-encoding']);

/** Headers without those that are not forwarded, and those that `Connection` names. */
function withoutHopByHop(rawHeaders: readonly string[]): string[] {
  const names = new Set(
    headerPairs(rawHeaders)
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  );
  return headerPairs(rawHeaders)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !notForwardedHeaders.has(lower) && (!names.has(lower) || keptHeaders.has(lower));
    })
    .flat();
}

/**
 * The headers of an answer that are passed on. Node has decoded the body: its Transfer-Encoding is
 * that of the app's connection, and a client of HTTP/1.0 would not know it.
 */
function answerHeaders({ rawHeaders }: IncomingMessage): string[] {
  return headerPairs(withoutHopByHop(rawHeaders))
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    .flat();
}

/** Whether a request has a body, which a request to switch to WebSocket has not. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Node's raw headers, in which names and values alternate, as pairs. */
function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] as string, rawHeaders[index + 1] as string]);
  return pairs;
}

function sendUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route | undefined,
): void {
  if (route === undefined)
    return sendMessage(
      request,
      response,
      404,
      'No such app',
      `No app is declared for ${request.headers.host ?? 'this host'}.`,
    );
  const status = route.status();
  if (status.state === 'stopped')
    return sendMessage(
      request,
      response,
      404,
      `${status.name} is stopped`,
      'Start it by the action "start" of the resource manager.',
    );
  const reasons = {
    waiting:
      'It declares sign-in, and its sign-in settings have not arrived yet. It is not served without them.',
    starting: status.auth
      ? 'It and the sign-in layer in front of it are starting.'
      : 'It is starting.',
    failed: `It does not run: ${status.detail ?? `see ${route.logFile}`}`,
    running: 'It is starting.',
    idle: 'It is starting.',
  };
  response.setHeader('retry-after', '2');
  // The browser reloads until the app is running.
  response.setHeader('refresh', '2');
  sendMessage(request, response, 503, `${status.name} is not ready`, reasons[status.state]);
}

function sendMessage(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  title: string,
  message: string,
): void {
  request.resume();
  const wantsPage = (request.headers.accept ?? '').includes('text/html');
  response.writeHead(code, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-store',
  });
  if (request.method === 'HEAD') return void response.end();
  response.end(
    wantsPage
      ? page(
          title,
          html`<h1>${title}</h1>
            <p>${message}</p>`,
        )
      : `${JSON.stringify({ error: { code, message: `${title}. ${message}` } })}\n`,
  );
}
