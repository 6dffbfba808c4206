import type { IncomingMessage, ServerResponse } from 'node:http';
import { endLingering } from '../http/answer.js';
import { giveHead, isHttp2 } from '../http/message.js';
import type { ResponseHead } from './response-head.js';

/** Up to this size, in bytes, Node sends a body as one piece with its head if it is a string. */
const onePiece = 15 * 1024;

/** The app's answer on its way to the client. */
export class ClientAnswer {
  /** Whether the head was written. */
  started = false;

  /**
   * @param hasBody whether the request has a body, which may still be arriving. @param setCookies
   *   `Set-Cookie` values to add
   */
  constructor(
    private readonly inbound: IncomingMessage,
    private readonly outbound: ServerResponse,
    private readonly hasBody: boolean,
    private readonly setCookies: readonly string[],
  ) {}

  /** Passes on the links of early hints (103), which HTTP/1.0 does not know. */
  hint({ headers }: ResponseHead): void {
    const link = headers.filter(
      (_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'link',
    );
    if (link.length === 0 || this.inbound.httpVersion === '1.0') return;
    try {
      this.outbound.writeEarlyHints({ link });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // Node takes one well-formed link a header
    }
  }

  /** Sends a complete answer. */
  whole(head: ResponseHead, body: Buffer | undefined): void {
    const { kind } = head.framing;
    if (kind === 'chunked' || kind === 'close')
      head.headers.push('Content-Length', String(body?.length ?? 0));
    if (this.unread && !isHttp2(this.inbound)) head.headers.push('Connection', 'close');
    this.writeHead(head);
    if (this.unread) endLingering(this.inbound, this.outbound, body ?? '');
    else if (body === undefined) this.outbound.end();
    else if (body.length <= onePiece) this.outbound.end(body.toString('latin1'), 'latin1');
    else this.outbound.end(body);
  }

  /** Sends the head of an answer whose body arrives in chunks. */
  start(head: ResponseHead): void {
    this.writeHead(head);
    this.outbound.flushHeaders();
  }

  /** Sends more of the body. @returns whether there is room for more; otherwise {@link onRoom} */
  write(chunk: Buffer): boolean {
    const { outbound } = this;
    outbound.write(chunk);
    // Bytes that the kernel accepted at once need no waiting.
    return outbound.writableLength < outbound.writableHighWaterMark;
  }

  /** Ends the body. @param trailers names and values in turn; an HTTP/1.0 client gets none */
  end(trailers: readonly string[]): void {
    if (trailers.length > 0) this.outbound.addTrailers(asObject(trailers));
    // The app answered before it had the whole body: the rest cannot be distinguished from the next
    // request.
    if (this.unread) endLingering(this.inbound, this.outbound, '');
    else this.outbound.end();
  }

  /** Calls back when there is room again. */
  onRoom(action: () => void): void {
    this.outbound.once('drain', action);
  }

  private get unread(): boolean {
    return this.hasBody && !this.inbound.complete;
  }

  private writeHead({ status, reason, headers }: ResponseHead): void {
    this.started = true;
    for (const cookie of this.setCookies) headers.push('Set-Cookie', cookie);
    giveHead(this.outbound, status, reason, headers);
  }
}

/** Headers by their name in lower case; those of one name joined. */
function asObject(headers: readonly string[]): Record<string, string> {
  const object: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] as string).toLowerCase();
    const value = headers[index + 1] as string;
    object[name] = object[name] === undefined ? value : `${object[name]}, ${value}`;
  }
  return object;
}
