/**
 * Remembers what was worked out for recent keys, in two generations: a full one becomes the old one, and what nobody asked for while it
 * was young or old is forgotten. Asking costs two look-ups at most, whatever the size.
 */
export class Recent<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param size how many keys one generation holds. */
  constructor(private readonly size: number) {}

  /**
   * The value of a key, made if it isn't remembered; what `make` throws is not.
   *
   * @param holds whether a remembered value is still right. @default it always is
   */
  get(key: string, make: () => Value, holds?: (value: Value) => boolean): Value {
    let value = this.#young.get(key);
    if (value !== undefined && (!holds || holds(value))) return value;
    if (value === undefined) value = this.#old.get(key);
    if (value === undefined || (holds && !holds(value))) value = make();
    if (this.#young.size >= this.size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
