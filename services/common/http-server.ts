import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { addTolerantParsers } from './body-parsers.js';
import { pathOf } from './call.js';
import { failureMessage } from './failure-message.js';
import type { Service } from './service.js';

/** Settings of {@link createHttpServer}. */
export interface HttpServerOptions {
  /** Certificate and key in PEM; without them the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Where request lines and failures are logged. @default silent */
  readonly logger?: FastifyBaseLogger;
  /**
   * Creates the node server, for callers that answer some requests before fastify (the sandbox's
   * ingress).
   */
  readonly serverFactory?: FastifyServerOptions['serverFactory'];
  /** The largest request body, in bytes. @default 32 MB */
  readonly bodyLimit?: number;
}

const megabyte = 1024 * 1024;

/**
 * The HTTP server for services, used by `castellan serve`, the sandbox and tests: path segments in
 * any letter case, long path parameters, bodies of any content type, no query strings in the log.
 * HEAD is answered for every route of GET; a service that finds its operations itself decides: the
 * directory answers 405, the resource manager as it answers GET. A path with invalid
 * percent-encoding reaches its service, which answers in its own error shape;
 * `request.originalUrl` is the path as sent.
 */
export function createHttpServer(options: HttpServerOptions = {}): FastifyInstance {
  const app = Fastify({
    ...httpsOptionsOf(options.tls),
    ...omitUndefined({ serverFactory: options.serverFactory }),
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    bodyLimit: options.bodyLimit ?? 32 * megabyte,
    // A retried request must not meet a half-closed connection: keep-alive ends well after the
    // clients' own limits.
    keepAliveTimeout: 75_000,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // A request that arrives while the server closes is answered by its service, and ends the
    // connection.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4096 },
  } as FastifyServerOptions);
  addTolerantParsers(app);
  if (isVerbose(options.logger))
    app.addHook('onResponse', (request, reply, done) => {
      request.log.debug({
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      });
      done();
    });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: {
        code: 'NotFound',
        message: `No service is served at ${request.method} ${pathOf(request.url)}.`,
      },
    }),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500)
      request.log.error({ err: error, path: pathOf(request.url) }, 'the request failed');
    const message = status >= 500 ? failureMessage(error) : error.message;
    return reply
      .code(status)
      .send({ error: { code: status >= 500 ? 'InternalServerError' : 'BadRequest', message } });
  });
  return app;
}

/** Leaves fastify's schema compilers unloaded: no route here has a schema. */
function noSchemas(): never {
  throw new Error('routes of services have no schemas');
}

/**
 * Adds a service to a server: each prefix becomes an encapsulated scope with the service's own
 * handlers.
 */
export function mountService(app: FastifyInstance, service: Service): void {
  for (const prefix of service.prefixes)
    app.register(async (scope) => service.register(scope, prefix), { prefix });
}

/** Closes a server: running requests are answered until the timeout. */
export async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
}

/** The options of a server over HTTPS, whose type Fastify derives from them. */
function httpsOptionsOf(tls: HttpServerOptions['tls']) {
  return tls === undefined ? {} : { https: { cert: tls.cert, key: tls.key } };
}

/** Whether request lines are logged: otherwise no request is measured and described. */
function isVerbose(logger: FastifyBaseLogger | undefined): boolean {
  return (
    logger !== undefined && !['info', 'warn', 'error', 'fatal', 'silent'].includes(logger.level)
  );
}

/**
 * The router would answer an undecodable path itself, in its own shape: such a path is encoded once
 * more. Several slashes at the start become one: the cloud's SDKs put a slash before a scope that
 * starts with one.
 */
function routableUrl(target: string): string {
  const url = target.replace(/^\/{2,}/, '/');
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  if (!path.includes('%')) return url;
  // The service sees the path as sent, and refuses it
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

/** Whether the percent-encoding of a text that is not empty is valid. */
function isDecodable(text: string): boolean {
  try {
    // compared, because the bundler removes a call whose result nothing uses
    return decodeURIComponent(text).length > 0;
  } catch {
    return false;
  }
}
