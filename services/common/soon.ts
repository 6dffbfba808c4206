/**
 * What is there at once or comes later. A database inside the process answers at once: to wait for a promise each time would take longer
 * than many of its answers.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with what is there, at once if it is. */
export function soon<T, Result>(value: Soon<T>, next: (value: T) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
