/** A bucket that fills evenly: `capacity` units in `seconds`. */
export class TokenBucket {
  #level: number;
  #at: number;

  constructor(
    private readonly capacity: number,
    private readonly seconds: number,
    now: Date,
  ) {
    this.#level = capacity;
    this.#at = now.getTime();
  }

  /** Takes units out; returns 0, or the whole seconds after which it is worth trying again. */
  take(units: number, now: Date): number {
    const rate = this.capacity / (this.seconds * 1000);
    const passed = Math.max(0, now.getTime() - this.#at);
    this.#level = Math.min(this.capacity, this.#level + passed * rate);
    this.#at = now.getTime();
    if (this.#level < units) return Math.max(1, Math.ceil((units - this.#level) / rate / 1000));
    this.#level -= units;
    return 0;
  }
}
