import type { QueryOptions } from './url.js';

/**
 * One request: either a `path` below the base URL, or a `url` (a next link or an operation's
 * address, absolute or relative).
 */
export interface HttpRequest {
  /**
   * The method. GET, HEAD, PUT and DELETE are retried after a service failure; POST and PATCH only
   * when the service cannot have acted on them.
   */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with its segments escaped (`segment`). */
  readonly path?: string;
  /**
   * Requested on the client's own origin, whatever host it names, so that the token never goes
   * elsewhere.
   */
  readonly url?: string;
  /** The query options; undefined ones are left out. */
  readonly query?: QueryOptions;
  /** More headers; they replace the client's own, except `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form if it is `URLSearchParams`; undefined sends no body. */
  readonly body?: unknown;
  /** Aborts the request and the waits between retries. */
  readonly signal?: AbortSignal;
  /** Parses JSON answers. @default JSON.parse */
  readonly parse?: (text: string) => unknown;
  /** The statuses that count as success; others throw. @default every 2xx */
  readonly expect?: readonly number[];
}

/** An answer with its body read. */
export interface HttpResponse<T> {
  /** The request that it answers. */
  readonly request: HttpRequest;
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** Parsed JSON, other text as a string, undefined if it is empty. */
  readonly body: T;
}
