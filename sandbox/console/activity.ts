import type { SandboxTracer, SandboxSpan } from '../tracing/tracer.js';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { collectBody, type CollectedBody } from './collect-body.js';
import { type CallKind, callKind } from './call-description.js';
import {
  maskPath,
  secretPathPattern,
  hiddenBodyText,
  maskedBodyText,
  tooLongText,
} from './mask-secrets.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** A request to a service, as the console lists it. Secrets are masked. */
export interface ServiceCall {
  /** Counts the calls since the sandbox was started, from 1 on. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** With its query, without the origin. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The body of the request as the console shows it; undefined if it has none. */
  readonly request?: string;
  /** The body of the response as the console shows it; undefined if it has none. */
  readonly response?: string;
  /** The service that answered. */
  readonly service: string;
  /** The id of the request, from the header of the response. */
  readonly requestId?: string;
  /** The trace of the call. */
  readonly traceId?: string;
  /** The id of the long-running operation that the call started. */
  readonly operation?: string;
}

/** How many calls of each kind are kept. */
const maxCalls = 500;

/** The calls of every service of a sandbox, the latest last. */
export class ActivityLog {
  readonly #calls: ServiceCall[] = [];

  constructor(private readonly tracer?: SandboxTracer) {}

  readonly #listeners = new Set<(call: ServiceCall) => void>();
  #nextId = 1;

  /** The header of the console's own requests to the services, which are not recorded. */
  readonly consoleHeader = { 'x-castellan-console': randomUUID() };

  /**
   * Records the requests to a server; called before its services are mounted. The console's own
   * requests are not recorded.
   */
  attach(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (!this.isUnrecorded(request)) {
        const start = performance.now();
        const collectedBody = collectBody(reply.raw);
        const span = this.#startSpan(request);
        reply.raw.once('finish', () => {
          if (span !== undefined) {
            const location = reply.raw.getHeader('location')?.toString();
            this.tracer?.store.linkToSignIn(span.traceId, [request.originalUrl, location]);
            span.end(reply.raw.statusCode);
          }
          const traceId = span?.traceId;
          this.#add(request, reply, collectedBody(), performance.now() - start, traceId);
        });
      }
      done();
    });
  }

  /** Whether the console sent the request to a service, or it is for the sandbox itself. */
  isUnrecorded({ headers, originalUrl }: FastifyRequest): boolean {
    return (
      headers['x-castellan-console'] === this.consoleHeader['x-castellan-console'] ||
      originalUrl.startsWith('/_castellan')
    );
  }

  /** The kept calls, the latest last. */
  recordedCalls(): readonly ServiceCall[] {
    return this.#calls;
  }

  /** Calls back for each call from now on. @returns a function that stops it. */
  subscribe(listener: (call: ServiceCall) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops the oldest call of a kind above the limit: many sign-ins do not push out the changes. */
  #dropOldest(kind: CallKind): void {
    const isOfKind = ({ method, path }: ServiceCall): boolean => callKind(method, path) === kind;
    if (this.#calls.filter(isOfKind).length <= maxCalls) return;
    this.#calls.splice(this.#calls.findIndex(isOfKind), 1);
  }

  #startSpan(request: FastifyRequest): SandboxSpan | undefined {
    const [path = '/'] = request.originalUrl.split('?', 1);
    return this.tracer?.start(
      serviceOf(path),
      `${request.method} ${path}`,
      { 'http.request.method': request.method, 'url.path': path },
      request.headers['traceparent'] as string | undefined,
    );
  }

  #add(
    request: FastifyRequest,
    reply: FastifyReply,
    { text }: CollectedBody,
    milliseconds: number,
    traceId: string | undefined,
  ): void {
    const status = reply.raw.statusCode;
    const operation =
      status === 202
        ? /\/operations\/([^/?]+)$/.exec(String(reply.getHeader('location')))?.[1]
        : undefined;
    const path = maskPath(request.originalUrl);
    const textOf = (body: unknown): string | undefined =>
      secretPathPattern.test(path) ? hiddenBodyText(body) : maskedBodyText(body);
    const call: ServiceCall = {
      id: this.#nextId++,
      at: new Date().toISOString(),
      method: request.method,
      path,
      status,
      milliseconds: Math.round(milliseconds),
      service: serviceOf(path),
      ...omitUndefined({
        request: textOf(request.body),
        response: text === undefined ? tooLongText : textOf(text),
        operation,
        requestId: requestIdOf(reply),
        traceId,
      }),
    };
    this.#calls.push(call);
    this.#dropOldest(callKind(call.method, path));
    for (const listener of this.#listeners) listener(call);
  }
}

function requestIdOf(reply: FastifyReply): string | undefined {
  const id = reply.getHeader('request-id') ?? reply.getHeader('x-ms-request-id');
  return typeof id === 'string' ? id : undefined;
}

/** The service that a path belongs to. */
export function serviceOf(path: string): string {
  const [, name = 'resource manager'] = services.find(([pattern]) => pattern.test(path)) ?? [];
  return name;
}

/** The paths of services, with their names. */
const services: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\/(oauth2|\.well-known|sign-in|discovery|msi)(\/|$)/i, 'identity provider'],
  [/^\/(v1\.0|beta)(\/|$)/, 'directory'],
  [/^\/v1(\/|$)/, 'items'],
  [/^\/providers\/Microsoft\.Billing/i, 'billing'],
];
