/**
 * Runs the writes of each resource group one after the other, so that none reads what another is
 * changing.
 */
export class WriteQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param group in any letter case. */
  async run<T>(group: string, write: () => Promise<T>): Promise<T> {
    const key = group.toLowerCase();
    const previous = this.tails.get(key) ?? Promise.resolve();
    const result = previous.then(write);
    // The next write starts whether or not this one succeeds; the caller gets the error.
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
