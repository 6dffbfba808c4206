const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Failures before the request reached the service: any method can be retried. */
const neverSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Whether to retry after an answer: always if the request was refused (429, 503 with
 * `Retry-After`), after a service failure only if the method is idempotent.
 */
export function isRetryableStatus(method: string, status: number, hasRetryAfter: boolean): boolean {
  if (status === 429) return true;
  if (status === 503 && hasRetryAfter) return true;
  return idempotentMethods.has(method) && [408, 500, 502, 503, 504].includes(status);
}

/** Whether to retry a request that got no complete answer. */
export function isRetryableFailure(method: string, error: unknown): boolean {
  return idempotentMethods.has(method) || wasNeverSent(error);
}

/** Whether a request failed before it reached the service, which cannot have acted on it. */
export function wasNeverSent(error: unknown): boolean {
  return neverSentCodes.has(failureCode(error));
}

/** The system's error code of a failed request, such as `ECONNRESET`, wherever fetch nests it. */
export function failureCode(error: unknown): string {
  // Checked by shape, not by class: errors of the runtime may come from another realm.
  for (
    let each = error;
    typeof each === 'object' && each !== null;
    each = (each as { cause?: unknown }).cause
  ) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}

/**
 * The wait before attempt `attempt` (from 1): exponential from 250 ms to 8 s, with up to a quarter
 * of jitter to spread callers.
 */
export function backOffMs(attempt: number, random: () => number = Math.random): number {
  return Math.min(8000, 250 * 2 ** (attempt - 1)) * (1 + random() / 4);
}

/**
 * The wait that an answer asks for: `Retry-After` as seconds or as a date, or `retry-after-ms`.
 *
 * @returns milliseconds, never negative; undefined where the answer has no readable value.
 */
export function retryAfterMs(headers: Headers, now: Date = new Date()): number | undefined {
  const milliseconds = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms');
  if (milliseconds !== null && /^\d+$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** Waits; tests inject their own. Rejects with the signal's reason when aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits on the system clock. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((done, fail) => {
    if (signal?.aborted === true) return fail(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      fail(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      done();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
