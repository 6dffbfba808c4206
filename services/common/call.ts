import type { IncomingHttpHeaders } from 'node:http';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { parseJsonObject } from './body-parsers.js';
import type { Caller } from './caller.js';

/** What the HTTP layer received. */
export interface ReceivedRequest {
  readonly method: string;
  /**
   * The service's address as the caller used it, such as `https://localhost:8443`: links start with
   * it.
   */
  readonly origin: string;
  /** The path prefix of the service, such as `/v1`. */
  readonly prefix: string;
  /** Path and query as sent, including the prefix. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty without a body. */
  readonly body: Buffer;
  readonly requestId: string;
  /** The client's own id (`client-request-id`), or the request's if none was sent. */
  readonly clientRequestId: string;
}

/** An authenticated request, as operations see it. */
export class Call<Runtime = unknown> {
  #query: URLSearchParams | undefined;

  constructor(
    readonly runtime: Runtime,
    readonly caller: Caller,
    readonly received: ReceivedRequest,
    /** The values of the path's parameters, decoded. */
    readonly params: Readonly<Record<string, string>> = {},
  ) {}

  get method(): string {
    return this.received.method;
  }

  get headers(): IncomingHttpHeaders {
    return this.received.headers;
  }

  get body(): Buffer {
    return this.received.body;
  }

  /**
   * The body as a JSON object. Handlers read it after checking the caller's rights, because 401,
   * 404 and 403 take precedence over 400.
   *
   * @throws BodyError 415 for another content type, 400 for anything else; the chassis answers in
   *   the service's error shape.
   */
  json(): Record<string, unknown> {
    return parseJsonObject(this.body, this.headers['content-type']);
  }

  /** The body as a JSON object, or an empty one where nothing was sent. @throws BodyError */
  optionalJson(): Record<string, unknown> {
    return this.body.length === 0 ? {} : this.json();
  }

  get requestId(): string {
    return this.received.requestId;
  }

  get origin(): string {
    return this.received.origin;
  }

  /** The path as sent, without the query. */
  get path(): string {
    return pathOf(this.received.url);
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#queryText));
  }

  /**
   * The absolute address of another page of this listing: that of this request with changed query
   * options; the others stay as sent.
   *
   * @param changes by name, with or without `$` and in any letter case; undefined removes an
   *   option.
   */
  linkWith(changes: Readonly<Record<string, string | undefined>>): string {
    const normalized = (name: string): string => name.replace('$', '').toLowerCase();
    const changedNames = Object.keys(changes).map(normalized);
    const parts = this.#queryText.split('&').filter((part) => {
      const [name] = new URLSearchParams(part).keys();
      return name !== undefined && !changedNames.includes(normalized(name));
    });
    const addedParts = Object.entries(changes).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return `${this.origin}${this.path}?${[...parts, ...addedParts].join('&')}`;
  }

  /** The query as sent, without the question mark. */
  get #queryText(): string {
    return this.received.url.slice(this.path.length + 1).replace(/#.*$/s, '');
  }
}

/** The answer of an operation. */
export interface Answer {
  readonly status: number;
  /** An object is sent as JSON, text and bytes as they are; undefined means no body. */
  readonly body?: unknown;
  /** @default the service's JSON type for objects, `text/plain` for text */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200. @param body absent for an empty answer */
export function ok<Body = never>(
  body?: Body,
  headers?: Answer['headers'],
): Answer & { readonly body?: Body } {
  return { status: 200, ...omitUndefined({ body, headers }) };
}

/** 201 with the new resource. @param location its address, if it has one */
export function created<Body>(body: Body, location?: string): Answer & { readonly body: Body } {
  return { status: 201, body, ...(location !== undefined && { headers: { location } }) };
}

/** An operation of a service. */
export interface Operation<Runtime> {
  readonly method: string;
  /** Below the service's prefix, with `:parameters`. */
  readonly path: string;
  /** The summary in the OpenAPI document. */
  readonly summary: string;
  /** The supported query options, with their meaning. */
  readonly query?: Readonly<Record<string, string>>;
  /** Who may use it, for the OpenAPI document. */
  readonly description?: string;
  /** The cost for a throttle. @default 1 */
  readonly cost?: number;
  /** The status of success. @default 200 */
  readonly success?: number;
  readonly handler: (call: Call<Runtime>) => Promise<Answer> | Answer;
}

/** A URL without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
