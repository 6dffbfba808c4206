/** What a text was made of: an object by its number, and everything that the text follows from. */
export interface TextSource {
  readonly number: number;
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly body: string;
}

interface Remembered extends TextSource {
  readonly text: string;
}

const perGeneration = 10_000;
/** So many numbers are known as seen before: fewer than texts are kept, so that what comes round too late to be found isn't kept at all. */
const seenSlots = 8_192;

/**
 * The texts of objects that are shown again and again, in two generations: a full one becomes the old one. What is shown once isn't
 * remembered, for keeping a text costs more than making it. Nothing ever has to be thrown away because of a change: another body makes
 * another text.
 */
export class RecentTexts {
  #young = new Map<number, Remembered>();
  #old = new Map<number, Remembered>();
  /** By the last bits of a number, which of those that end so was shown last. */
  readonly #seen = new Int32Array(seenSlots);

  get(source: TextSource, make: (source: TextSource) => string): string {
    const { number } = source;
    const young = this.#young.get(number);
    if (young !== undefined && isOf(source, young)) return young.text;
    const old = this.#old.get(number);
    if (old !== undefined && isOf(source, old)) {
      this.#keep(old);
      return old.text;
    }
    const text = make(source);
    const slot = number % seenSlots;
    if (this.#seen[slot] === number) this.#keep({ ...source, text: inOnePiece(text) });
    else this.#seen[slot] = number;
    return text;
  }

  #keep(remembered: Remembered): void {
    if (this.#young.size >= perGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(remembered.number, remembered);
  }
}

function isOf(source: TextSource, { id, type, body }: Remembered): boolean {
  return source.body === body && source.id === id && source.type === type;
}

/** A text that was put together stays a tree of its pieces until somebody reads a character: each list would walk through it again. */
function inOnePiece(text: string): string {
  return text.startsWith('{') ? text : '{}';
}
