import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endLingering } from '../http/answer.js';
import { keepAliveHint, keepAliveSeconds } from '../http/idle-clients.js';
import { turnTime } from '../operations/turn.js';
import { canTakeHead, takeHead } from './own-head.js';
import type { ResponseHead } from './response-head.js';

const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`;
/** Up to this size, in bytes, a body is sent as one string with its head. */
const onePiece = 15 * 1024;

/**
 * The app's answer on its way to the client: written directly to the socket if possible, otherwise
 * by Node's response.
 */
export class ClientAnswer {
  private socket: Socket | undefined;
  private chunked = false;
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

  /** Sends a complete answer. @param body its memory may be reused after the call */
  whole(head: ResponseHead, body: Buffer | undefined): void {
    const length =
      head.framing.kind === 'length' || head.framing.kind === 'none'
        ? undefined
        : (body?.length ?? 0);
    if (!this.begin(head, length, true)) {
      if (this.unread)
        endLingering(this.inbound, this.outbound, body === undefined ? '' : Buffer.from(body));
      else if (body === undefined) this.outbound.end();
      else this.outbound.end(body.toString('latin1'), 'latin1');
      return;
    }
    const socket = this.socket as Socket;
    const text = this.text(head, length);
    if (body === undefined) socket.write(text, 'latin1');
    else if (body.length <= onePiece) writeTogether(socket, text, body);
    else {
      socket.cork();
      socket.write(text, 'latin1');
      socket.write(Buffer.from(body));
      socket.uncork();
    }
    this.outbound.end();
  }

  /**
   * Sends the head of an answer whose body arrives in chunks. @param first the first part of the
   * body
   */
  start(head: ResponseHead, first: Buffer | undefined): boolean {
    if (!this.begin(head, undefined, false)) {
      if (first !== undefined) return this.write(first);
      this.outbound.flushHeaders();
      return true;
    }
    const socket = this.socket as Socket;
    this.chunked = head.framing.kind === 'chunked' || head.framing.kind === 'close';
    socket.cork();
    socket.write(this.text(head, undefined), 'latin1');
    if (first !== undefined) this.pieces(socket, first);
    socket.uncork();
    return socket.writableLength < socket.writableHighWaterMark;
  }

  /** Sends more of the body. @returns whether there is room for more; otherwise {@link onRoom} */
  write(chunk: Buffer): boolean {
    const { socket } = this;
    if (socket === undefined) return this.outbound.write(chunk);
    if (this.chunked) {
      socket.cork();
      this.pieces(socket, chunk);
      socket.uncork();
    } else socket.write(chunk);
    // Bytes that the kernel accepted at once need no waiting.
    return socket.writableLength < socket.writableHighWaterMark;
  }

  /** Ends the body. */
  end(): void {
    if (this.chunked) this.socket?.write('0\r\n\r\n', 'latin1');
    // The app answered before it had the whole body: the rest cannot be distinguished from the next
    // request.
    if (this.unread) endLingering(this.inbound, this.outbound, '');
    else this.outbound.end();
  }

  /** Whether written bytes still wait for a slow client, in the given memory. */
  get waiting(): boolean {
    return (this.socket ?? this.outbound).writableLength > 0;
  }

  /** Calls back when there is room again. */
  onRoom(action: () => void): void {
    (this.socket ?? this.outbound).once('drain', action);
  }

  private get unread(): boolean {
    return this.hasBody && !this.inbound.complete;
  }

  private pieces(socket: Socket, chunk: Buffer): void {
    if (!this.chunked) {
      socket.write(chunk);
      return;
    }
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    socket.write(chunk);
    socket.write('\r\n', 'latin1');
  }

  /**
   * Writes the head by Node's response, or finds that it can be written directly to the socket.
   * @returns whether it can
   */
  private begin(head: ResponseHead, length: number | undefined, whole: boolean): boolean {
    const { outbound } = this;
    this.started = true;
    const { socket } = outbound; // null while an earlier request of the connection is being answered
    if (socket !== null && this.directly) {
      this.socket = socket;
      outbound.statusCode = head.status;
      return true;
    }
    const { headers } = head;
    for (const cookie of this.setCookies) headers.push('Set-Cookie', cookie);
    if (length !== undefined) headers.push('Content-Length', String(length));
    if (whole && this.unread) headers.push('Connection', 'close');
    else headers.push(...keepAliveHint(outbound));
    outbound.writeHead(head.status, head.reason, headers);
    return false;
  }

  private get directly(): boolean {
    const { inbound, outbound } = this;
    return (
      outbound.shouldKeepAlive &&
      inbound.httpVersion === '1.1' &&
      !this.unread &&
      !outbound.hasHeader('connection') &&
      canTakeHead()
    );
  }

  /** Status line and headers as text. */
  private text(head: ResponseHead, length: number | undefined): string {
    let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n${head.lines}`;
    for (const cookie of this.setCookies) text += `Set-Cookie: ${cookie}\r\n`;
    if (!head.hasDate) text += `Date: ${date()}\r\n`;
    if (length !== undefined) text += `Content-Length: ${length}\r\n`;
    else if (this.chunked) text += 'Transfer-Encoding: chunked\r\n';
    text += `${keepAlive}\r\n`;
    takeHead(this.outbound, text);
    return text;
  }
}

/** The buffer in which a head and its body are joined for one write. */
let table = Buffer.allocUnsafeSlow(2 * onePiece);

function writeTogether(socket: Socket, text: string, body: Buffer): void {
  const length = text.length + body.length;
  // TLS keeps the given memory for a while: it gets its own copy.
  if (length > table.length || 'encrypted' in socket) {
    socket.write(text + body.toString('latin1'), 'latin1');
    return;
  }
  table.write(text, 'latin1');
  table.set(body, text.length);
  socket.write(table.subarray(0, length));
  // A slow client has not received it yet: it must not change until then.
  if (socket.writableLength > 0) table = Buffer.allocUnsafeSlow(2 * onePiece);
}

let second = 0;
let dateText = '';

/** The time in HTTP's format, formatted once per second. */
function date(): string {
  const now = Math.floor(turnTime() / 1000);
  if (now !== second) [second, dateText] = [now, new Date(now * 1000).toUTCString()];
  return dateText;
}
