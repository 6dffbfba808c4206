import type { Socket } from 'node:net';
import { turnTime } from '../operations/turn.js';
import type { ReadMemory } from './read-memory.js';
import { MalformedResponse, type ResponseHead } from './response-head.js';
import { type ResponseEvents, ResponseParser } from './response-parser.js';

/**
 * Why an exchange failed. `stale`: a kept connection closed before any answer, so the request may
 * be sent again.
 */
export type ExchangeFailure = 'stale' | 'connect' | 'malformed' | 'closed' | 'timeout';

/**
 * The receiver of a response. A chunk of a body is valid only until the call returns: see
 * {@link ReadMemory}.
 */
export interface Exchange extends ResponseEvents {
  /** All bytes that arrived together were processed: collected data must be written now. */
  flush(): void;
  onFailure(failure: ExchangeFailure): void;
}

/** A connection to the app, used for one request after another. */
export class UpstreamConnection implements ResponseEvents {
  private exchange: Exchange | undefined;
  private readonly parser = new ResponseParser(this);
  private reusable = true;
  private requestSent = true;
  private hasHead = false;
  /** When something was last sent or the exchange started, in milliseconds. */
  private activeAt = 0;
  /** The number of its requests. */
  uses = 0;
  /** When it became idle, in milliseconds. */
  idleSince = 0;

  /** @param memory the read buffer; undefined: new memory for each read */
  constructor(
    readonly socket: Socket,
    private readonly memory: ReadMemory | undefined,
    private readonly onFree: (connection: UpstreamConnection) => void,
    private readonly onGone: (connection: UpstreamConnection) => void,
  ) {
    socket.on('end', () => this.onEnd());
    socket.on('error', () => this.fail('closed'));
    socket.on('close', () => {
      this.fail('closed');
      this.onGone(this);
    });
  }

  get idle(): boolean {
    return this.exchange === undefined;
  }

  /**
   * Starts the exchange of the next request. The caller then writes the request and reports its
   * end.
   */
  begin(method: string, exchange: Exchange): void {
    this.uses++;
    this.exchange = exchange;
    this.requestSent = false;
    this.hasHead = false;
    this.activeAt = turnTime();
    this.parser.begin(method);
  }

  /** More of the request is being sent: the app need not answer yet. */
  active(): void {
    this.activeAt = turnTime();
  }

  /** The request was written completely. */
  onSent(): void {
    this.requestSent = true;
  }

  /**
   * Fails if the app has been silent for too long before its answer's head; later silence is
   * allowed (server-sent events).
   */
  giveUpAfter(milliseconds: number, now: number): void {
    if (this.exchange !== undefined && !this.hasHead && now - this.activeAt >= milliseconds)
      this.fail('timeout');
  }

  /** Returns a chunk of the body to be written, in memory that does not change with later reads. */
  keep(chunk: Buffer): Buffer {
    return this.memory === undefined ? chunk : this.memory.keep(chunk);
  }

  /** The last returned chunk is not written yet. */
  lend(): void {
    this.memory?.lend();
  }

  /** Closes the connection without reporting an error. */
  abandon(): void {
    this.exchange = undefined;
    this.socket.destroy();
  }

  /** Bytes from the app. */
  read(chunk: Buffer): void {
    const { parser, exchange } = this;
    if (exchange === undefined) {
      this.socket.destroy(); // unrequested bytes must not become the answer to the next request
      return;
    }
    let rest: Buffer;
    try {
      rest = parser.read(chunk);
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      this.fail('malformed');
      return;
    }
    if (!parser.done) {
      exchange.flush();
      return;
    }
    this.exchange = undefined;
    exchange.flush();
    this.memory?.release();
    if (this.reusable && this.requestSent && rest.length === 0 && !this.socket.destroyed) {
      // A slow client may have paused it: after the end of that answer it would stay paused, and
      // the next one would never be read.
      if (this.socket.isPaused()) this.socket.resume();
      this.onFree(this);
    } else this.socket.destroy();
  }

  information(head: ResponseHead): void {
    this.exchange?.information(head);
  }

  head(head: ResponseHead): void {
    this.hasHead = true;
    this.reusable = head.reusable;
    this.exchange?.head(head);
  }

  body(chunk: Buffer): void {
    this.exchange?.body(chunk);
  }

  end(): void {
    this.exchange?.end();
  }

  private onEnd(): void {
    const { exchange, parser } = this;
    if (exchange !== undefined && parser.endsByClose) {
      parser.finish();
      this.exchange = undefined;
      exchange.flush();
    }
    this.fail('closed');
  }

  private fail(failure: ExchangeFailure): void {
    const { exchange, parser } = this;
    this.exchange = undefined;
    this.socket.destroy();
    exchange?.onFailure(
      failure === 'closed' && this.uses > 1 && parser.untouched ? 'stale' : failure,
    );
  }
}
