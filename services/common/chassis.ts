import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isLoopback } from '../../core/values/loopback.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decompressBody } from './body-parsers.js';
import { type Answer, Call, type Operation, pathOf } from './call.js';
import type {} from './operator-routes.js'; // declares `operation` of a request
import type { Clock } from './clock.js';
import { failureMessage } from './failure-message.js';
import { type UnservedFeature, notServedMessage } from './not-served.js';
import type { Service, ServiceDescription } from './service.js';
import { type ToServiceError, RefusedRequest, ServiceError } from './service-error.js';
import type { TokenVerifier } from './token-verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request ids in the answer. */
    ids?: RequestIds;
  }
}

/** A service's operations and the conventions of its interface. */
export type ChassisOptions<Runtime> = CommonOptions<Runtime> &
  (
    | {
        /** The chassis finds them by method and path. */
        readonly operations: readonly Operation<Runtime>[];
        readonly find?: undefined;
      }
    | {
        /** All operations, for the OpenAPI document. */
        readonly operations: ServiceDescription['operations'];
        /**
         * Finds the operation of a request, for paths with their own syntax; undefined: 404.
         * @throws ServiceError 404 or 405.
         */
        readonly find: (call: Call<Runtime>) => FoundOperation<Runtime> | undefined;
      }
  );

interface CommonOptions<Runtime> {
  /** The service's name in metrics and in the OpenAPI document: `billing`. */
  readonly name: string;
  /** Of its paths, such as `/v1`. */
  readonly prefixes: readonly string[];
  /**
   * More prefixes, whose addresses the OpenAPI document does not list: other spellings of some
   * operations.
   */
  readonly aliases?: readonly string[];
  /** The service's own context, which each call has. */
  readonly runtime: Runtime;
  readonly tokenVerifier: TokenVerifier;
  readonly clock: Clock;
  /** The accepted audiences of tokens, besides the service's own origin. */
  readonly audiences: readonly string[];
  /** Headers of every answer: the request ids under the dialect's names. */
  readonly headers: (
    ids: RequestIds,
    received: IncomingHttpHeaders,
  ) => Readonly<Record<string, string>>;
  /** Gives a refusal of the chassis the shape of the service's errors. */
  readonly toServiceError: ToServiceError;
  /** The JSON Schema of an error answer, for the OpenAPI document. */
  readonly errorSchema: object;
  /**
   * @returns the seconds to wait, or undefined if the request may pass.
   * @default every request passes
   */
  readonly throttle?: (
    call: Call<Runtime>,
    operation: Operation<Runtime>,
  ) => Promise<number | undefined> | number | undefined;
  /**
   * Runs between the throttle and the operation.
   *
   * @throws ServiceError for a caller who may not use the service at all.
   */
  readonly before?: (call: Call<Runtime>) => Promise<void> | void;
  /** Features of the cloud that are answered with 501 and an alternative. @default none: 404 */
  readonly notServed?: readonly UnservedFeature[];
  /** @default application/json; charset=utf-8 */
  readonly jsonType?: string;
  /** Compares ids in paths in lower case. @default parameters keep their spelling */
  readonly lowerCaseParameters?: true;
  /** The largest request body, in bytes. @default the server's */
  readonly bodyLimit?: number;
}

/** The request ids in every answer. */
export interface RequestIds {
  readonly requestId: string;
  /** The client's own id (`client-request-id`), or the request's if none was sent. */
  readonly clientRequestId: string;
}

/** The operation that a request calls, and the call with the parameters of its path. */
export interface FoundOperation<Runtime> {
  readonly operation: Operation<Runtime>;
  readonly call: Call<Runtime>;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const noBytes = Buffer.alloc(0);

/**
 * Processes every request of a service: ids, authentication (401), the operation (404, 405), the
 * throttle (429), the service's own check (403), the operation, and every exception in the
 * service's error shape.
 */
export class Chassis<Runtime> implements Pick<Service, 'prefixes' | 'register' | 'description'> {
  readonly prefixes: readonly string[];

  constructor(private readonly options: ChassisOptions<Runtime>) {
    this.prefixes = [...options.prefixes, ...(options.aliases ?? [])];
  }

  /** The operations, for the OpenAPI document. */
  get description(): NonNullable<Service['description']> {
    const { name, prefixes, operations, errorSchema } = this.options;
    return { name, prefixes, operations, errorSchema };
  }

  /** Adds the service to a scope of the HTTP server. */
  register(scope: FastifyInstance, prefix: string): void {
    const { bodyLimit, find, operations, headers } = this.options;
    scope.removeAllContentTypeParsers();
    const parser = {
      parseAs: 'buffer' as const,
      ...omitUndefined({ bodyLimit }),
    };
    const largestBody = bodyLimit ?? scope.initialConfig.bodyLimit ?? Number.MAX_SAFE_INTEGER;
    scope.addContentTypeParser<Buffer>('*', parser, (request, body, done) =>
      decompressBody(request, body, largestBody, done),
    );
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(headers(idsOf(request), request.headers));
      done();
    });
    const respond = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      this.#respond(request, reply, prefix);
    if (find === undefined)
      for (const operation of operations)
        scope.route({
          method: operation.method,
          url: operation.path,
          handler: (...requestAndReply) => this.#respond(...requestAndReply, prefix, operation),
        });
    else
      for (const url of ['/', '/*'])
        scope.route({ method: methods, url, exposeHeadRoute: false, handler: respond });
    scope.setNotFoundHandler(respond);
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
      this.#fail(error, request, reply),
    );
  }

  /**
   * Answers an authenticated call: the part of the processing that also applies to each request of
   * a batch.
   */
  async perform({ operation, call }: FoundOperation<Runtime>): Promise<Answer> {
    const { throttle, before, toServiceError: refuse } = this.options;
    const seconds = await throttle?.(call, operation);
    if (seconds !== undefined) {
      const message = `Too many requests: wait ${seconds} seconds before sending more.`;
      throw refuse({
        kind: 'throttled',
        status: 429,
        message,
        headers: { 'retry-after': String(seconds) },
      });
    }
    await before?.(call);
    return operation.handler(call);
  }

  /** The answer to an error, in the service's shape. */
  errorAnswer(error: unknown, ids: RequestIds): Answer & { readonly body: object } {
    const serviceError = this.#asServiceError(error as Error & { statusCode?: number });
    const { status, headers } = serviceError;
    return {
      status,
      headers,
      body: serviceError.toBody({ ...ids, now: this.options.clock.now() }),
    };
  }

  async #respond(
    request: FastifyRequest,
    reply: FastifyReply,
    prefix: string,
    route?: Operation<Runtime>,
  ): Promise<FastifyReply> {
    const call = await this.#authenticate(request, prefix);
    const match = route === undefined ? this.#find(call) : { operation: route, call };
    request.operation = { service: this.options.name, path: match.operation.path };
    return this.#send(reply, await this.perform(match));
  }

  async #authenticate(request: FastifyRequest, prefix: string): Promise<Call<Runtime>> {
    const { runtime, tokenVerifier, audiences, toServiceError: refuse } = this.options;
    const origin = `${request.protocol}://${request.headers.host ?? request.host}`;
    const ownAudiences = isThisMachine(request) ? [origin] : [];
    const verification = await tokenVerifier.verify(request.headers.authorization, [
      ...ownAudiences,
      ...audiences,
    ]);
    if ('refusal' in verification) {
      const { refusal: tokenRefusal, reason: message } = verification;
      throw refuse({
        kind: 'unauthenticated',
        tokenRefusal,
        origin,
        status: 401,
        message,
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const { method, originalUrl: url, headers } = request;
    const { requestId, clientRequestId } = idsOf(request);
    const body = Buffer.isBuffer(request.body) ? request.body : noBytes;
    const received = { method, origin, prefix, url, headers, requestId, clientRequestId, body };
    return new Call(runtime, verification.caller, received, this.#parametersOf(request));
  }

  #parametersOf(request: FastifyRequest): Readonly<Record<string, string>> {
    const params = request.params as Record<string, string>;
    if (this.options.lowerCaseParameters !== true) return params;
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, value.toLowerCase()]),
    );
  }

  #find(call: Call<Runtime>): FoundOperation<Runtime> {
    return this.findServedOperation(call, () => {
      const match = this.options.find?.(call);
      if (match !== undefined) return match;
      const { method, path } = call;
      throw this.options.toServiceError({
        kind: 'unknownPath',
        path,
        status: 404,
        message: `There is no operation ${method} ${path}.`,
      });
    });
  }

  /** @throws ServiceError 501 where `find` throws for what only the cloud has. */
  findServedOperation(
    call: Call<Runtime>,
    find: () => FoundOperation<Runtime>,
  ): FoundOperation<Runtime> {
    try {
      return find();
    } catch (error) {
      const unservedFeature =
        error instanceof ServiceError && [400, 404, 405].includes(error.status)
          ? this.#unservedFeatureOf(call)
          : undefined;
      if (unservedFeature === undefined) throw error;
      throw this.options.toServiceError({
        kind: 'notServed',
        status: 501,
        message: notServedMessage(unservedFeature),
      });
    }
  }

  #unservedFeatureOf({ path, received: { prefix } }: Call<Runtime>): UnservedFeature | undefined {
    const start = path.toLowerCase().indexOf(prefix.toLowerCase()) + prefix.length;
    return this.options.notServed?.find(({ pathPattern }) => pathPattern.test(path.slice(start)));
  }

  #send(reply: FastifyReply, { status, body, contentType, headers = {} }: Answer): FastifyReply {
    reply.code(status).headers(headers);
    if (body === undefined) return reply.send();
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const jsonType = this.options.jsonType ?? 'application/json; charset=utf-8';
    return reply
      .type(contentType ?? (isText ? 'text/plain' : jsonType))
      .send(isText ? body : JSON.stringify(body));
  }

  #fail(
    error: Error & { statusCode?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const answer = this.errorAnswer(error, idsOf(request));
    // a feature that is not served (501) is no failure
    if (answer.status >= 500 && answer.status !== 501)
      request.log.error(
        { err: error, path: pathOf(request.url), ...idsOf(request) },
        'the request failed',
      );
    return this.#send(reply, answer);
  }

  #asServiceError(error: Error & { statusCode?: number }): ServiceError {
    if (error instanceof ServiceError) return error;
    if (error instanceof RefusedRequest) return this.options.toServiceError(error.refusal);
    const { statusCode: status = 500, message } = error;
    if (status >= 400 && status < 500)
      return this.options.toServiceError({ kind: 'unreadable', status, message });
    return this.options.toServiceError({
      kind: 'failed',
      status: 500,
      message: failureMessage(error),
    });
  }
}

/**
 * Whether the host in a request is this machine: a loopback name, its own name or the called
 * address. Any other name could be that of a service to which someone forwards tokens.
 */
function isThisMachine({ headers, hostname: host, socket }: FastifyRequest): boolean {
  if (headers.host === undefined) return false;
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? '';
  return (
    isLoopback(host) ||
    [hostname().toLowerCase(), address, `[${address}]`].includes(host.toLowerCase())
  );
}

/** The ids of a request, generated on first use; the client's own is echoed. */
function idsOf(request: FastifyRequest): RequestIds {
  if (request.ids !== undefined) return request.ids;
  const requestId = randomUUID();
  const clientId = request.headers['client-request-id'];
  return (request.ids = {
    requestId,
    clientRequestId:
      typeof clientId === 'string' && clientId !== '' && clientId.length <= 128
        ? clientId
        : requestId,
  });
}
