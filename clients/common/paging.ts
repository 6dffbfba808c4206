import { CastellanError } from '../../core/errors/castellan-error.js';
import type { HttpClient, HttpRequest } from './http-client.js';

/** A page of results, with the link to the next page under the name that its service uses. */
export interface Page<T> {
  /** The entries of this page. */
  readonly value: readonly T[];
  /**
   * The address of the next page in billing and resource manager; absent, null or empty on the last
   * page.
   */
  readonly nextLink?: string | null;
  /** The same in the directory. */
  readonly '@odata.nextLink'?: string | null;
  /** The same in the items service. */
  readonly continuationUri?: string | null;
  /** Only with `count=true` (billing). */
  readonly totalCount?: number;
}

/** The first request of a listing. */
export type ListRequest = Pick<
  HttpRequest,
  'path' | 'url' | 'query' | 'headers' | 'signal' | 'parse'
>;

/**
 * Iterates over the pages of a listing, one request each. Next links may be absolute or relative;
 * an empty one is the end.
 *
 * @throws CAS5005 when a service returns the same next link twice, which would never end.
 */
export async function* pagesOf<P extends Page<unknown>>(
  http: HttpClient,
  first: ListRequest,
): AsyncGenerator<P, void, undefined> {
  let previous: string | undefined;
  let request: ListRequest = first;
  for (;;) {
    const { body } = await http.request<P>({ method: 'GET', ...request });
    yield body;
    const next = body.nextLink ?? body['@odata.nextLink'] ?? body.continuationUri ?? undefined;
    if (next === undefined || next === '') return;
    if (next === previous)
      throw new CastellanError(
        'CAS5005',
        `the next page of ${first.path ?? first.url ?? ''} leads to itself`,
      );
    previous = next;
    const { headers, signal, parse } = first;
    request = {
      url: next,
      ...(headers ? { headers } : {}),
      ...(signal ? { signal } : {}),
      ...(parse ? { parse } : {}),
    };
  }
}

/** Iterates over the entries of a listing. Breaking the loop stops the requests. */
export async function* entriesOf<T>(
  http: HttpClient,
  first: ListRequest,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pagesOf<Page<T>>(http, first)) yield* page.value;
}
