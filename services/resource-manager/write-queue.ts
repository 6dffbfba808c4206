/**
 * Runs the writes of each resource group one after the other, so that none reads what another is
 * changing.
 */
export class WriteQueue {
  /** The end of the last write of each group. */
  private readonly lastWrites = new Map<string, Promise<unknown>>();

  /** @param group in any letter case. */
  async run<T>(group: string, write: () => Promise<T>): Promise<T> {
    const key = group.toLowerCase();
    const previous = this.lastWrites.get(key) ?? Promise.resolve();
    const result = previous.then(write);
    // The next write starts whether or not this one succeeds; the caller gets the error.
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    this.lastWrites.set(key, end);
    try {
      return await result;
    } finally {
      if (this.lastWrites.get(key) === end) this.lastWrites.delete(key);
    }
  }
}
