import { MalformedResponse, parseHead, parseTrailer, type ResponseHead } from './response-head.js';

/** The events of a parser. */
export interface ResponseEvents {
  /** A 1xx answer other than 101. */
  onInformation(head: ResponseHead): void;
  /** A final answer, or 101. */
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  /** @param trailers names and values in turn, without those that belong in a head */
  onEnd(trailers: readonly string[]): void;
}

const maxHeadBytes = 64 * 1024;
const maxSizeLineBytes = 1024;
const maxTrailersBytes = 16 * 1024;
const noBytes = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
/** A chunk's size, and extensions, which are dropped (RFC 9112, 7.1.1). */
const sizeLine =
  /^([0-9A-Fa-f]{1,12})(?:;[\w!#$%&'*+.^`|~-]+(?:=(?:[\w!#$%&'*+.^`|~-]+|"(?:[\t !#-[\]-~]|\\[\t -~])*"))?)*$/;

/**
 * What comes next: `length` and `close` are in a body that ends after so many bytes or with the
 * connection; `size`, `data`, `data-end` and `trailers` are in one that is chunked.
 */
type State = 'head' | 'length' | 'close' | 'size' | 'data' | 'data-end' | 'trailers' | 'done';

/**
 * Parses one response after another from a byte stream, strictly, and never beyond its end. Bodies
 * are passed on as they arrive; only an incomplete head is stored.
 */
export class ResponseParser {
  private state: State = 'head';
  private pending: Buffer | undefined;
  private remaining = 0;
  private trailerBytes = 0;
  private trailers: string[] = [];

  private method = '';

  constructor(private readonly events: ResponseEvents) {}

  /** Starts the next response. @param method of its request */
  begin(method: string): void {
    this.method = method;
    this.state = 'head';
    this.pending = undefined;
    this.remaining = 0;
    this.trailerBytes = 0;
    this.trailers = [];
  }

  get isDone(): boolean {
    return this.state === 'done';
  }

  /** Whether the body ends with the connection. */
  get endsByClose(): boolean {
    return this.state === 'close';
  }

  /** Whether nothing has arrived yet. */
  get isUntouched(): boolean {
    return this.state === 'head' && this.pending === undefined;
  }

  /**
   * @param chunk is processed at once: incomplete parts are copied, so that its memory can be
   *   reused.
   * @returns the bytes after the response; empty if there are none.
   * @throws MalformedResponse
   */
  read(chunk: Buffer): Buffer {
    let followingBytes = chunk;
    while (followingBytes.length > 0 && this.state !== 'done')
      followingBytes = this.step(followingBytes);
    return followingBytes;
  }

  /** The connection closed, which completes a response without another end. */
  finish(): void {
    if (this.state === 'close') this.complete();
  }

  private step(chunk: Buffer): Buffer {
    switch (this.state) {
      case 'head':
        return this.readHead(chunk);
      case 'close':
        this.events.onBody(chunk);
        return noBytes;
      case 'size':
        return this.readSize(chunk);
      case 'length':
      case 'data':
        return this.readBody(chunk);
      case 'data-end':
        return this.readDataEnd(chunk);
      case 'trailers':
        return this.readTrailer(chunk);
      case 'done':
        return chunk;
    }
  }

  private readHead(chunk: Buffer): Buffer {
    const bytes = this.pending === undefined ? chunk : Buffer.concat([this.pending, chunk]);
    const from = this.pending === undefined ? 0 : Math.max(0, this.pending.length - 3);
    const end = bytes.indexOf(headEnd, from);
    if (end < 0 || end > maxHeadBytes) {
      if (bytes.length > maxHeadBytes) throw new MalformedResponse('a head of more than 64 KB');
      this.pending = Buffer.from(bytes);
      return noBytes;
    }
    this.pending = undefined;
    const head = parseHead(bytes.toString('latin1', 0, end + 2), this.method);
    const followingBytes = bytes.subarray(end + 4);
    if (head.status < 200 && head.status !== 101) {
      if (!head.isReusable)
        throw new MalformedResponse('an interim answer that ends the connection');
      this.events.onInformation(head);
      return followingBytes;
    }
    this.events.onHead(head);
    const { framing } = head;
    if (framing.kind === 'length') this.remaining = framing.length;
    if (framing.kind === 'none' || (framing.kind === 'length' && framing.length === 0))
      this.complete();
    else this.state = framing.kind === 'chunked' ? 'size' : framing.kind;
    return followingBytes;
  }

  private readBody(chunk: Buffer): Buffer {
    const part = chunk.length <= this.remaining ? chunk : chunk.subarray(0, this.remaining);
    this.remaining -= part.length;
    this.events.onBody(part);
    if (this.remaining === 0) {
      if (this.state === 'length') this.complete();
      else this.state = 'data-end';
    }
    return part === chunk ? noBytes : chunk.subarray(part.length);
  }

  private readSize(chunk: Buffer): Buffer {
    const [line, followingBytes] = this.takeLine(chunk, maxSizeLineBytes, 'a chunk size');
    if (line === undefined) return followingBytes;
    const size = sizeLine.exec(line)?.[1];
    if (size === undefined) throw new MalformedResponse('a chunk size');
    this.remaining = parseInt(size, 16);
    this.state = this.remaining === 0 ? 'trailers' : 'data';
    return followingBytes;
  }

  private readDataEnd(chunk: Buffer): Buffer {
    const [line, followingBytes] = this.takeLine(chunk, 1, 'the end of a chunk');
    if (line !== undefined) this.state = 'size';
    return followingBytes;
  }

  private readTrailer(chunk: Buffer): Buffer {
    const maxBytes = maxTrailersBytes - this.trailerBytes;
    const [line, followingBytes] = this.takeLine(chunk, maxBytes, 'a trailer');
    if (line === '') this.complete();
    else if (line !== undefined) {
      this.trailerBytes += line.length + 1;
      this.trailers.push(...parseTrailer(line));
    }
    return followingBytes;
  }

  /**
   * The next line without its ending, and the bytes after it; undefined until it is there.
   *
   * @param maxBytes bytes before its line feed
   */
  private takeLine(
    chunk: Buffer,
    maxBytes: number,
    part: string,
  ): readonly [line: string | undefined, followingBytes: Buffer] {
    const bytes = this.pending === undefined ? chunk : Buffer.concat([this.pending, chunk]);
    const end = bytes.indexOf(LF);
    if ((end < 0 ? bytes.length : end) > maxBytes || (end >= 0 && bytes[end - 1] !== CR))
      throw new MalformedResponse(part);
    this.pending = end < 0 ? Buffer.from(bytes) : undefined;
    if (end < 0) return [undefined, noBytes];
    return [bytes.toString('latin1', 0, end - 1), bytes.subarray(end + 1)];
  }

  private complete(): void {
    this.state = 'done';
    this.events.onEnd(this.trailers);
  }
}
