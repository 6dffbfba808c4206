/** The size of a read: for small answers, and for large ones. */
const size = { common: 64 * 1024, own: 256 * 1024 } as const;
/**
 * The buffer of all connections while their answers are small: it is processed before anything else
 * is read.
 */
const common = Buffer.allocUnsafeSlow(size.common);
/** Buffers of large answers, for reuse. */
const spare: Buffer[] = [];
const mostSpare = 16;

/**
 * Decides which buffer a connection reads to, and when it may be overwritten: by default Node
 * allocates memory for each read, which takes longer than the read. Small answers share one buffer;
 * a larger one gets its own, and a new one whenever the client is slower than the app, because
 * unsent bytes must not change.
 */
export class ReadMemory {
  private current: Buffer = common;
  private next: Buffer | undefined;

  /** The buffer for the next read, if it changes. For `net.connect`. */
  readonly buffer = (): Buffer => {
    const next = this.next ?? this.current;
    this.next = undefined;
    this.current = next;
    return next;
  };

  /**
   * Returns a chunk in memory that does not change until the next read. From now on this answer has
   * its own buffer.
   */
  keep(chunk: Buffer): Buffer {
    if (this.current !== common) return chunk;
    this.next ??= fresh();
    return chunk.buffer === common.buffer ? Buffer.from(chunk) : chunk;
  }

  /** The last chunk is still needed after the next read, which uses another buffer. */
  lend(): void {
    if (this.current !== common) this.next ??= fresh();
  }

  /** The answer has ended in this read: a buffer that is not in use can be reused. */
  release(): void {
    const own = this.next ?? this.current;
    if (own !== common && spare.length < mostSpare) spare.push(own);
    this.next = common;
  }
}

function fresh(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(size.own);
}
