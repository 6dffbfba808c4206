import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { addTolerantParsers } from './body-parsers.js';
import { pathOf } from './call.js';
import type { Service } from './service.js';

/** Settings of {@link createHttpServer}. */
export interface HttpServerOptions {
  /** Certificate and key in PEM; without them the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Where request lines and failures are logged. @default silent */
  readonly logger?: FastifyBaseLogger;
  /** Makes the node server itself, for those who answer some requests before fastify sees them (the sandbox's ingress). */
  readonly serverFactory?: FastifyServerOptions['serverFactory'];
  /** The largest request body, in bytes. @default 32 MB */
  readonly bodyLimit?: number;
}

const megabyte = 1024 * 1024;

/**
 * The HTTP server that services are mounted on, by `castellan serve`, by the sandbox and in tests: path segments in any letter case,
 * long path parameters, bodies of any content type, HEAD for every GET, no query strings in the log. A path that isn't percent-encoded
 * correctly reaches its service, which answers in its own error shape; `request.originalUrl` is what was sent.
 */
export function createHttpServer(options: HttpServerOptions = {}): FastifyInstance {
  const app = Fastify({
    ...(options.tls === undefined ? {} : { https: { cert: options.tls.cert, key: options.tls.key } }),
    ...(options.serverFactory === undefined ? {} : { serverFactory: options.serverFactory }),
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    bodyLimit: options.bodyLimit ?? 32 * megabyte,
    // A retried request must not find a half-closed connection: keep-alive ends well after the clients' own limits.
    keepAliveTimeout: 75_000,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // What arrives on a connection while the server closes is answered by its service, and the connection ends with that answer.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4096 },
  } as FastifyServerOptions);
  addTolerantParsers(app);
  if (isVerbose(options.logger))
    app.addHook('onResponse', (request, reply, done) => {
      request.log.debug({ method: request.method, path: pathOf(request.url), status: reply.statusCode, ms: Math.round(reply.elapsedTime) });
      done();
    });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: { code: 'NotFound', message: `No service is served at ${request.method} ${pathOf(request.url)}.` } }),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error, path: pathOf(request.url) }, 'the request failed');
    const message = status >= 500 ? 'The request failed unexpectedly.' : error.message;
    return reply.code(status).send({ error: { code: status >= 500 ? 'InternalServerError' : 'BadRequest', message } });
  });
  return app;
}

/** Replaces fastify's schema compilers, which take a fifth of its loading time: no route here has a schema. */
function noSchemas(): never {
  throw new Error('routes of services have no schemas');
}

/** Adds a service to a server: each of its prefixes becomes an encapsulated scope with the service's own handlers. */
export function mountService(app: FastifyInstance, service: Service): void {
  for (const prefix of service.prefixes) app.register(async (scope) => service.register(scope, prefix), { prefix });
}

/** Closes a server: requests under way are answered, until their time is over. */
export async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  await app.close();
  clearTimeout(late);
}

/** Whether request lines come out at all: each request would otherwise be measured and described for nothing. */
function isVerbose(logger: FastifyBaseLogger | undefined): boolean {
  return logger !== undefined && !['info', 'warn', 'error', 'fatal', 'silent'].includes(logger.level);
}

/**
 * The router would answer a path that it can't decode by itself, in its own shape: such a path is encoded once more. Slashes at its
 * beginning are one: the cloud's SDKs put a scope that begins with a slash behind another.
 */
function routableUrl(target: string): string {
  const url = target.replace(/^\/{2,}/, '/');
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length); // the service sees it as it was sent, and refuses it
  }
}
