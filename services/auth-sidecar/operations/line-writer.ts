import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** One piece of writing, in bytes. */
const size = 64 * 1024;
/** A reader that hangs costs lines, not memory. */
const mostWaiting = 64;
const interval = 250;
/** How long the end of a process waits for a reader that is slow, and how often it looks, in milliseconds. */
const patience = 1000;
const step = 5;

/**
 * Writes lines to a file descriptor in large pieces, without waiting for the reader. Lines are laid out in memory of their own as
 * they come: kept as texts they would go through every collection of garbage, and be joined all at once.
 */
export class LineWriter {
  private piece: Buffer = Buffer.allocUnsafeSlow(size);
  private used = 0;
  private readonly waiting: Buffer[] = [];
  private spare: Buffer | undefined;
  private writing = false;
  private flushing = false;

  constructor(private readonly descriptor: number) {
    setInterval(() => this.push(), interval).unref();
  }

  /** Takes a line, with its ending; thrown away while too many wait. */
  add(line: string): void {
    if (this.hasRoom(line)) this.used += this.piece.write(line, this.used);
  }

  /** Takes a line as {@link add} does. @param line of ASCII alone, which is written as it is */
  addAscii(line: string): void {
    if (this.hasRoom(line)) this.used += this.piece.write(line, this.used, 'latin1');
  }

  /** Makes room for a line, if need be; a line that is longer than all of it goes a way of its own. */
  private hasRoom(line: string): boolean {
    if (line.length * 3 <= size - this.used) return true;
    this.push();
    if (this.waiting.length >= mostWaiting) return false;
    if (line.length * 3 <= size) return true;
    this.waiting.push(Buffer.from(line));
    this.write();
    return false;
  }

  /** Writes what there is soon. */
  push(): void {
    if (this.used > 0 && this.waiting.length < mostWaiting) {
      this.waiting.push(this.piece.subarray(0, this.used));
      this.piece = this.spare ?? Buffer.allocUnsafeSlow(size);
      this.spare = undefined;
      this.used = 0;
    }
    this.write();
  }

  /**
   * Writes what there is, at the end of the process: after the piece that is on its way, of which only a part may be taken. A reader that
   * hangs isn't waited for long.
   */
  async flush(): Promise<void> {
    const latest = Date.now() + patience;
    this.flushing = true;
    while (this.writing && Date.now() < latest) await setTimeout(step);
    if (!this.writing) {
      for (const each of [...this.waiting.splice(0), this.piece.subarray(0, this.used)]) await this.writeNow(each, latest);
      this.used = 0;
    }
    this.flushing = false;
  }

  private async writeNow(piece: Buffer, latest: number): Promise<void> {
    for (let from = 0; from < piece.length;)
      try {
        from += fs.writeSync(this.descriptor, piece, from);
      } catch (error) {
        // The reader is gone, or a pipe stays full: there is nowhere to say so.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() >= latest) return;
        await setTimeout(step);
      }
  }

  private write(): void {
    const [first] = this.waiting;
    if (this.writing || this.flushing || first === undefined) return;
    this.writing = true;
    fs.write(this.descriptor, first, 0, first.length, null, (error, written) => {
      this.writing = false;
      if (error?.code === 'EAGAIN') return; // a full pipe: tried again with the next push
      // Bytes that can't be written at all have nowhere to be reported.
      if (error === null && written < first.length) this.waiting[0] = first.subarray(written);
      else {
        this.waiting.shift();
        if (first.buffer.byteLength === size && first.byteOffset === 0) this.spare ??= Buffer.from(first.buffer);
      }
      this.write();
    });
  }
}
