/**
 * Serializes work on the same ids in this process: concurrent writes to children of one app would
 * overwrite each other.
 */
const running = new Map<string, Promise<unknown>>();

/** Runs a function while holding the locks of these ids, acquired in order. */
export async function withLocks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
  if (first === undefined) return work();
  const before = running.get(first) ?? Promise.resolve();
  const mine = before.then(() => withLocks(rest, work));
  // The caller gets the failure; the next one only waits for the end
  const end = mine.catch(() => undefined);
  running.set(first, end);
  try {
    return await mine;
  } finally {
    if (running.get(first) === end) running.delete(first);
  }
}
