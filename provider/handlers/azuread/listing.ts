import { isServiceError } from '../../../clients/common/index.js';

/** Every entry of a listing. */
export async function all<T>(listing: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of listing) entries.push(entry);
  return entries;
}

/** The ids of a listing of objects. */
export async function idsOf(listing: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  return (await all(listing)).map(({ id }) => id);
}

/** Undefined where the object that is asked for is gone. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isServiceError(error, 404)) return undefined;
    throw error;
  }
}
