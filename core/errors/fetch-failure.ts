/** Why a `fetch` failed: the cause that it nests, such as `connect ECONNREFUSED 127.0.0.1:80`. */
export function fetchFailureReason(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown };
  // the attempts at several addresses of a host are errors of their own, below one without a message
  const { errors: [attempt] = [] } = (cause ?? {}) as { errors?: readonly unknown[] };
  const nested = (attempt ?? cause) as { message?: string } | undefined;
  return nested?.message ?? message ?? String(error);
}
