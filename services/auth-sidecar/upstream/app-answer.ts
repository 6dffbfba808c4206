import type { IncomingMessage, ServerResponse } from 'node:http';
import { endWithLingeringClose } from '../http/answer.js';
import { writeHead, writeTrailers, isHttp2 } from '../http/message.js';
import type { ResponseHead } from './response-head.js';

/** Up to this size, in bytes, Node writes a body together with its head if it is a string. */
const maxSingleWriteBytes = 15 * 1024;

/**
 * The app's answer on its way to the client. Parts of a body are copied: the next read from the app
 * overwrites them.
 */
export class AppAnswer {
  /** Whether the head was written. */
  isStarted = false;

  /**
   * @param hasRequestBody whether the request has a body, which may still be arriving.
   * @param setCookies `Set-Cookie` values to add.
   */
  constructor(
    private readonly inbound: IncomingMessage,
    private readonly outbound: ServerResponse,
    private readonly hasRequestBody: boolean,
    private readonly setCookies: readonly string[],
  ) {}

  /** Sends a complete answer. */
  sendComplete(head: ResponseHead, body: Buffer | undefined): void {
    const { kind } = head.framing;
    if (kind === 'chunked' || kind === 'close')
      head.headers.push('Content-Length', String(body?.length ?? 0));
    if (this.isBodyUnread && !isHttp2(this.inbound)) head.headers.push('Connection', 'close');
    this.writeHead(head);
    const isSmall = body !== undefined && body.length > 0 && body.length <= maxSingleWriteBytes;
    if (isSmall && !this.isBodyUnread && !isHttp2(this.inbound)) this.sendInOneWrite(body);
    else this.finish(body && Buffer.from(body));
  }

  /** Sends the head of an answer whose body arrives in chunks. */
  start(head: ResponseHead): void {
    this.writeHead(head);
    this.outbound.flushHeaders();
  }

  /** Sends more of the body. @returns whether there is room for more before `drain` */
  write(chunk: Buffer): boolean {
    const { outbound } = this;
    outbound.write(Buffer.from(chunk));
    // Bytes that the kernel accepted at once need no waiting.
    return outbound.writableLength < outbound.writableHighWaterMark;
  }

  /** Ends the body. @param trailers names and values in turn */
  end(trailers: readonly string[]): void {
    writeTrailers(this.outbound, trailers);
    this.finish();
  }

  /**
   * Whether the app answered before the request's body was complete: its rest would be read as the
   * next request.
   */
  private get isBodyUnread(): boolean {
    return this.hasRequestBody && !this.inbound.complete;
  }

  /**
   * Writes head and body by one system call, as one text: `end` with a body would need a vectored
   * write, which is slower.
   */
  private sendInOneWrite(body: Buffer): void {
    this.outbound.write(body.toString('latin1'), 'latin1');
    process.nextTick(() => this.outbound.end());
  }

  private finish(lastChunk: Buffer | '' = ''): void {
    if (this.isBodyUnread) endWithLingeringClose(this.inbound, this.outbound, lastChunk);
    else this.outbound.end(lastChunk);
  }

  private writeHead({ status, reason, headers }: ResponseHead): void {
    this.isStarted = true;
    for (const cookie of this.setCookies) headers.push('Set-Cookie', cookie);
    writeHead(this.outbound, status, reason, headers);
  }
}
