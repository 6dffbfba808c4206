import { CastellanError } from '../../core/errors/castellan-error.js';
import type { CallOptions, DirectoryConnection } from './connection.js';
import { send } from './request.js';

/** One request of a batch. */
export interface BatchRequest {
  /** Identifies the request within the batch; its answer has the same id. */
  readonly id: string;
  /** The method, such as `GET`. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query below the version: `/groups?$top=5`. */
  readonly url: string;
  /** Headers of this request. @default `Content-Type: application/json` where there is a body */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, as JSON. */
  readonly body?: unknown;
  /** The ids of requests that must have succeeded before; otherwise the answer is 424. */
  readonly dependsOn?: readonly string[];
}

/** The answer to one request of a batch. */
export interface BatchResponse {
  /** The id of the request that this answers. */
  readonly id: string;
  /** The HTTP status of this answer. */
  readonly status: number;
  /** The headers of this answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, as JSON. */
  readonly body?: unknown;
}

/** The most requests in one batch, set by the service. */
const maxBatchRequests = 20;

/**
 * Sends requests in batches of 20, one batch after the other, and returns the answers in the order
 * of the requests. A failed request has an answer with its `status`. Requests that depend on each
 * other must be in the same batch.
 *
 * @throws ServiceError when a batch itself is refused; CAS5001 when it has no answer to a request.
 */
export async function sendBatch(
  connection: DirectoryConnection,
  requests: readonly BatchRequest[],
  call?: CallOptions,
): Promise<readonly BatchResponse[]> {
  const answers: BatchResponse[] = [];
  for (let start = 0; start < requests.length; start += maxBatchRequests) {
    const batch = requests.slice(start, start + maxBatchRequests);
    const body = await send<{ responses?: readonly BatchResponse[] } | undefined>(
      connection,
      'POST',
      '$batch',
      { requests: batch.map(withContentType) },
      call,
    );
    const responses = new Map((body?.responses ?? []).map((each) => [each.id, each]));
    const unanswered = batch.filter(({ id }) => !responses.has(id)).map(({ id }) => id);
    if (unanswered.length > 0)
      throw new CastellanError(
        'CAS5001',
        `the answer of the batch has no answer to ${unanswered.join(', ')}`,
      );
    answers.push(...batch.flatMap(({ id }) => responses.get(id) ?? []));
  }
  return answers;
}

function withContentType(request: BatchRequest): BatchRequest {
  const hasContentType = Object.keys(request.headers ?? {}).some(
    (name) => name.toLowerCase() === 'content-type',
  );
  return request.body === undefined || hasContentType
    ? request
    : { ...request, headers: { ...request.headers, 'Content-Type': 'application/json' } };
}
