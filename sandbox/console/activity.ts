import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { omitUndefined } from '../../core/values/omit-undefined.js';
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
  /** The id of the long-running operation that the call started. */
  readonly operation?: string;
}

/**
 * The number of kept calls, and of kept characters of a body; a body longer than `read` is not
 * parsed.
 */
const limits = { calls: 500, body: 4_000, read: 1_000_000 };
const secretName =
  /secret|password|token|assertion|credential|certificate|authorization|keys?$|signature|^code$/i;
/**
 * Answers that consist of secrets: the resource manager's list actions, and the token endpoint's.
 */
const secretPath =
  /\/(list(secrets|keys|connectionstrings)|oauth2\/.*token|msi\/token|\.well-known)/i;

/** The calls of every service of a sandbox, the latest last. */
export class ActivityLog {
  readonly #calls: Activity[] = [];
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
      const isOwn =
        request.headers['x-castellan-console'] === this.ownHeader['x-castellan-console'];
      if (!isOwn && !request.originalUrl.startsWith('/_castellan')) {
        const started = performance.now();
        const text = collectBody(reply.raw);
        reply.raw.once('finish', () =>
          this.#add(request, reply, text(), performance.now() - started),
        );
      }
      done();
    });
  }

  all(): readonly Activity[] {
    return this.#calls;
  }

  /** Calls back for each call from now on. @returns a function that stops it. */
  subscribe(listener: (activity: Activity) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(request: FastifyRequest, reply: FastifyReply, payload: string, milliseconds: number): void {
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
      ...omitUndefined({ request: requestText, response: answerText, operation }),
    };
    this.#calls.push(activity);
    if (this.#calls.length > limits.calls) this.#calls.shift();
    for (const listener of this.#listeners) listener(activity);
  }
}

/**
 * Reads everything written to a response, since some services write it themselves. @returns the
 * text, after the response has ended.
 */
function collectBody(response: ServerResponse): () => string {
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
