import { splitQuery } from '../../../core/text/split-query.js';
import { timingSafeEqual, hash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isLoopback } from '../../../core/values/loopback.js';
import { errorFields, type Log } from './log.js';
import { renderMetrics, type MetricsSnapshot } from './metrics.js';
import { type ListenAddress, parseListen, reachableUrl } from './options.js';
import type { Readiness } from './readiness.js';
import type { SessionsAnswer, SessionsRequest } from './administer-sessions.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The sources of what the admin port answers. */
export interface AdminSource {
  readiness(): Promise<Readiness>;
  /** The metrics of each process that answers. */
  snapshots(): Promise<readonly MetricsSnapshot[]>;
  /** Lists or ends sessions. */
  administerSessions(request: SessionsRequest): Promise<SessionsAnswer>;
  /** Where failed requests are logged. */
  readonly log: Pick<Log, 'error'>;
}

/** The port for the operator: `/healthz`, `/readyz`, `/metrics`, `/admin/sessions`. */
export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The environment variable of the bearer token for `/admin`. */
export const adminTokenVariable = 'CASTELLAN_SIDECAR_ADMIN_TOKEN';

/**
 * Starts the admin port.
 *
 * @param token the bearer token that `/admin` requires. @default none: `/admin` answers on loopback
 *   only
 * @throws CAS6006 when it can't listen
 */
export async function startAdmin(
  listen: string,
  source: AdminSource,
  token?: string,
): Promise<AdminServer> {
  const address = parseListen(listen, '--admin-listen');
  const server = http.createServer(
    { headersTimeout: 5000, requestTimeout: 10_000 },
    (request, response) => {
      answer(request, source, adminPermission(request, address, token)).then(
        (adminAnswer) => send(request, response, adminAnswer),
        (error: unknown) => {
          if (response.destroyed) return; // the client has gone
          const [path] = splitQuery(request.url ?? '');
          source.log.error('a request to the admin port failed', { path, ...errorFields(error) });
          const body = { code: 500, message: 'The request failed unexpectedly.' };
          send(request, response, jsonAnswer(500, body));
        },
      );
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new CastellanError('CAS6006', `${listen}: ${cause.code ?? cause.message}`, { cause })),
    );
    server.listen({ port: address.port, ...omitUndefined({ host: address.host }) }, () =>
      resolve(),
    );
  });
  return {
    url: reachableUrl(address, (server.address() as AddressInfo).port, false),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface AdminAnswer {
  readonly status: number;
  readonly text: string;
  /** `Content-Type`. @default plain text */
  readonly type?: string;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8' }: AdminAnswer,
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...(!request.complete && { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function jsonAnswer(status: number, body: unknown): AdminAnswer {
  return { status, text: `${JSON.stringify(body)}\n`, type: 'application/json; charset=utf-8' };
}

async function answer(
  request: IncomingMessage,
  source: AdminSource,
  permission: Permission,
): Promise<AdminAnswer> {
  const [path, query] = splitQuery(request.url ?? '');
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/admin/sessions' || path === '/admin/sessions/end') {
    const isEnd = path.endsWith('/end');
    if (isEnd ? request.method !== 'POST' : !isGet)
      return jsonAnswer(405, { code: 405, message: `only ${isEnd ? 'POST' : 'GET'}` });
    if (permission !== 'granted') return jsonAnswer(permission.code, permission);
    const parameters = isEnd
      ? await readJson(request)
      : Object.fromEntries(new URLSearchParams(query));
    if (parameters === undefined)
      return jsonAnswer(400, { code: 400, message: 'The body must be JSON (application/json).' });
    const client = request.socket.remoteAddress ?? '';
    const { status, body } = await source.administerSessions({
      action: isEnd ? 'end' : 'list',
      parameters,
      client,
    });
    return jsonAnswer(status, body);
  }
  if (!isGet) return { status: 405, text: 'only GET\n' };
  switch (path) {
    case '/healthz':
      return { status: 200, text: 'ok\n' };
    case '/readyz': {
      const readiness = await source.readiness();
      return jsonAnswer(readiness.status === 'ready' ? 200 : 503, readiness);
    }
    case '/metrics': {
      const text = await renderMetrics(await source.snapshots());
      const type = 'text/plain; version=0.0.4; charset=utf-8';
      return { status: 200, text: text + processMetrics(), type };
    }
    default:
      return { status: 404, text: 'not found\n' };
  }
}

type Permission = 'granted' | { readonly code: 401 | 403; readonly message: string };

/**
 * Whether a request may list and end sessions: with the bearer token, or if none is configured, by a
 * loopback name on a port that is bound to loopback. A web page never may, not even if its host name
 * resolves to this address (DNS rebinding): that is why `Host` and the headers of browsers are checked.
 */
function adminPermission(
  { headers }: IncomingMessage,
  { host }: ListenAddress,
  token: string | undefined,
): Permission {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return { code: 403, message: 'Pages of a browser may not do this.' };
  if (token === undefined) {
    const hostName = (headers.host ?? '').replace(/:\d+$/, '');
    return host !== undefined && isLoopback(host) && isLoopback(hostName)
      ? 'granted'
      : {
          code: 403,
          message: `Set ${adminTokenVariable}, or bind --admin-listen to 127.0.0.1 and use that address.`,
        };
  }
  const requestToken = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(requestToken), digest(token))
    ? 'granted'
    : { code: 401, message: `The bearer token of ${adminTokenVariable} is required.` };
}

const maxBodyBytes = 64 * 1024;

/** The JSON of a body; undefined if it is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBodyBytes) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as unknown;
  } catch {
    return undefined; // not JSON
  }
}

function processMetrics(): string {
  const { user, system } = process.cpuUsage();
  return [
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# TYPE process_start_time_seconds gauge',
    `process_start_time_seconds ${Math.floor(Date.now() / 1000 - process.uptime())}`,
    '',
  ].join('\n');
}
