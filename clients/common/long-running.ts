import { CastellanError } from '../../core/errors/castellan-error.js';
import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { HttpClient } from './http-client.js';
import type { HttpRequest, HttpResponse } from './http-messages.js';
import { requestIdOf, readItemsError, ServiceError } from './service-error.js';
import { retryAfterMs } from './retry.js';

/** How long and how often an accepted operation is polled. */
export interface WaitOptions {
  /** Stops the wait; the operation itself continues. */
  readonly signal?: AbortSignal;
  /** The longest wait, in milliseconds. @default 1800000 (30 minutes) */
  readonly timeoutMs?: number;
  /**
   * The first interval in milliseconds, when the service names none; it grows by half each time, up
   * to 30 s.
   *
   * @default 1000
   */
  readonly intervalMs?: number;
  /** Called with each reported state. */
  readonly onProgress?: (operation: OperationState) => void;
}

/** The state of a long-running operation, as `GET /operations/{id}` returns it. */
export interface OperationState {
  /** Such as `NotStarted`, `Running`, `Succeeded` or `Failed`. */
  readonly status: string;
  /** When the operation was accepted, in ISO 8601. */
  readonly createdTimeUtc?: string;
  /** When its state last changed, in ISO 8601. */
  readonly lastUpdatedTimeUtc?: string;
  /** The progress from 0 to 100; null if unknown. */
  readonly percentComplete?: number | null;
  /** The error of a failed operation, in the service's error shape. */
  readonly error?: unknown;
}

/** Final states, in lower case, in the words of any of the services. */
const successStates = new Set(['succeeded', 'completed', 'deduped']);
const failureStates = new Set(['failed', 'canceled', 'cancelled', 'undefined']);
/** The states of unfinished operations that services answer with 200. */
const runningStates = new Set([
  'notstarted',
  'started',
  'running',
  'inprogress',
  'accepted',
  'pending',
  'queued',
  'waiting',
  'processing',
  'provisioning',
  'creating',
  'updating',
  'deleting',
]);

/**
 * Returns the outcome of a request that a service may accept for later: an answer other than 202 is
 * the outcome itself; after a 202, polls `Azure-AsyncOperation`, `Location` or the operation id
 * header until the operation ends.
 *
 * @returns the body of the outcome; undefined for operations that have none.
 * @throws ServiceError (CAS5001) when the operation fails, with its code and reason; CAS5003 when
 *   it doesn't end in time.
 */
export async function waitForOutcome<T>(
  http: HttpClient,
  firstAnswer: HttpResponse<unknown>,
  options: WaitOptions = {},
): Promise<T> {
  const address = operationAddress(http, firstAnswer);
  const namesOperation =
    firstAnswer.headers.has('azure-asyncoperation') ||
    firstAnswer.headers.has(operationIdHeader(http));
  if (address === undefined) return firstAnswer.body as T;
  const { signal, timeoutMs = 30 * 60_000, intervalMs = 1000 } = options;
  let elapsedMs = 0;
  let delayMs = retryAfterMs(firstAnswer.headers) ?? intervalMs;
  let nextIntervalMs = intervalMs;
  for (;;) {
    if (elapsedMs + delayMs > timeoutMs)
      throw new CastellanError(
        'CAS5003',
        `the operation ${address} did not end within ${timeoutMs} ms`,
      );
    await http.sleep(delayMs, signal);
    elapsedMs += delayMs;
    const answer = await http.request<unknown>({
      method: 'GET',
      url: address,
      ...omitUndefined({ signal }),
    });
    const state = operationStateIn(answer, namesOperation);
    if (state !== undefined) options.onProgress?.(state);
    const status = state?.status.toLowerCase() ?? '';
    if (failureStates.has(status)) throw operationFailure(address, answer, state);
    if (successStates.has(status)) {
      const outcome = outcomeRequest(http, address, { firstAnswer, lastAnswer: answer });
      if (outcome === undefined) return resultInOperation(firstAnswer, answer) as T;
      return (await http.request<T>({ ...outcome, ...omitUndefined({ signal }) })).body;
    }
    // A `Location` that returns the result itself is finished when it no longer answers 202.
    if (state === undefined && answer.status !== 202) return answer.body as T;
    nextIntervalMs = Math.min(nextIntervalMs * 1.5, 30_000);
    // 0 counts as absent: polling at once, again and again, would never reach the timeout
    delayMs = retryAfterMs(answer.headers) || nextIntervalMs;
  }
}

function operationAddress(
  http: HttpClient,
  firstAnswer: HttpResponse<unknown>,
): string | undefined {
  const asyncOperationUrl = firstAnswer.headers.get('azure-asyncoperation');
  if (asyncOperationUrl !== null && firstAnswer.status < 300) return asyncOperationUrl;
  if (firstAnswer.status !== 202) return undefined;
  const location = firstAnswer.headers.get('location');
  if (location !== null && location !== '') return location;
  const id = firstAnswer.headers.get(operationIdHeader(http));
  return id === null ? undefined : `${http.baseUrl}/v1/operations/${encodeURIComponent(id)}`;
}

function operationIdHeader({ dialect }: HttpClient): string {
  return inDialect(dialectWords.operationIdHeader, dialect);
}

/**
 * The state in an answer; undefined for a result, which may have a `status` of its own.
 *
 * @param namesOperation whether the address is that of an operation: a `Location` alone may be that
 *   of the result.
 */
function operationStateIn(
  answer: HttpResponse<unknown>,
  namesOperation: boolean,
): OperationState | undefined {
  const body = answer.body as { status?: unknown } | undefined | null;
  if (typeof body !== 'object' || body === null || typeof body.status !== 'string')
    return undefined;
  const status = body.status.toLowerCase();
  const isKnown = [successStates, failureStates, runningStates].some((each) => each.has(status));
  return isKnown || namesOperation || answer.status === 202 ? (body as OperationState) : undefined;
}

/** The result of a POST that has it in the operation itself: in its `properties`. */
function resultInOperation(
  { request, headers }: HttpResponse<unknown>,
  { body }: HttpResponse<unknown>,
): unknown {
  return request.method === 'POST' && headers.has('azure-asyncoperation')
    ? (body as { properties?: unknown } | undefined)?.properties
    : undefined;
}

/**
 * The request for the outcome of a succeeded operation; undefined if it has none. An operation that
 * is polled by `Azure-AsyncOperation` has it where its method says: in the resource that a PUT or
 * PATCH wrote, or at the `Location` of the first answer to a POST (without one: {@link resultInOperation}).
 */
function outcomeRequest(
  http: HttpClient,
  address: string,
  {
    firstAnswer,
    lastAnswer,
  }: {
    readonly firstAnswer: HttpResponse<unknown>;
    readonly lastAnswer: HttpResponse<unknown>;
  },
): HttpRequest | undefined {
  const { body: _body, expect: _expect, ...request } = firstAnswer.request;
  const isAsyncOperation = firstAnswer.headers.has('azure-asyncoperation');
  if (isAsyncOperation && ['PUT', 'PATCH'].includes(request.method))
    return { ...request, method: 'GET' };
  const firstLocation =
    isAsyncOperation && request.method === 'POST' ? firstAnswer.headers.get('location') : null;
  const url = lastAnswer.headers.get('location') ?? firstLocation ?? '';
  const pathOf = (each: string): string => new URL(each, http.baseUrl).pathname;
  return url === '' || pathOf(url) === pathOf(address) ? undefined : { method: 'GET', url };
}

function operationFailure(
  address: string,
  answer: HttpResponse<unknown>,
  state: OperationState | undefined,
): ServiceError {
  const envelope = state?.error as { code?: string; message?: string } | undefined;
  const properties = readItemsError(state?.error) ?? {
    serviceCode: envelope?.code ?? 'OperationFailed',
    serviceMessage:
      envelope?.message ??
      `the operation ended ${state?.status ?? 'without a state'} and gave no reason`,
    serviceDetails: [],
  };
  const requestId = properties.requestId ?? requestIdOf(answer.headers);
  return new ServiceError({
    method: 'GET',
    url: address,
    status: answer.status,
    body: answer.body,
    isRetriable: false,
    ...properties,
    ...omitUndefined({ requestId }),
  });
}
