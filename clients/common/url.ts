import { CastellanError } from '../../core/errors/castellan-error.js';

/** Query options by name; undefined ones are left out. */
export type QueryOptions = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The address of a request: a path below the base URL, or a link from the service, absolute or
 * relative. Only the path and query of a link are used, on the origin of the base URL, so that a
 * token never goes to another host.
 *
 * @throws CAS5006 for a path with an empty id or one such as `..`: it would be the address of
 *   another resource.
 */
export function resolveUrl(
  baseUrl: string,
  target: { path?: string; url?: string; query?: QueryOptions },
): string {
  if (target.url !== undefined) {
    const link = new URL(target.url, `${baseUrl}/`);
    return withQuery(`${new URL(baseUrl).origin}${link.pathname}${link.search}`, target.query);
  }
  // URL parsers drop tabs, line breaks and what follows `#`, so that the address of another resource
  // would remain.
  const path = (target.path ?? '').replace(/^\/+/, '').replace(/[\t\n\r#]/g, encodeURIComponent);
  rejectEmptyAndDotSegments(path);
  return withQuery(`${baseUrl}/${path}`, target.query);
}

/** A segment that URL parsers resolve, by the rules of https://url.spec.whatwg.org. */
const dotSegment = /^(?:\.|%2e){1,2}$/i;

function rejectEmptyAndDotSegments(path: string): void {
  const [pathWithoutQuery = ''] = path.split('?');
  if (pathWithoutQuery === '') return;
  const segments = pathWithoutQuery.split(/[/\\]/);
  if (segments.some((each) => each === '' || dotSegment.test(each)))
    throw new CastellanError(
      'CAS5006',
      `/${pathWithoutQuery} has an id that is empty, "." or "..": it would be the address of another resource`,
    );
}

/** Escapes a path segment. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

function withQuery(url: string, query: QueryOptions = {}): string {
  const pairs = Object.entries(query)
    .filter((pair): pair is [string, string | number | boolean] => pair[1] !== undefined)
    // `$filter` stays readable; spaces become %20, which every service understands.
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name).replaceAll('%24', '$')}=${encodeURIComponent(String(value))}`,
    );
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
