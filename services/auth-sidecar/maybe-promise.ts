/** A value, or a promise of one: stores in this process answer synchronously. */
export type MaybePromise<T> = T | Promise<T>;

/** Applies a function to a value: at once, or when its promise is fulfilled. */
export function whenFulfilled<T, R>(
  value: MaybePromise<T>,
  apply: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(apply) : apply(value);
}

/** Runs an action; its failure, at once or later, goes to `onFailure`. */
export function runCatching(
  action: () => MaybePromise<void>,
  onFailure: (error: unknown) => void,
): void {
  try {
    const done = action();
    if (done instanceof Promise) done.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
