import { CastellanError } from '../../core/errors/castellan-error.js';
import { unreachableReason } from '../../core/errors/fetch-failure.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { TokenProvider } from './token-provider.js';
import {
  backOffMs,
  failureCode,
  isRetryableFailure,
  isRetryableStatus,
  type Sleep,
  sleep as systemSleep,
  wasNeverSent,
} from './retry.js';
import type { HttpRequest, HttpResponse } from './http-messages.js';
import type { RecentCreations } from './recent-creations.js';
import { readServiceError } from './service-error.js';
import { type Fetch, fetchTrusting } from './fetch.js';
import { resolveUrl } from './url.js';

/** How a client reaches its service. */
export interface HttpClientOptions {
  /**
   * The service's address, such as `https://api.fabric.microsoft.com` or `http://127.0.0.1:8080`.
   */
  readonly baseUrl: string;
  /** The source of tokens. @default requests are sent without a token */
  readonly credential?: TokenProvider;
  /** The scope of the tokens. @default `<origin of baseUrl>/.default` */
  readonly scope?: string;
  /** The dialect that the service speaks. @default 'neutral' */
  readonly dialect?: Dialect;
  /** Replaces the machine's `fetch`, as tests do. */
  readonly fetch?: Fetch;
  /**
   * Certificate(s) of a private authority in PEM, trusted in addition to the system's. Ignored with
   * `fetch`.
   */
  readonly ca?: string;
  /**
   * The timeout of one attempt including its answer, without that of its token, in milliseconds.
   *
   * @default 100000
   */
  readonly timeoutMs?: number;
  /**
   * How many times a request is retried at most. The one retry with a new token after 401 and the
   * retries of `ownCreations` do not count.
   *
   * @default 4
   */
  readonly retries?: number;
  /**
   * The longest `Retry-After` that is followed, in milliseconds; a longer one fails the call with
   * the service's error.
   *
   * @default 120000
   */
  readonly maxRetryAfterMs?: number;
  /** Sent as `User-Agent`. @default 'castellan' */
  readonly userAgent?: string;
  /**
   * Objects that this client created: a request that mentions one of them is retried for a while
   * when the service answers 404.
   *
   * @default a 404 is never retried
   */
  readonly ownCreations?: RecentCreations;
  /** Replaces the wait between retries, as tests do. */
  readonly sleep?: Sleep;
}

/**
 * A connection to one service: adds the token, waits as the service asks (429, Retry-After),
 * retries what is safe, and throws typed errors.
 */
export interface HttpClient {
  /** The base address, without a trailing slash. */
  readonly baseUrl: string;
  /** The dialect of the service. */
  readonly dialect: Dialect;
  /** Waits between retries and between polls of an operation. */
  readonly sleep: Sleep;
  /**
   * Sends a request.
   *
   * @throws ServiceError (CAS5001) for an unexpected status; CAS5002 when the connection fails;
   *   CAS5003 for a timeout; CAS5004 when no token can be fetched; the signal's reason when aborted.
   */
  request<T>(request: HttpRequest): Promise<HttpResponse<T>>;
}

/** Makes a client of a service; see {@link HttpClientOptions}. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const {
    dialect = 'neutral',
    timeoutMs = 100_000,
    retries = 4,
    maxRetryAfterMs = 120_000,
    sleep = systemSleep,
  } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const scope = options.scope ?? `${new URL(baseUrl).origin}/.default`;
  const send: Fetch =
    options.fetch ??
    (options.ca === undefined ? (url, init) => fetch(url, init) : fetchTrusting(options.ca));

  const requestHeaders = async (request: HttpRequest): Promise<Headers> => {
    const headers = new Headers(request.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    if (!headers.has('user-agent')) headers.set('user-agent', options.userAgent ?? 'castellan');
    const token = await options.credential?.getToken(scope, request.signal);
    if (token !== undefined) headers.set('authorization', `Bearer ${token.token}`);
    if (
      request.body !== undefined &&
      !(request.body instanceof URLSearchParams) &&
      !headers.has('content-type')
    )
      headers.set('content-type', 'application/json');
    return headers;
  };

  const sendOnce = async <T>(
    request: HttpRequest,
    url: string,
  ): Promise<HttpResponse<T> & { raw: Response }> => {
    const headers = await requestHeaders(request);
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal =
      request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
    try {
      const raw = await send(url, {
        method: request.method,
        headers,
        signal,
        redirect: 'manual',
        ...serializeBody(request.body),
      });
      return {
        raw,
        request,
        status: raw.status,
        headers: raw.headers,
        body: (await readBody(raw, request.parse)) as T,
      };
    } catch (cause) {
      request.signal?.throwIfAborted();
      const target = `${request.method} ${url.replace(/\?.*$/s, '')}`;
      if (deadline.aborted)
        throw new CastellanError('CAS5003', `${target}: no answer within ${timeoutMs} ms`, {
          cause,
        });
      throw new CastellanError('CAS5002', `${target}: ${connectionFailureReason(cause, url)}`, {
        cause,
        details: { failure: failureCode(cause) },
      });
    }
  };

  return {
    baseUrl,
    dialect,
    sleep,
    async request<T>(request: HttpRequest): Promise<HttpResponse<T>> {
      const url = resolveUrl(baseUrl, request);
      let mayHaveTakenEffect = false;
      let hasRenewedToken = false;
      let notFoundRetries = 0;
      for (let attempt = 1; ; attempt++) {
        request.signal?.throwIfAborted();
        let answer;
        try {
          answer = await sendOnce<T>(request, url);
        } catch (error) {
          if (!(error instanceof CastellanError) || error.code === 'CAS5004' || attempt > retries)
            throw error;
          const failure = error.code === 'CAS5003' ? undefined : error.cause;
          if (!isRetryableFailure(request.method, failure)) throw error;
          mayHaveTakenEffect ||= !wasNeverSent(failure);
          await sleep(backOffMs(attempt), request.signal);
          continue;
        }
        const { raw, ...response } = answer;
        if (request.expect === undefined ? raw.ok : request.expect.includes(raw.status)) {
          options.ownCreations?.record(request, response);
          return response;
        }
        if (raw.status === 404 && options.ownCreations?.mentionsRecentCreation(request) === true) {
          await sleep(options.ownCreations.retryDelayMs(++notFoundRetries), request.signal);
          attempt--; // not counted: these retries are limited by time
          continue;
        }
        // An earlier attempt deleted the resource though its answer was lost or an error.
        if (request.method === 'DELETE' && raw.status === 404 && mayHaveTakenEffect) {
          options.ownCreations?.record(request, response);
          return response;
        }
        const error = readServiceError({ method: request.method, url }, raw, response.body);
        if (raw.status === 401 && !hasRenewedToken && options.credential?.forget !== undefined) {
          options.credential.forget(scope);
          hasRenewedToken = true;
          attempt--; // not counted: it happens once
          continue;
        }
        if (
          attempt > retries ||
          !isRetryableStatus(request.method, raw.status, error.retryAfterMs !== undefined)
        )
          throw error;
        if ((error.retryAfterMs ?? 0) > maxRetryAfterMs) throw error;
        if (raw.status >= 500) mayHaveTakenEffect = true;
        await sleep(error.retryAfterMs ?? backOffMs(attempt), request.signal);
      }
    },
  };
}

function serializeBody(body: unknown): { body?: string | URLSearchParams } {
  if (body === undefined) return {};
  return { body: body instanceof URLSearchParams ? body : JSON.stringify(body) };
}

function connectionFailureReason(error: unknown, url: string): string {
  const code = failureCode(error);
  const reason = unreachableReason(error, url);
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
}

/**
 * The body of an answer: undefined if it is empty, parsed if its content type is JSON or it begins
 * as a JSON object or list does, and the text where it is something else or is not valid JSON.
 *
 * @param parse parses JSON, for example without losing digits of large numbers.
 */
async function readBody(
  response: Response,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  const isDeclaredJson = /[/+]json\b/i.test(response.headers.get('content-type') ?? '');
  if (!isDeclaredJson && !/^\s*[[{]/.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return text; // not JSON, such as a proxy's error page: the caller sees the text in the error
  }
}
