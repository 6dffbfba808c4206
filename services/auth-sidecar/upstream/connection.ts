import type { Socket } from 'node:net';
import { MalformedResponse, type ResponseHead } from './response-head.js';
import { type ResponseEvents, ResponseParser } from './response-parser.js';

/**
 * Why an exchange failed. `stale`: a kept connection closed before any answer, so the request may
 * be sent again.
 */
export type ExchangeFailure = 'stale' | 'malformed' | 'closed' | 'timeout';

/** The receiver of a response. The next read overwrites the parts of a body. */
export interface Exchange extends ResponseEvents {
  /** All bytes that arrived together were processed: collected data must be copied now. */
  onReadProcessed(): void;
  onFailure(failure: ExchangeFailure): void;
}

/** A connection to the app, used for one request after another. */
export class UpstreamConnection implements ResponseEvents {
  private exchange: Exchange | undefined;
  private readonly parser = new ResponseParser(this);
  private isReusable = true;
  private isRequestSent = true;
  private hasHead = false;
  private uses = 0;

  constructor(
    readonly socket: Socket,
    private readonly onFree: (connection: UpstreamConnection) => void,
    private readonly onGone: (connection: UpstreamConnection) => void,
  ) {
    // TLS only: the pool passes on what a plain socket reads
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('end', () => this.onSocketEnd());
    socket.on('timeout', () => this.onIdleTimeout());
    socket.on('error', () => this.fail('closed'));
    socket.on('close', () => {
      this.fail('closed');
      this.onGone(this);
    });
  }

  /**
   * Starts the exchange of the next request. The caller then writes the request and reports its
   * end.
   *
   * @param idleTimeoutMs how long both sides may be silent before the answer's head, in milliseconds;
   *   later silence is allowed (server-sent events).
   */
  begin(method: string, exchange: Exchange, idleTimeoutMs: number): void {
    this.uses++;
    this.exchange = exchange;
    this.isRequestSent = false;
    this.hasHead = false;
    this.socket.setTimeout(idleTimeoutMs);
    this.parser.begin(method);
  }

  /** The request was written completely. */
  onSent(): void {
    this.isRequestSent = true;
  }

  /** Keeps the connection for a later request. @param idleTimeoutMs in milliseconds */
  keepIdle(idleTimeoutMs: number): void {
    this.socket.setTimeout(idleTimeoutMs);
  }

  /** Closes the connection without reporting an error. */
  abandon(): void {
    this.exchange = undefined;
    this.socket.destroy();
  }

  /** Bytes from the app. @param chunk is not needed after the call */
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
    if (!parser.isDone) {
      exchange.onReadProcessed();
      return;
    }
    this.exchange = undefined;
    exchange.onReadProcessed();
    if (this.isReusable && this.isRequestSent && rest.length === 0 && !this.socket.destroyed) {
      // A slow client may have paused it: after the end of that answer it would stay paused, and
      // the next one would never be read.
      if (this.socket.isPaused()) this.socket.resume();
      this.onFree(this);
    } else this.socket.destroy();
  }

  onInformation(head: ResponseHead): void {
    this.exchange?.onInformation(head);
  }

  onHead(head: ResponseHead): void {
    this.hasHead = true;
    this.isReusable = head.isReusable;
    this.exchange?.onHead(head);
  }

  onBody(chunk: Buffer): void {
    this.exchange?.onBody(chunk);
  }

  onEnd(trailers: readonly string[]): void {
    this.exchange?.onEnd(trailers);
  }

  private onSocketEnd(): void {
    const { exchange, parser } = this;
    if (exchange !== undefined && parser.endsByClose) {
      parser.finish();
      this.exchange = undefined;
      exchange.onReadProcessed();
    }
    this.fail('closed');
  }

  private onIdleTimeout(): void {
    if (this.exchange === undefined) this.abandon();
    else if (!this.hasHead) this.fail('timeout');
  }

  private fail(failure: ExchangeFailure): void {
    const { exchange, parser } = this;
    this.exchange = undefined;
    this.socket.destroy();
    exchange?.onFailure(
      failure === 'closed' && this.uses > 1 && parser.isUntouched ? 'stale' : failure,
    );
  }
}
