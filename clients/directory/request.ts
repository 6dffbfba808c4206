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
} from './connection.js';

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
    query: selectAndExpand(call),
    ...omitUndefined({ body, headers: call?.headers }),
    ...signalOf(call),
  };
  return (await connection.http.request<T>(request)).body;
}

/**
 * Reads an object that may be absent; undefined for a 404. That is an answer, not a delay: unlike
 * other requests, it is not repeated for an object that this client has just created.
 */
export async function getIfPresent<T>(
  connection: DirectoryConnection,
  path: string,
  options?: ReadOptions,
): Promise<T | undefined> {
  const { status, body } = await connection.http.request<T>({
    method: 'GET',
    path: withVersion(connection, path, options),
    query: selectAndExpand(options),
    expect: [200, 404],
    ...signalOf(options),
  });
  return status === 404 ? undefined : body;
}

/** Iterates over the objects of a collection. */
export function list<T>(
  connection: DirectoryConnection,
  path: string,
  options?: ListOptions,
): AsyncIterable<T> {
  const isAdvanced = options?.advanced === true || options?.search !== undefined;
  return entriesOf<T>(connection.http, {
    path: withVersion(connection, path, options),
    query: {
      ...selectAndExpand(options),
      $filter: options?.filter,
      $search: options?.search,
      $orderby: options?.orderby,
      $top: options?.pageSize,
      $count: isAdvanced ? true : undefined,
    },
    ...(isAdvanced && { headers: { ConsistencyLevel: 'eventual' } }),
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

/** The query options `$select` and `$expand` of a read. */
function selectAndExpand(call: ReadOptions | undefined): QueryOptions {
  return { $select: call?.select?.join(','), $expand: call?.expand };
}
