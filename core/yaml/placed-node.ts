import type { YamlKind, YamlNode } from './node.js';

/** Thrown for syntax that the plain parser leaves to the others. */
export class Unusual extends Error {}

/**
 * The locations of all nodes in document order: start, end, and the index of the first node after
 * it that is not inside it.
 */
export class Places {
  #numbers: Int32Array;
  #length = 0;

  constructor(room: number) {
    this.#numbers = new Int32Array(room);
  }

  /** The index of the next node. */
  get length(): number {
    return this.#length;
  }

  /** Starts a node and returns its index. */
  open(start: number): number {
    const index = this.#length;
    if (index + 3 > this.#numbers.length) {
      const larger = new Int32Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[index] = start;
    this.#length = index + 3;
    return index;
  }

  /** Ends a node: nodes started after it are inside it. */
  close(index: number, end: number): void {
    this.#numbers[index + 1] = end;
    this.#numbers[index + 2] = this.#length;
  }

  /** A node without children. */
  add(start: number, end: number): void {
    const index = this.open(start);
    this.#numbers[index + 1] = end;
    this.#numbers[index + 2] = index + 3;
  }

  start(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  end(index: number): number {
    return this.#numbers[index + 1] ?? 0;
  }

  next(index: number): number {
    return this.#numbers[index + 2] ?? 0;
  }
}

/** A node whose location and children are computed on first use. */
export class PlacedNode implements YamlNode {
  #children: readonly YamlNode[] | undefined;

  constructor(
    private readonly text: string,
    private readonly places: Places,
    private readonly index: number,
    readonly value: unknown,
  ) {}

  get kind(): YamlKind {
    if (this.value === null || typeof this.value !== 'object') return 'scalar';
    return Array.isArray(this.value) ? 'list' : 'map';
  }

  get start(): number {
    return this.places.start(this.index);
  }

  get end(): number {
    return this.places.end(this.index);
  }

  get children(): readonly YamlNode[] {
    return (this.#children ??= this.#makeChildren());
  }

  #makeChildren(): readonly YamlNode[] {
    const { text, places, value } = this;
    if (value === null || typeof value !== 'object') return [];
    const children: YamlNode[] = [];
    const end = places.next(this.index);
    for (let index = this.index + 3; index < end; index = places.next(index)) {
      if (Array.isArray(value))
        children.push(new PlacedNode(text, places, index, value[children.length]));
      else {
        const key = unquoted(text.slice(places.start(index), places.end(index)));
        children.push(new PlacedNode(text, places, index, key));
        index = places.next(index);
        children.push(
          new PlacedNode(text, places, index, (value as Readonly<Record<string, unknown>>)[key]),
        );
      }
    }
    return children;
  }
}

/**
 * The text of a word, with or without quotes. @throws Unusual if it has escapes that JSON does not
 * have
 */
export function unquoted(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
  if (!word.startsWith('"')) return word;
  if (!word.includes('\\')) return word.slice(1, -1);
  try {
    return JSON.parse(word) as string;
  } catch {
    throw new Unusual();
  }
}
