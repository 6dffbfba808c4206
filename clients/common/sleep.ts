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
