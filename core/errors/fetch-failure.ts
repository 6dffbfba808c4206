import { isLoopback } from '../values/loopback.js';

/**
 * Why a `fetch` failed, with a remark where the machine has a proxy that Node does not use.
 *
 * @param url the address that could not be reached.
 */
export function unreachableReason(
  error: unknown,
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const reason = fetchFailureReason(error);
  const variable = ['HTTPS_PROXY', 'https_proxy'].find((name) => env[name]);
  const isUsed = env['NODE_USE_ENV_PROXY'] === '1' || env['NODE_OPTIONS']?.includes('env-proxy');
  return variable === undefined || isUsed === true || isLoopback(new URL(url).hostname)
    ? reason
    : `${reason}; Node uses ${variable} only with NODE_USE_ENV_PROXY=1, and from Node 22.21 on`;
}

/** Why a `fetch` failed: the cause that it nests, such as `connect ECONNREFUSED 127.0.0.1:80`. */
export function fetchFailureReason(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown };
  // the attempts at several addresses of a host are errors of their own, below one without a message
  const { errors: [attempt] = [] } = (cause ?? {}) as { errors?: readonly unknown[] };
  const nested = (attempt ?? cause) as { message?: string } | undefined;
  return nested?.message ?? message ?? String(error);
}
