import { Refusal } from '../http/refusal.js';
import type { Runtime } from '../runtime.js';

/** Runs an operation on the session store. @throws Refusal 503 when the store can't be reached */
export async function callSessionStore<T>(
  runtime: Runtime,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    runtime.metrics.count('store_failures_total');
    runtime.reportStoreFailure(error as Error);
    throw new Refusal(503, 'The session store is not available. Try again in a moment.', {
      code: 'store_unavailable',
      headers: { 'Retry-After': '5' },
    });
  }
}
