import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { exposition, type MetricsSnapshot } from './metrics.js';
import { parseListen, reachableUrl } from './options.js';
import type { Readiness } from './readiness.js';

/** What the admin port shows. */
export interface AdminSource {
  readiness(): Promise<Readiness>;
  snapshots(): Promise<readonly MetricsSnapshot[]>;
}

/** The port for the operator: `/healthz`, `/readyz`, `/metrics`. */
export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws CAS6006 when it can't listen */
export async function startAdmin(listen: string, source: AdminSource): Promise<AdminServer> {
  const address = parseListen(listen, '--admin-listen');
  const server = http.createServer(
    { headersTimeout: 5000, requestTimeout: 10_000 },
    (request, response) => {
      const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
        response.writeHead(status, {
          'Content-Type': type,
          'Content-Length': Buffer.byteLength(text),
          'Cache-Control': 'no-store',
        });
        response.end(request.method === 'HEAD' ? undefined : text);
      };
      const path = (request.url ?? '').split('?')[0];
      if (request.method !== 'GET' && request.method !== 'HEAD') send(405, 'only GET\n');
      else if (path === '/healthz') send(200, 'ok\n');
      else if (path === '/readyz')
        void source
          .readiness()
          .then((readiness) =>
            send(
              readiness.status === 'ready' ? 200 : 503,
              `${JSON.stringify(readiness)}\n`,
              'application/json; charset=utf-8',
            ),
          );
      else if (path === '/metrics')
        void source
          .snapshots()
          .then(exposition)
          .then((text) =>
            send(200, text + processMetrics(), 'text/plain; version=0.0.4; charset=utf-8'),
          );
      else send(404, 'not found\n');
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new CastellanError('CAS6006', `${listen}: ${cause.code ?? cause.message}`, { cause })),
    );
    server.listen(
      { port: address.port, ...(address.host === undefined ? {} : { host: address.host }) },
      () => resolve(),
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
