import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { splitQuery } from '../../core/text/split-query.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { SandboxSpan, SandboxTracer } from '../tracing/tracer.js';
import { type CallKind, callKind } from './call-description.js';
import { BodyError, parseJson } from '../../services/common/body-parsers.js';

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
/** How many characters of a body are kept. */
const maxBodyText = 4_000;
/** A longer body is not parsed. */
const maxParsedBody = 1_000_000;
/** What is kept in place of a longer one. */
const tooLong = '(too long, not recorded)';
/** Names whose values are secrets. */
export const secretNamePattern =
  /secret|password|token|assertion|credential|certificate|authorization|keys?$|signature|^code$/i;
/** Paths whose responses are secrets: the resource manager's list actions, the token endpoint. */
export const secretPathPattern =
  /\/(list(secrets|keys|connectionstrings)|oauth2\/.*token|msi\/token|\.well-known)/i;

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
            this.tracer?.store.link(span.traceId, [request.originalUrl, location]);
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
        response: text === undefined ? tooLong : textOf(text),
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

/** The body of a response. */
export interface CollectedBody {
  /** Its text; undefined if it is longer than what is parsed. */
  readonly text: string | undefined;
  /** How long it is, in bytes. */
  readonly byteLength: number;
}

/**
 * Collects everything that is written to a response, by fastify or by services themselves.
 *
 * @returns a function that returns the body, after the response has ended.
 */
export function collectBody(response: ServerResponse): () => CollectedBody {
  let chunks: Buffer[] = [];
  let byteLength = 0;
  const collect = (chunk: unknown, encoding: unknown): void => {
    if (!(typeof chunk === 'string' || chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    byteLength += bytes.length;
    if (byteLength > maxParsedBody) chunks = [];
    else chunks.push(bytes);
  };
  const { write, end } = response;
  response.write = function (this: ServerResponse, ...parameters: unknown[]) {
    collect(parameters[0], parameters[1]);
    return write.apply(this, parameters as never);
  };
  response.end = function (this: ServerResponse, ...parameters: unknown[]) {
    collect(parameters[0], parameters[1]);
    return end.apply(this, parameters as never);
  };
  return () => ({
    text: byteLength > maxParsedBody ? undefined : Buffer.concat(chunks).toString(),
    byteLength,
  });
}

/** An address whose query and fragment have masked secrets: the implicit flow uses the fragment. */
export function maskPath(url: string): string {
  const [address = '', ...fragments] = url.split('#');
  const [path, query] = splitQuery(address);
  const maskedAddress = query === undefined ? path : `${path}?${maskParameters(query)}`;
  return [maskedAddress, ...fragments.map(maskParameters)].join('#');
}

function maskParameters(parameters: string): string {
  return parameters.split('&').map(maskParameter).join('&');
}

/** A parameter of a query; its value may be an address with a query of its own. */
function maskParameter(parameter: string): string {
  const parts = parameter.split('?');
  const names = parts.map((part) => part.split('=', 1)[0] ?? '');
  const secretIndex = names.findIndex((name) => secretNamePattern.test(decode(name)));
  if (secretIndex < 0) return parameter;
  return [...parts.slice(0, secretIndex), `${names[secretIndex] ?? ''}=•••`].join('?');
}

/** The text in place of a body that consists of secrets; undefined if there is none. */
export function hiddenBodyText(body: unknown): string | undefined {
  return isEmpty(body) ? undefined : '(holds secrets, not recorded)';
}

/** A body with masked secrets, cut to a length that a page can show; undefined if there is none. */
export function maskedBodyText(body: unknown): string | undefined {
  if (isEmpty(body)) return undefined;
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  if (isText && body.length > maxParsedBody) return tooLong;
  const parsed = isText ? tryParseJson(Buffer.from(body)) : body;
  if (typeof parsed !== 'object' || parsed === null) return '(no JSON, not recorded)';
  const text = JSON.stringify(maskValue(parsed), undefined, 2);
  return text.length > maxBodyText ? `${text.slice(0, maxBodyText)}\n…` : text;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === '';
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
  if (!secretNamePattern.test(name)) return maskValue(value);
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
