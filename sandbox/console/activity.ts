import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { SandboxSpan, SandboxTracer } from '../tracing/tracer.js';
import { type CallKind, callKind } from './call-description.js';
import { BodyError, parseJson } from '../../services/common/body-parsers.js';

/** A call of an API in the console's list. Secrets are masked. */
export interface Activity {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly request?: string;
  readonly response?: string;
  /** The service that answered. */
  readonly service: string;
  /** The id by which the service's answer names the request. */
  readonly requestId?: string;
  /** The trace of the call. */
  readonly traceId?: string;
  /** The id of the long-running operation that the call started. */
  readonly operation?: string;
}

/**
 * The number of kept calls of each kind, and of kept characters of a body; a body longer than
 * `read` is not parsed.
 */
const limits = { calls: 500, body: 4_000, read: 1_000_000 };
/** Names whose values are secrets. */
export const secretName =
  /secret|password|token|assertion|credential|certificate|authorization|keys?$|signature|^code$/i;
/**
 * Answers that consist of secrets: the resource manager's list actions, and the token endpoint's.
 */
export const secretPath =
  /\/(list(secrets|keys|connectionstrings)|oauth2\/.*token|msi\/token|\.well-known)/i;

/** The calls of every service of a sandbox, the latest last. */
export class ActivityLog {
  readonly #calls: Activity[] = [];

  constructor(private readonly tracer?: SandboxTracer) {}

  readonly #listeners = new Set<(activity: Activity) => void>();
  #next = 1;

  /** The header of requests that are not recorded: the console's own to the services. */
  readonly ownHeader = { 'x-castellan-console': randomUUID() };

  /**
   * Records the answers of a server; called before its services are mounted. The console's own
   * requests are not recorded.
   */
  attach(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (!this.isOwn(request)) {
        const started = performance.now();
        const text = collectBody(reply.raw);
        const span = this.#startSpan(request);
        reply.raw.once('finish', () => {
          if (span !== undefined) {
            const location = reply.raw.getHeader('location')?.toString();
            this.tracer?.store.link(span.traceId, [request.originalUrl, location]);
            span.end(reply.raw.statusCode);
          }
          const traceId = span?.traceId;
          this.#add(request, reply, text(), performance.now() - started, traceId);
        });
      }
      done();
    });
  }

  /** Whether the console sent the request to a service, or it is for the sandbox itself. */
  isOwn({ headers, originalUrl }: FastifyRequest): boolean {
    return (
      headers['x-castellan-console'] === this.ownHeader['x-castellan-console'] ||
      originalUrl.startsWith('/_castellan')
    );
  }

  all(): readonly Activity[] {
    return this.#calls;
  }

  /** Calls back for each call from now on. @returns a function that stops it. */
  subscribe(listener: (activity: Activity) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Each kind of call has its own limit, so that a few sign-ins don't push out the changes. */
  #dropOldest(kind: CallKind): void {
    const ofKind = ({ method, path }: Activity): boolean => callKind(method, path) === kind;
    if (this.#calls.filter(ofKind).length <= limits.calls) return;
    this.#calls.splice(this.#calls.findIndex(ofKind), 1);
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
    payload: string,
    milliseconds: number,
    traceId: string | undefined,
  ): void {
    const status = reply.raw.statusCode;
    const operation =
      status === 202
        ? /\/operations\/([^/?]+)$/.exec(String(reply.getHeader('location')))?.[1]
        : undefined;
    const path = maskPath(request.originalUrl);
    const hidden = secretPath.test(path);
    const [requestText, answerText] = [bodyText(request.body, hidden), bodyText(payload, hidden)];
    const activity: Activity = {
      id: this.#next++,
      at: new Date().toISOString(),
      method: request.method,
      path,
      status,
      milliseconds: Math.round(milliseconds),
      service: serviceOf(path),
      ...omitUndefined({
        request: requestText,
        response: answerText,
        operation,
        requestId: requestIdOf(reply),
        traceId,
      }),
    };
    this.#calls.push(activity);
    this.#dropOldest(callKind(activity.method, path));
    for (const listener of this.#listeners) listener(activity);
  }
}

function requestIdOf(reply: FastifyReply): string | undefined {
  const id = reply.getHeader('request-id') ?? reply.getHeader('x-ms-request-id');
  return typeof id === 'string' ? id : undefined;
}

/** The service that a path belongs to. */
export function serviceOf(path: string): string {
  const [rule] = services.filter(([pattern]) => pattern.test(path));
  return rule?.[1] ?? 'resource manager';
}

const services: readonly (readonly [RegExp, string])[] = [
  [/\/(oauth2|\.well-known|sign-in|discovery|msi)(\/|$)/i, 'identity provider'],
  [/^\/(v1\.0|beta)(\/|$)/, 'directory'],
  [/^\/v1(\/|$)/, 'items'],
  [/^\/providers\/Microsoft\.Billing/i, 'billing'],
];

/**
 * Reads everything written to a response, since some services write it themselves.
 *
 * @returns the text, after the response has ended.
 */
export function collectBody(response: ServerResponse): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: unknown): void => {
    if (length > limits.read || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return;
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
  };
  const { write, end } = response;
  response.write = function (this: ServerResponse, ...parameters: unknown[]) {
    take(parameters[0]);
    return write.apply(this, parameters as never);
  };
  response.end = function (this: ServerResponse, ...parameters: unknown[]) {
    take(parameters[0]);
    return end.apply(this, parameters as never);
  };
  return () => Buffer.concat(chunks).toString();
}

/** A path whose query contains no secrets. */
export function maskPath(url: string): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined) return path;
  const parameters = query.split('&').map((parameter) => {
    const name = parameter.split('=', 1)[0] ?? '';
    return secretName.test(decode(name)) ? `${name}=•••` : parameter;
  });
  return `${path}?${parameters.join('&')}`;
}

/** A body with masked secrets, cut to a length that a page can show; undefined if there is none. */
export function bodyText(body: unknown, hidden: boolean): string | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  if (hidden) return '(holds secrets, not recorded)';
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  if (isText && body.length > limits.read) return '(too long, not recorded)';
  const parsed = isText ? tryParseJson(Buffer.from(body)) : body;
  if (typeof parsed !== 'object' || parsed === null) return '(no JSON, not recorded)';
  const text = JSON.stringify(maskValue(parsed), undefined, 2);
  return text.length > limits.body ? `${text.slice(0, limits.body)}\n…` : text;
}

/** The JSON of a body; undefined if it nests too deep for masking. */
function tryParseJson(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}

function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, maskMember(name, each)]),
  );
}

function maskMember(name: string, value: unknown): unknown {
  if (!secretName.test(name)) return maskValue(value);
  if (Array.isArray(value)) return value.map((each) => maskSecret(each));
  return maskSecret(value);
}

/** Under a secret name every text is masked; in a secret object (`{name, value}`) the value is. */
function maskSecret(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : '•••';
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'name' || typeof each !== 'string' ? maskValue(each) : '•••',
    ]),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
