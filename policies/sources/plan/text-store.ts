const blockSize = 1 << 20;

/** Where a text is in a store. */
export interface StoredText {
  readonly block: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Keeps many texts in few blocks outside of the heap: as many bytes as they have, which the garbage collector neither copies nor walks. */
export class TextStore {
  #block = Buffer.alloc(0);
  #used = 0;

  /** Keeps a text. */
  put(text: string): StoredText {
    // a unit of a text has at most three bytes: counting them would cost as much as writing them
    const most = text.length * 3;
    if (most > this.#block.length - this.#used) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(blockSize, most));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#block.write(text, start);
    return { block: this.#block, start, end: this.#used };
  }
}

/** The text that was kept. */
export function storedText({ block, start, end }: StoredText): string {
  return block.toString('utf8', start, end);
}
