import { listDifference } from '../read-values.js';

/** The most owners that the request of a creation may name; further ones are added after it. */
export const maxOwnersInCreation = 20;

/** Every entry of a listing. */
export async function collectAll<T>(listing: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of listing) entries.push(entry);
  return entries;
}

/** The ids of a listing of objects. */
export async function collectIds(
  listing: AsyncIterable<{ readonly id: string }>,
): Promise<string[]> {
  return (await collectAll(listing)).map(({ id }) => id);
}

/** The objects linked to another one: owners, members. */
interface Links {
  list(id: string, call: { readonly signal: AbortSignal }): AsyncIterable<{ readonly id: string }>;
  add(id: string, linkedId: string, call: { readonly signal: AbortSignal }): Promise<void>;
  remove(id: string, linkedId: string, call: { readonly signal: AbortSignal }): Promise<void>;
}

/** Links exactly these objects. Adds first: the last owner of an object cannot be removed. */
export async function replaceLinks(
  links: Links,
  id: string,
  targetIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { add, remove } = listDifference(await collectIds(links.list(id, { signal })), targetIds);
  for (const each of add) await links.add(id, each, { signal });
  for (const each of remove) await links.remove(id, each, { signal });
}
