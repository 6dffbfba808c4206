/**
 * Runs something without stack traces: cdktf takes one for every token, which is a quarter of the time of a synthesis, and none leads
 * anywhere for what a configuration declares. An error's own stack is unaffected.
 */
export function withoutStackTraces<Result>(run: () => Result): Result {
  const capture = Error.captureStackTrace;
  Error.captureStackTrace = () => undefined;
  try {
    return run();
  } finally {
    Error.captureStackTrace = capture;
  }
}
