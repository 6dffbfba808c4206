const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, colon] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x3a];

/** One element of an array of a JSON document, as its bytes. */
export interface JsonElement {
  /** The key of the array at the document's top level. */
  readonly key: string;
  readonly bytes: Uint8Array;
}

/**
 * Splits a JSON document into the objects of its top-level arrays while it streams in, so that a plan of any size is read in the memory of
 * its largest element. What is outside those arrays is passed over.
 *
 * @param chunks the document's bytes, in pieces of any size.
 * @param keys the top-level keys whose arrays are wanted.
 */
export class JsonElementSplitter {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The last string at depth 1: a key once a colon follows it. */
  private lastString: Uint8Array[] | undefined;
  private key = '';
  private wanted = false;
  private parts: Uint8Array[] | undefined;

  constructor(private readonly keys: ReadonlySet<string>) {}

  /** Takes the next piece and gives the elements that it completes. */
  push(chunk: Uint8Array): JsonElement[] {
    const elements: JsonElement[] = [];
    let start = this.parts === undefined ? -1 : 0;
    for (let index = 0; index < chunk.length; index++) {
      if (this.inString) {
        index = this.readString(chunk, index);
        continue;
      }
      switch (chunk[index]) {
        case quote:
          this.inString = true;
          if (this.depth === 1) this.lastString = [];
          break;
        case colon:
          if (this.depth === 1) this.startValue();
          break;
        case openBrace:
        case openBracket:
          this.depth++;
          if (this.depth === 3 && this.wanted && chunk[index] === openBrace) {
            start = index;
            this.parts = [];
          }
          break;
        case closeBrace:
        case closeBracket:
          this.depth--;
          if (this.depth === 2 && this.parts !== undefined) {
            elements.push({ key: this.key, bytes: join(this.parts, chunk.subarray(start, index + 1)) });
            this.parts = undefined;
            start = -1;
          }
          break;
      }
    }
    if (this.parts !== undefined) this.parts.push(chunk.slice(start));
    return elements;
  }

  /** Whether the document ended where a value ends. */
  get complete(): boolean {
    return this.depth === 0 && !this.inString;
  }

  /** Reads on in a string from `index`; gives the index of its closing quote, or of the end of the chunk. */
  private readString(chunk: Uint8Array, index: number): number {
    const from = index;
    if (this.escaped) {
      this.escaped = false;
      index++;
    }
    for (;;) {
      const end = chunk.indexOf(quote, index);
      const last = end === -1 ? chunk.length : end;
      let slashes = 0;
      while (last - 1 - slashes >= index && chunk[last - 1 - slashes] === backslash) slashes++;
      if (end === -1) {
        this.escaped = slashes % 2 === 1;
        this.lastString?.push(chunk.slice(from));
        return chunk.length;
      }
      if (slashes % 2 === 0) {
        this.inString = false;
        this.lastString?.push(chunk.slice(from, end));
        return end;
      }
      index = end + 1;
    }
  }

  private startValue(): void {
    this.key = this.lastString === undefined ? '' : Buffer.concat(this.lastString).toString();
    this.lastString = undefined;
    this.wanted = this.keys.has(this.key);
  }
}

function join(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : Buffer.concat([...parts, last]);
}
