import type { CallOptions, DirectoryConnection } from './options.js';
import { send } from './request.js';

/** One request of a batch. */
export interface BatchRequest {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query below the version: `/groups?$top=5`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The requests that must have succeeded before; otherwise the answer is 424. */
  readonly dependsOn?: readonly string[];
}

/** What one request of a batch was answered. */
export interface BatchResponse {
  readonly id: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Requests in one batch, by the service. */
const mostRequests = 20;

/**
 * Sends requests in batches of 20, one batch after the other, and gives the answers in the order of the requests. A failure is an answer
 * like any other; look at `status`. Requests that depend on each other must be among the same 20.
 *
 * @throws ServiceError when a batch itself is refused.
 */
export async function sendBatch(
  connection: DirectoryConnection,
  requests: readonly BatchRequest[],
  call?: CallOptions,
): Promise<readonly BatchResponse[]> {
  const answers = new Map<string, BatchResponse>();
  for (let at = 0; at < requests.length; at += mostRequests) {
    const batch = { requests: requests.slice(at, at + mostRequests).map(withContentType) };
    const { responses } = await send<{ responses: readonly BatchResponse[] }>(connection, 'POST', '$batch', batch, call);
    for (const response of responses) answers.set(response.id, response);
  }
  return requests.flatMap(({ id }) => answers.get(id) ?? []);
}

function withContentType(request: BatchRequest): BatchRequest {
  const named = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  return request.body === undefined || named
    ? request
    : { ...request, headers: { ...request.headers, 'Content-Type': 'application/json' } };
}
