import { quoted } from '../../../../clients/directory/index.js';
import { ProviderFailure } from '../../handler.js';

/** The one object that a listing finds; none or several is a failure in the words of the official provider. */
export async function theOnly<T>(listing: AsyncIterable<T>, what: string, matches: (found: T) => boolean = () => true): Promise<T> {
  const found: T[] = [];
  for await (const each of listing) if (matches(each)) found.push(each);
  const [first] = found;
  if (first === undefined) throw new ProviderFailure(`${what} was not found`);
  if (found.length > 1) throw new ProviderFailure(`More than one object matches: ${what} was found ${found.length} times`);
  return first;
}

/** A `$filter` for one property. */
export function equals(property: string, value: string): string {
  return `${property} eq ${quoted(value)}`;
}

/** A stable id for a list that a data source read. */
export function listId(prefix: string, values: readonly string[]): string {
  return `${prefix}#${Buffer.from(values.join('-')).toString('base64url').slice(0, 40)}`;
}
