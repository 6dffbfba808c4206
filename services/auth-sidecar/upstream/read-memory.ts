/** One read's most, in bytes: of a small answer, or of one that is large. */
const size = { common: 64 * 1024, own: 256 * 1024 } as const;
/** Where every connection reads to while its answers are small: they are taken out again before anything else is read. */
const common = Buffer.allocUnsafeSlow(size.common);
/** Memory of large answers, waiting for the next one. */
const spare: Buffer[] = [];
const mostSpare = 16;

/**
 * Where a connection's bytes are read to, and when that memory may be written over: by default Node takes new memory for each read, which
 * costs more than the read. Small answers go through one piece of memory that all connections share; a larger one gets a piece of its own,
 * and a new one whenever the client is slower than the app, because what waits for the client must stay as it is.
 */
export class ReadMemory {
  private current: Buffer = common;
  private next: Buffer | undefined;

  /** Memory for the next read, when it changes. For `net.connect`. */
  readonly buffer = (): Buffer => {
    const next = this.next ?? this.current;
    this.next = undefined;
    this.current = next;
    return next;
  };

  /** A chunk just read, as bytes that stay as they are until the next read. From now on this answer has memory of its own. */
  keep(chunk: Buffer): Buffer {
    if (this.current !== common) return chunk;
    this.next ??= fresh();
    return chunk.buffer === common.buffer ? Buffer.from(chunk) : chunk;
  }

  /** The chunk just read is still needed when more is read: what comes next goes elsewhere. */
  lend(): void {
    if (this.current !== common) this.next ??= fresh();
  }

  /** The answer has ended, in this very read: what isn't lent may serve another. */
  release(): void {
    const own = this.next ?? this.current;
    if (own !== common && spare.length < mostSpare) spare.push(own);
    this.next = common;
  }
}

function fresh(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(size.own);
}
