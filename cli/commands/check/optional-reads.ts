import { isServiceError } from '../../../clients/common/service-error.js';

/** What `read` returns; undefined if the caller may not read it or the service does not have it. */
export async function undefinedIfUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if ([401, 403, 404].some((status) => isServiceError(error, status))) return undefined;
    throw error;
  }
}

/** All entries of a list of several pages. */
export async function collectEntries<T>(entries: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
