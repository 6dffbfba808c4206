/** Lets writes of one resource group happen one after the other, so that none reads what another is about to change. */
export class WriteQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param group letter case doesn't count. */
  async run<T>(group: string, write: () => Promise<T>): Promise<T> {
    const key = group.toLowerCase();
    const before = this.tails.get(key) ?? Promise.resolve();
    const done = before.then(write);
    // The next in line starts whether or not this one succeeds; the outcome itself is the caller's.
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
