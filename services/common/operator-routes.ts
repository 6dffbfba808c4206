import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Database } from './database.js';
import { openApiDocument } from './openapi-document.js';
import type { Service } from './service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation that answers, once known: labels of the metrics. `path` names parameters. */
    operation?: { readonly service: string; readonly path: string };
  }
}

/** The paths of {@link addOperatorRoutes}. */
export const operatorPaths = ['/healthz', '/readyz', '/metrics', '/openapi.json'] as const;

/**
 * Adds the operator endpoints, without authentication: `/healthz` (the process answers), `/readyz`
 * (200 while requests are accepted and the database answers, otherwise 503), `/metrics`
 * (Prometheus) and `/openapi.json` (OpenAPI 3.1 of the served operations).
 */
export function addOperatorRoutes(
  app: FastifyInstance,
  services: readonly Service[],
  database: Database,
): void {
  const metrics = collectRequestMetrics(app);
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = !isClosing && (await isReachable(database));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
  app.get('/openapi.json', (request) =>
    openApiDocument(services, `${request.protocol}://${request.host}`),
  );
}

/** Counts and times the requests of all services. */
function collectRequestMetrics(app: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'castellan_requests_total',
    help: 'Requests by service, operation, method and status.',
    labelNames: ['service', 'operation', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'castellan_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['service'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { service = 'none', path: operation = 'none' } = request.operation ?? {};
    requests.inc({ service, operation, method: request.method, status: reply.statusCode });
    durations.observe({ service }, reply.elapsedTime / 1000);
    done();
  });
  return registry;
}

async function isReachable({ connection }: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(connection);
    return true;
  } catch {
    return false; // the answer is 503
  }
}
