import type { IncomingMessage, ServerResponse } from 'node:http';
import { endLingering } from '../http/answer.js';
import type { UpstreamConnection, Exchange, ExchangeFailure } from './connection.js';
import type { UpstreamPool } from './pool.js';
import type { ResponseHead } from './response-head.js';

/** A request as it goes to the app. */
export interface OutboundRequest {
  readonly method: string;
  /** Request line and headers without the framing of the body, each line with its ending. */
  readonly head: string;
  readonly contentLength: string | undefined;
  readonly chunked: boolean;
  readonly expectContinue: boolean;
  /** `Set-Cookie` values that the sidecar adds to the answer. */
  readonly setCookies: readonly string[];
}

/** How forwarding ended without the app's answer. */
export type ForwardFailure = 'unreachable' | 'malformed' | 'timeout';

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sends a request to the app and its answer to the client, streaming both ways. When nothing of the answer was sent yet and the app fails,
 * `failed` is told once and answers itself; later failures end the client's connection, so that a cut answer is seen as one.
 */
export function forward(
  pool: UpstreamPool,
  request: OutboundRequest,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  failed: (failure: ForwardFailure) => void,
): void {
  new Forwarding(pool, request, inbound, outbound, failed).start();
}

class Forwarding implements Exchange {
  private connection: UpstreamConnection | undefined;
  private answer: ResponseHead | undefined;
  private headWritten = false;
  private held: Buffer | undefined;
  private ended = false;
  private gone = false;
  private bodyStarted = false;
  private waitingForDrain = false;
  private retried = false;
  private continued: NodeJS.Timeout | undefined;
  private readonly hasBody: boolean;

  constructor(
    private readonly pool: UpstreamPool,
    private readonly request: OutboundRequest,
    private readonly inbound: IncomingMessage,
    private readonly outbound: ServerResponse,
    private readonly onFailure: (failure: ForwardFailure) => void,
  ) {
    this.hasBody = request.chunked || (request.contentLength !== undefined && request.contentLength !== '0');
  }

  start(): void {
    this.outbound.once('close', this.onClientGone);
    if (this.hasBody) this.inbound.once('error', this.onClientGone);
    const kept = this.pool.take();
    if (kept === undefined) this.pool.connect(this.onConnection);
    else this.send(kept);
  }

  private readonly onConnection = (connection: UpstreamConnection | undefined): void => {
    if (this.gone) connection?.abandon();
    else if (connection === undefined) this.fail('unreachable');
    else this.send(connection);
  };

  private send(connection: UpstreamConnection): void {
    this.connection = connection;
    connection.begin(this.request.method, this);
    const { head, contentLength, chunked, expectContinue } = this.request;
    const { socket } = connection;
    if (!this.hasBody) {
      socket.write(contentLength === undefined ? `${head}\r\n` : `${head}Content-Length: 0\r\n\r\n`, 'latin1');
      connection.sent();
      return;
    }
    const framing = chunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${String(contentLength)}\r\n`;
    if (expectContinue) {
      socket.write(`${head}${framing}Expect: 100-continue\r\n\r\n`, 'latin1');
      // An app that knows nothing of it waits for the body: then it is asked for after a second.
      this.continued = setTimeout(() => this.sendBody(), 1000);
    } else {
      socket.cork();
      socket.write(`${head}${framing}\r\n`, 'latin1');
      this.sendBody();
      process.nextTick(() => socket.uncork());
    }
  }

  private sendBody(): void {
    const { inbound, connection } = this;
    if (this.bodyStarted || connection === undefined) return;
    this.bodyStarted = true;
    clearTimeout(this.continued);
    if (this.request.expectContinue) this.outbound.writeContinue();
    const { socket } = connection;
    const { chunked } = this.request;
    const onDrain = (): void => void inbound.resume();
    const still = (): boolean => this.connection === connection && !socket.destroyed;
    inbound.on('data', (chunk: Buffer) => {
      if (!still()) return;
      let flowing: boolean;
      if (chunked) {
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        flowing = socket.write('\r\n', 'latin1');
        socket.uncork();
      } else flowing = socket.write(chunk);
      if (!flowing) {
        inbound.pause();
        socket.once('drain', onDrain);
      }
    });
    inbound.once('end', () => {
      if (!still()) return;
      if (chunked) socket.write('0\r\n\r\n', 'latin1');
      connection.sent();
    });
  }

  information(head: ResponseHead): void {
    if (head.status === 100 && this.request.expectContinue) this.sendBody();
  }

  head(head: ResponseHead): void {
    clearTimeout(this.continued);
    this.answer = head;
  }

  body(chunk: Buffer): void {
    if (this.held === undefined && !this.headWritten) {
      this.held = chunk;
      return;
    }
    this.flushHead();
    this.write(chunk);
  }

  end(): void {
    this.ended = true;
  }

  flush(): void {
    if (this.answer === undefined || this.gone) return;
    if (!this.ended) {
      this.flushHead();
      return;
    }
    this.settle();
    if (!this.headWritten) this.writeHead();
    // The app answered before it had the whole body: what is still to come can't be told from the next request.
    if (this.hasBody && !this.inbound.complete) endLingering(this.inbound, this.outbound, this.held ?? '');
    else if (this.held === undefined) this.outbound.end();
    // As text a small body goes out in one piece with the head.
    else if (this.held.length <= 16 * 1024) this.outbound.end(this.held.toString('latin1'), 'latin1');
    else this.outbound.end(this.held);
  }

  failed(failure: ExchangeFailure): void {
    if (failure === 'stale' && !this.retried && !this.hasBody && repeatable.has(this.request.method)) {
      this.retried = true;
      this.connection = undefined;
      this.pool.connect(this.onConnection);
      return;
    }
    this.fail(failure === 'malformed' ? 'malformed' : failure === 'timeout' ? 'timeout' : 'unreachable');
  }

  private fail(failure: ForwardFailure): void {
    if (this.gone) return;
    this.settle();
    if (this.headWritten || this.outbound.headersSent) this.outbound.destroy();
    else this.onFailure(failure);
  }

  private flushHead(): void {
    if (this.headWritten) return;
    this.writeHead();
    if (this.held === undefined) this.outbound.flushHeaders();
    else this.write(this.held);
    this.held = undefined;
  }

  private writeHead(): void {
    const { status, reason, headers } = this.answer as ResponseHead;
    this.headWritten = true;
    for (const cookie of this.request.setCookies) headers.push('Set-Cookie', cookie);
    if (this.hasBody && !this.inbound.complete && this.ended) headers.push('Connection', 'close');
    this.outbound.writeHead(status, reason, headers);
  }

  private write(chunk: Buffer): void {
    if (this.outbound.write(chunk) || this.waitingForDrain) return;
    this.waitingForDrain = true;
    const socket = this.connection?.socket;
    socket?.pause();
    this.outbound.once('drain', () => {
      this.waitingForDrain = false;
      socket?.resume();
    });
  }

  private readonly onClientGone = (): void => {
    if (this.gone) return;
    this.settle();
    this.connection?.abandon();
  };

  private settle(): void {
    this.gone = true;
    clearTimeout(this.continued);
    this.outbound.off('close', this.onClientGone);
  }
}
