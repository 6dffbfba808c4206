import type { Socket } from 'node:net';
import type { ResponseEvents } from './response-parser.js';
import { ResponseParser } from './response-parser.js';
import type { ResponseHead } from './response-head.js';
import { MalformedResponse } from './response-head.js';

/** Why an exchange failed. `stale`: a kept connection ended before anything came, so the request may be sent again. */
export type ExchangeFailure = 'stale' | 'connect' | 'malformed' | 'closed' | 'timeout';

/** Whoever waits for a response. */
export interface Exchange extends ResponseEvents {
  /** The bytes that came together were all read: what is gathered may be written. */
  flush(): void;
  failed(failure: ExchangeFailure): void;
}

/** One connection to the app, kept for one request after another. */
export class UpstreamConnection {
  private exchange: Exchange | undefined;
  private parser: ResponseParser | undefined;
  private reusable = true;
  private requestSent = true;
  /** How many requests it has carried. */
  uses = 0;
  /** When it was put back, in milliseconds. */
  idleSince = 0;

  constructor(
    readonly socket: Socket,
    private readonly onFree: (connection: UpstreamConnection) => void,
    private readonly onGone: (connection: UpstreamConnection) => void,
  ) {
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('end', () => this.ended());
    socket.on('error', () => this.fail('closed'));
    socket.on('close', () => {
      this.fail('closed');
      this.onGone(this);
    });
    socket.on('timeout', () => {
      // While a response is streamed silence is legal (server-sent events); before its head it isn't.
      if (this.parser !== undefined && !this.headSeen) this.fail('timeout');
    });
  }

  private headSeen = false;

  get idle(): boolean {
    return this.exchange === undefined;
  }

  /** Takes the next request's exchange. The caller then writes the request and says when it is whole. */
  begin(method: string, exchange: Exchange): void {
    this.uses++;
    this.exchange = exchange;
    this.requestSent = false;
    this.headSeen = false;
    this.parser = new ResponseParser(method, {
      information: (head) => exchange.information(head),
      head: (head: ResponseHead) => {
        this.headSeen = true;
        this.reusable = head.reusable;
        exchange.head(head);
      },
      body: (chunk) => exchange.body(chunk),
      end: () => exchange.end(),
    });
  }

  /** The request's last byte was written. */
  sent(): void {
    this.requestSent = true;
  }

  /** Ends the connection, whatever it carries; nobody is told. */
  abandon(): void {
    this.exchange = undefined;
    this.parser = undefined;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    const { parser, exchange } = this;
    if (parser === undefined || exchange === undefined) {
      this.socket.destroy(); // bytes that nobody asked for: they must not become the answer to the next request
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
    this.parser = undefined;
    exchange.flush();
    if (this.reusable && this.requestSent && rest.length === 0 && !this.socket.destroyed) {
      // A slow client may have paused it: an answer that ended meanwhile never drains, and the next one would never be read.
      this.socket.resume();
      this.onFree(this);
    } else this.socket.destroy();
  }

  private ended(): void {
    if (this.parser?.endsByClose === true) {
      const { exchange, parser } = this;
      this.exchange = undefined;
      this.parser = undefined;
      parser.finish();
      exchange?.flush();
    }
    this.fail('closed');
  }

  private fail(failure: ExchangeFailure): void {
    const { exchange, parser } = this;
    this.exchange = undefined;
    this.parser = undefined;
    this.socket.destroy();
    if (exchange === undefined) return;
    exchange.failed(failure === 'closed' && this.uses > 1 && parser?.untouched === true ? 'stale' : failure);
  }
}
