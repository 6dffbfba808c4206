/** Verbs that can be sent twice without doing anything twice. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Failures that happen before a request reaches the service: safe to try again with every verb. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Whether an answer may be asked for again: refused requests (429, 503 with `Retry-After`) always, failures of the service only where a
 * second request does no harm.
 */
export function mayRetryStatus(method: string, status: number, asksToWait: boolean): boolean {
  if (status === 429) return true;
  if (status === 503 && asksToWait) return true;
  return idempotent.has(method) && [408, 500, 502, 503, 504].includes(status);
}

/** Whether a request that got no (whole) answer may be sent again. */
export function mayRetryFailure(method: string, error: unknown): boolean {
  return idempotent.has(method) || neverSent.has(failureCode(error));
}

/** The system's code of a failed request, such as `ECONNRESET`, wherever fetch has hidden it. */
export function failureCode(error: unknown): string {
  // By shape, not by class: errors of the runtime may come from another realm.
  for (let each = error; typeof each === 'object' && each !== null; each = (each as { cause?: unknown }).cause) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}

/** The pause before attempt `attempt` (from 1): exponential from 250 ms to 8 s, with up to a quarter of jitter, so that callers spread. */
export function backOffMs(attempt: number, random: () => number = Math.random): number {
  return Math.min(8000, 250 * 2 ** (attempt - 1)) * (1 + random() / 4);
}

/**
 * How long an answer asks to wait: `Retry-After` as seconds or as a date, `retry-after-ms` in milliseconds.
 *
 * @returns milliseconds, never negative; undefined where nothing (or nothing readable) was said.
 */
export function retryAfterMs(headers: Headers, now: Date = new Date()): number | undefined {
  const exact = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms');
  if (exact !== null && /^\d+$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** Waits; injected where tests must not. Rejects with the signal's reason when it is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits on the machine's clock. */
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
