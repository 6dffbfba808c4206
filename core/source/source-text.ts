import type { SourceLocation } from '../findings/finding.js';

/** A file's text, with line and column of its offsets. Line starts are computed on first use. */
export class SourceText {
  readonly #lineStarts: number[] = [];
  /** The whole text, without a byte order mark. */
  readonly text: string;

  /** @param file the path as the user wrote it. */
  constructor(
    readonly file: string,
    text: string,
  ) {
    this.text = text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  /** The location of a range of offsets; lines and columns count from 1, the end is exclusive. */
  location(start: number, end: number = start): SourceLocation {
    const from = this.position(start);
    const to = this.position(Math.max(start, end));
    return {
      file: this.file,
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
    };
  }

  /** The line and column of an offset, both from 1. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.#starts();
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The text of a line, without its end. */
  line(number: number): string {
    const starts = this.#starts();
    const start = starts[number - 1];
    if (start === undefined) return '';
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/\r?\n$/, '');
  }

  /** How many lines there are. */
  get lineCount(): number {
    return this.#starts().length;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts.length > 0) return this.#lineStarts;
    this.#lineStarts.push(0);
    for (
      let offset = this.text.indexOf('\n');
      offset !== -1;
      offset = this.text.indexOf('\n', offset + 1)
    )
      this.#lineStarts.push(offset + 1);
    return this.#lineStarts;
  }
}
