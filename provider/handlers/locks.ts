/** The end of the last work on each id. */
const lockTails = new Map<string, Promise<unknown>>();

/**
 * Runs a function while holding the locks of these ids in this process, acquired in order:
 * concurrent writes to children of one app would overwrite each other.
 */
export async function withLocks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...otherIds] = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
  if (first === undefined) return work();
  const previous = lockTails.get(first) ?? Promise.resolve();
  const result = previous.then(() => withLocks(otherIds, work));
  // the caller gets the failure; the next work only waits for the end
  const settled = result.catch(() => undefined);
  lockTails.set(first, settled);
  try {
    return await result;
  } finally {
    if (lockTails.get(first) === settled) lockTails.delete(first);
  }
}
