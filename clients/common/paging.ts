import { CastellanError } from '../../core/errors/castellan-error.js';
import type { HttpClient } from './http-client.js';
import type { HttpRequest } from './http-messages.js';

/** A page of results, with the link to the next page under the name that its service uses. */
export interface Page<T> {
  /** The entries of this page. */
  readonly value: readonly T[];
  /**
   * The address of the next page in billing and resource manager; absent, null or empty on the last
   * page.
   */
  readonly nextLink?: string | null;
  /** The address of the next page in the directory. */
  readonly '@odata.nextLink'?: string | null;
  /** The address of the next page in the items service. */
  readonly continuationUri?: string | null;
  /** The number of entries on all pages; only in billing, with `count=true`. */
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
 * @throws CAS5005 when a page links to itself or to an earlier one, which would never end.
 */
export function pagesOf<P extends Page<unknown>>(
  http: HttpClient,
  first: ListRequest,
): AsyncGenerator<P, void, undefined> {
  const { path, url, query: _query, ...keptOptions } = first;
  const start = path ?? url ?? '';
  return followPages(start, async (address) => {
    const request = address === start ? first : { ...keptOptions, url: address };
    return (await http.request<P>({ method: 'GET', ...request })).body;
  });
}

/**
 * Iterates over the pages that a function fetches.
 *
 * @param first the address of the first page; `fetchPage` gets it and each next link unchanged.
 * @param fetchPage returns undefined where there is nothing at the address.
 * @throws CAS5005 when a page links to itself or to an earlier one.
 */
export async function* followPages<P extends Page<unknown>>(
  first: string,
  fetchPage: (address: string) => Promise<P | undefined>,
): AsyncGenerator<P, void, undefined> {
  const addresses = new Set<string>();
  for (let address = first; ;) {
    addresses.add(address);
    const page = await fetchPage(address);
    if (page === undefined) return;
    yield page;
    const next = page.nextLink ?? page['@odata.nextLink'] ?? page.continuationUri ?? '';
    if (next === '') return;
    if (addresses.has(next))
      throw new CastellanError('CAS5005', `the pages of ${first} lead back to an earlier one`);
    address = next;
  }
}

/** Iterates over the entries of a listing. Breaking the loop stops the requests. */
export async function* entriesOf<T>(
  http: HttpClient,
  first: ListRequest,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pagesOf<Page<T>>(http, first)) yield* page.value;
}
