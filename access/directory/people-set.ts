/** A set of people by their index in the directory, as bits. */
export class PeopleSet {
  readonly #words: Uint32Array;

  constructor(readonly capacity: number) {
    this.#words = new Uint32Array(Math.ceil(capacity / 32));
  }

  add(index: number): void {
    this.#words[index >>> 5] = (this.#words[index >>> 5] ?? 0) | (1 << (index & 31));
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }

  addAll(other: PeopleSet): void {
    const theirs = other.#words;
    for (let index = 0; index < theirs.length; index++)
      this.#words[index] = (this.#words[index] ?? 0) | (theirs[index] ?? 0);
  }

  /** The people of this set who are not in the other. */
  without(other: PeopleSet): PeopleSet {
    const difference = new PeopleSet(this.capacity);
    for (let index = 0; index < this.#words.length; index++)
      difference.#words[index] = (this.#words[index] ?? 0) & ~(other.#words[index] ?? 0);
    return difference;
  }

  /** Whether both hold the same people. */
  equals(other: PeopleSet): boolean {
    return (
      this.capacity === other.capacity &&
      this.#words.every((word, index) => word === other.#words[index])
    );
  }

  get count(): number {
    let total = 0;
    for (let word of this.#words) for (; word !== 0; word &= word - 1) total++;
    return total;
  }

  /** The people's indexes, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#words.length; index++) {
      for (let word = this.#words[index] ?? 0; word !== 0; word &= word - 1)
        yield index * 32 + 31 - Math.clz32(word & -word);
    }
  }
}
