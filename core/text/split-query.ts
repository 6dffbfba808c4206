/**
 * The path and the query of an address, split at its first question mark, which neither has: a
 * query may have more of them. The query is undefined without one.
 */
export function splitQuery(address: string): readonly [path: string, query: string | undefined] {
  const mark = address.indexOf('?');
  return mark < 0 ? [address, undefined] : [address.slice(0, mark), address.slice(mark + 1)];
}
