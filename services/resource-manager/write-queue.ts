/**
 * Runs the writes of each resource group one after the other, so that none reads what another is
 * changing.
 */
export class WriteQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param group in any letter case. */
  async run<T>(group: string, write: () => Promise<T>): Promise<T> {
    const key = group.toLowerCase();
    const before = this.tails.get(key) ?? Promise.resolve();
    const done = before.then(write);
    // The next write starts whether or not this one succeeds; the caller gets the error.
    const tail = done.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await done;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
