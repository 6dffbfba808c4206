/** Query options by name; undefined ones are left out. */
export type QueryOptions = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The address of a request: a path below the base URL, or a link of the service. Links may be absolute or relative; their path and
 * query are followed on the origin of the base URL, so that a token never travels to a host that an answer names.
 */
export function resolveUrl(baseUrl: string, target: { path?: string; url?: string; query?: QueryOptions }): string {
  if (target.url !== undefined) {
    const link = new URL(target.url, `${baseUrl}/`);
    return withQuery(`${new URL(baseUrl).origin}${link.pathname}${link.search}`, target.query);
  }
  // a line break in a name would be left out of the address, and another thing be asked for
  const path = (target.path ?? '').replace(/^\/+/, '').replace(/[\t\n\r]/g, encodeURIComponent);
  return withQuery(`${baseUrl}/${path}`, target.query);
}

/** A path segment, escaped. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

function withQuery(url: string, query: QueryOptions = {}): string {
  const pairs = Object.entries(query)
    .filter((pair): pair is [string, string | number | boolean] => pair[1] !== undefined)
    // `$filter` stays readable; spaces become %20, which every service reads alike.
    .map(([name, value]) => `${encodeURIComponent(name).replaceAll('%24', '$')}=${encodeURIComponent(String(value))}`);
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
