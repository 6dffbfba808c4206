import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { say, words } from '../../../core/dialect/dialect.js';
import type { Caller } from '../../common/caller.js';
import type { TokenRefusal } from '../../common/token-verifier.js';
import type { ItemsRuntime } from '../runtime.js';
import type { Answer, Handler } from './call.js';
import { Problem } from './problem.js';

/** An operation of the service. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/v1`, with `:parameters`. */
  readonly path: string;
  readonly handler: Handler;
}

const refusalCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'TokenIsMissing',
  malformed: 'InvalidToken',
  expired: 'TokenExpired',
  invalid: 'InvalidToken',
  audience: 'InvalidToken',
};

/** The audience of the cloud's tokens for this service. */
const cloudAudience = 'https://api.fabric.microsoft.com';

/** Adds the routes to a scope: every request gets an id, is authenticated before anything else is looked at, then throttled. */
export function addRoutes(scope: FastifyInstance, runtime: ItemsRuntime, routes: readonly Route[]): void {
  keepBodiesRaw(scope);
  scope.addHook('onRequest', (request, reply, done) => {
    const requestId = randomUUID();
    requestIds.set(request, requestId);
    reply.header('requestId', requestId).header(say(words.requestIdHeader, runtime.dialect), requestId);
    done();
  });
  for (const { method, path, handler } of routes)
    scope.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const caller = await authenticate(runtime, request);
        throttle(runtime, caller, `${method} ${path}`);
        await runtime.operations.settleDue();
        return send(reply, await handler(callOf(runtime, caller, request, reply)));
      },
    });
  scope.setNotFoundHandler(async (request) => {
    await authenticate(runtime, request);
    throw new Problem('EndpointNotFound', `The requested endpoint ${request.method} ${pathOf(request.url)} is not known.`);
  });
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const problem = problemOf(error, request);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    if (problem.options.retryAfter !== undefined) reply.header('retry-after', String(problem.options.retryAfter));
    return reply.code(problem.status).send(problem.body(requestIdOf(request)));
  });
}

/** A body must not be looked at before the caller has been: handlers parse it when they get there. */
function keepBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/(.+\+)?json/, /^text\//, 'application/x-www-form-urlencoded', '*'])
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

const requestIds = new WeakMap<FastifyRequest, string>();

function requestIdOf(request: FastifyRequest): string {
  return requestIds.get(request) ?? randomUUID();
}

async function authenticate(runtime: ItemsRuntime, request: FastifyRequest): Promise<Caller> {
  const verification = await runtime.tokens.verify(request.headers.authorization, [originOf(request), cloudAudience]);
  if ('caller' in verification) return verification.caller;
  throw new Problem(refusalCodes[verification.refused], verification.reason, { isRetriable: false });
}

function throttle(runtime: ItemsRuntime, caller: Caller, operation: string): void {
  const seconds = runtime.throttle.take(`${caller.tenantId}/${caller.objectId}/${caller.applicationId ?? ''}`, operation);
  if (seconds === undefined) return;
  const message = `Too many requests: wait ${seconds} seconds before sending more.`;
  throw new Problem('TooManyRequests', message, { isRetriable: true, retryAfter: seconds });
}

function callOf(runtime: ItemsRuntime, caller: Caller, request: FastifyRequest, reply: FastifyReply): Parameters<Handler>[0] {
  const params = Object.fromEntries(
    Object.entries(request.params as Record<string, string>).map(([name, value]) => [name, value.toLowerCase()]),
  );
  return {
    runtime,
    caller,
    requestId: requestIdOf(request),
    origin: originOf(request),
    path: pathOf(request.url),
    params,
    query: new URL(request.url, 'http://host').searchParams,
    request,
    reply,
  };
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? request.hostname}`;
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
  return answer.body === undefined ? reply.send() : reply.send(answer.body);
}

function problemOf(error: Error & { statusCode?: number }, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error.statusCode === 413) return new Problem('InvalidPayloadSize', 'The request body is too large.');
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Problem('BadRequest', error.message, { status: error.statusCode });
  request.log.error({ err: error, path: pathOf(request.url) }, 'the request failed');
  return new Problem('InternalServerError', 'The request failed unexpectedly.');
}
