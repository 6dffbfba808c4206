import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { HttpRequest } from '../common/http-messages.js';
import { entriesOf } from '../common/paging.js';
import type { QueryOptions } from '../common/url.js';
import {
  type CallOptions,
  type DirectoryConnection,
  type ListOptions,
  type ReadOptions,
  signalOf,
} from './options.js';

/** Sends a request below the version segment and returns the body of the answer. */
export async function send<T>(
  connection: DirectoryConnection,
  method: HttpRequest['method'],
  path: string,
  body?: unknown,
  call?: ReadOptions & { readonly headers?: Readonly<Record<string, string>> },
): Promise<T> {
  const request = {
    method,
    path: withVersion(connection, path, call),
    query: readQuery(call),
    ...omitUndefined({ body, headers: call?.headers }),
    ...signalOf(call),
  };
  return (await connection.http.request<T>(request)).body;
}

/** Iterates over the objects of a collection. */
export function list<T>(
  connection: DirectoryConnection,
  path: string,
  options?: ListOptions,
): AsyncIterable<T> {
  const advanced = options?.advanced === true || options?.search !== undefined;
  return entriesOf<T>(connection.http, {
    path: withVersion(connection, path, options),
    query: {
      ...readQuery(options),
      $filter: options?.filter,
      $search: options?.search,
      $orderby: options?.orderby,
      $top: options?.pageSize,
      $count: advanced ? true : undefined,
    },
    ...(advanced && { headers: { ConsistencyLevel: 'eventual' } }),
    ...signalOf(options),
  });
}

/** The number of objects in a collection, by its `/$count` segment. */
export async function count(
  connection: DirectoryConnection,
  path: string,
  options?: CallOptions & Pick<ListOptions, 'filter' | 'search'>,
): Promise<number> {
  const { body } = await connection.http.request<unknown>({
    method: 'GET',
    path: withVersion(connection, `${path}/$count`, options),
    query: { $filter: options?.filter, $search: options?.search },
    headers: { ConsistencyLevel: 'eventual', accept: 'text/plain' },
    ...signalOf(options),
  });
  return Number(body);
}

/** The address of an object for `@odata.id` and `@odata.bind` in bodies. */
export function referenceTo(
  connection: DirectoryConnection,
  id: string,
  call?: CallOptions,
): string {
  return `${connection.http.baseUrl}/${call?.version ?? connection.version}/directoryObjects/${id}`;
}

function withVersion(
  connection: DirectoryConnection,
  path: string,
  call: CallOptions | undefined,
): string {
  return `/${call?.version ?? connection.version}/${path}`;
}

function readQuery(call: ReadOptions | undefined): QueryOptions {
  return { $select: call?.select?.join(','), $expand: call?.expand };
}

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
 * @throws ServiceError when a batch itself is refused.
 */
export async function sendBatch(
  connection: DirectoryConnection,
  requests: readonly BatchRequest[],
  call?: CallOptions,
): Promise<readonly BatchResponse[]> {
  const answers = new Map<string, BatchResponse>();
  for (let at = 0; at < requests.length; at += maxBatchRequests) {
    const batch = { requests: requests.slice(at, at + maxBatchRequests).map(withContentType) };
    const { responses } = await send<{ responses: readonly BatchResponse[] }>(
      connection,
      'POST',
      '$batch',
      batch,
      call,
    );
    for (const response of responses) answers.set(response.id, response);
  }
  return requests.flatMap(({ id }) => answers.get(id) ?? []);
}

function withContentType(request: BatchRequest): BatchRequest {
  const hasContentType = Object.keys(request.headers ?? {}).some(
    (name) => name.toLowerCase() === 'content-type',
  );
  return request.body === undefined || hasContentType
    ? request
    : { ...request, headers: { ...request.headers, 'Content-Type': 'application/json' } };
}
