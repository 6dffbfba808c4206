import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { contentSecurityPolicy, html, page } from '../html.js';
import type { ExplainPage } from '../explanation/refusal-explanation.js';
import type { SandboxSpan, SandboxTracer } from '../tracing/tracer.js';
import type { AppStatus } from '../hosting/app-status.js';

/** The target of an app's requests. */
export interface Route {
  /**
   * A replica for one request, until it is released; undefined when the app must not be served now.
   */
  lease(): Promise<{ readonly port: number; release(): void } | undefined>;
  status(): AppStatus;
}

/** The apps behind the ingress. */
export interface Routes {
  /** The app in a Host; undefined if it is not an app's. */
  appAt(host: string | undefined): string | undefined;
  /** The target of requests to an app. */
  route(app: string): Route | undefined;
}

/**
 * Headers of a single connection, and those in which a proxy reports what it saw: only the ingress
 * itself may set these.
 */
const notForwarded = new Set([
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
    private readonly apps: Routes,
    private readonly explain?: ExplainPage,
    private readonly tracer?: SandboxTracer,
  ) {}

  /** Answers a request to an app. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    void this.#handle(request, response);
  };

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = this.#routeOf(request);
    const lease = await route?.lease();
    if (lease === undefined) return unavailable(request, response, route?.status());
    response.once('close', lease.release);
    if (response.destroyed) return lease.release();
    const span = this.#startSpan(request, response);
    const onward = httpRequest(this.#options(request, lease.port, span));
    onward.once('response', (answer) => {
      answer.once('error', () => response.destroy());
      if (span !== undefined)
        this.tracer?.store.link(span.traceId, [request.url, answer.headers.location]);
      const status = route?.status();
      if (this.explain !== undefined && status?.auth === true && mayBePageOfLayer(request, answer))
        return void this.#explained(request, response, answer, status.name, this.explain);
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        withoutHopByHop(answer.rawHeaders),
      );
      answer.pipe(response);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else
        sendMessage(
          request,
          response,
          502,
          'The app broke off',
          'The app did not answer this request. Its output is in .castellan/sandbox.log.',
        );
    });
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  }

  /** Passes a short page on, with what is said about it. */
  async #explained(
    request: IncomingMessage,
    response: ServerResponse,
    answer: IncomingMessage,
    app: string,
    explain: ExplainPage,
  ): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const page = body.toString();
    const status = answer.statusCode ?? 502;
    const explained = await explain({ app, url: request.url ?? '/', status, page });
    const bytes = explained === page ? body : Buffer.from(explained);
    const headers = withoutHopByHop(answer.rawHeaders);
    const at = headers.findIndex(
      (name, index) => index % 2 === 0 && /^content-length$/i.test(name),
    );
    headers[at + 1] = String(bytes.length);
    response.writeHead(status, answer.statusMessage, headers);
    response.end(bytes);
  }

  /** Forwards a WebSocket (or any other upgrade) to a replica, byte for byte once it agrees. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    void this.#upgrade(request, socket, head);
  };

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const lease = await this.#routeOf(request)?.lease();
    if (lease === undefined)
      return void socket.end(
        'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
    socket.once('close', lease.release);
    if (socket.destroyed) return lease.release();
    const options = this.#options(request, lease.port);
    const headers = [
      ...(options.headers as string[]),
      'Connection',
      'Upgrade',
      'Upgrade',
      request.headers.upgrade ?? '',
    ];
    const onward = httpRequest({ ...options, headers, agent: false });
    onward.once('upgrade', (answer, upstream, upstreamHead) => {
      const lines = pairs(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
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
    onward.once('response', (answer) => {
      // Refused: forwards the answer unchanged, and closes the connection.
      const lines = pairs(withoutHopByHop(answer.rawHeaders)).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write(
        `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`,
      );
      answer.pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    onward.end();
  }

  #routeOf({ headers }: IncomingMessage): Route | undefined {
    return this.apps.route(this.apps.appAt(headers.host) ?? '');
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
        'server.address': this.apps.appAt(headers.host) ?? '',
      },
      headers.traceparent as string | undefined,
    );
    if (span === undefined) return undefined;
    response.once('close', () => span.end(response.statusCode));
    return span;
  }

  #options(request: IncomingMessage, port: number, span?: SandboxSpan): RequestOptions {
    const headers = withoutHopByHop(
      span === undefined ? request.rawHeaders : withoutTrace(request.rawHeaders),
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
 * The app in a Host: `<app>.localhost`, also `<app>.internal.localhost`; undefined if it is not an
 * app's.
 */
export function appOfHost(host: string | undefined): string | undefined {
  return /^([a-z0-9-]+)(?:\.internal)?\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase();
}

/** In bytes: pages of sign-in layers are shorter. */
const maxPageBytes = 64 * 1024;

/** Whether an answer can be a page of a sign-in layer that refuses a request. */
function mayBePageOfLayer(
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

/** Without the context of the client's span: the ingress's takes its place. */
function withoutTrace(raw: readonly string[]): string[] {
  return pairs(raw)
    .filter(([name]) => name.toLowerCase() !== 'traceparent')
    .flat();
}

function withoutHopByHop(raw: readonly string[]): string[] {
  const names = new Set(
    pairs(raw)
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  );
  return pairs(raw)
    .filter(([name]) => !notForwarded.has(name.toLowerCase()) && !names.has(name.toLowerCase()))
    .flat();
}

function pairs(raw: readonly string[]): [string, string][] {
  const entries: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    entries.push([raw[at] as string, raw[at + 1] as string]);
  return entries;
}

function unavailable(
  request: IncomingMessage,
  response: ServerResponse,
  status: AppStatus | undefined,
): void {
  if (status === undefined)
    return sendMessage(
      request,
      response,
      404,
      'No such app',
      `No app is declared for ${request.headers.host ?? 'this host'}.`,
    );
  if (status.state === 'stopped')
    return sendMessage(
      request,
      response,
      404,
      `${status.name} is stopped`,
      'It is started by the action start of the resource manager.',
    );
  const reasons = {
    waiting:
      'It declares sign-in, and its sign-in settings have not arrived yet. It is not served without them.',
    starting: status.auth
      ? 'It and the sign-in layer in front of it are starting.'
      : 'It is starting.',
    failed: `It does not run: ${status.detail ?? 'see .castellan/sandbox.log'}`,
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
