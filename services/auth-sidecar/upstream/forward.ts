import type { IncomingMessage, ServerResponse } from 'node:http';
import { abortAnswer, isSendableStatus, writeEarlyHints } from '../http/message.js';
import { headerValues } from '../http/raw-headers.js';
import { AppAnswer } from './app-answer.js';
import type { UpstreamConnection, Exchange, ExchangeFailure } from './connection.js';
import type { UpstreamPool } from './pool.js';
import { MalformedResponse, type ResponseHead } from './response-head.js';
import { whenClientDrained } from './slow-client.js';

/** A request for the app. */
export interface UpstreamRequest {
  readonly method: string;
  /** Request line and headers without the framing of the body, each line with its ending. */
  readonly head: string;
  /** As the client sent it; undefined if it sent none. */
  readonly contentLength: string | undefined;
  readonly chunked: boolean;
  /** Whether the client sends its body only after `100 Continue`. */
  readonly expectContinue: boolean;
  /** `Set-Cookie` values that the sidecar adds to the answer. */
  readonly setCookies: readonly string[];
  /** How long the app may be silent before its answer, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** How long the client may take nothing of an answer that waits for it, in milliseconds. */
  readonly clientIdleTimeoutMs: number;
  /** Called when the answer is an event stream, which may stay open. */
  readonly onEventStream: () => void;
}

/** How forwarding ended without the app's answer. */
export type ForwardFailure = 'unreachable' | 'malformed' | 'timeout';

const retryableMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sends a request to the app and its answer to the client, streaming both ways. If the app fails
 * before any part of the answer was sent, `onFailure` is called once and answers the client; later
 * failures close the client's connection, so that an incomplete answer is recognizable.
 *
 * @returns a function to call when the client's side has closed, whether or not it was answered.
 */
export function forward(
  pool: UpstreamPool,
  request: UpstreamRequest,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  onFailure: (failure: ForwardFailure) => void,
): () => void {
  const forwarding = new Forwarding(pool, request, inbound, outbound, onFailure);
  forwarding.start();
  return forwarding.onClientGone;
}

class Forwarding implements Exchange {
  private connection: UpstreamConnection | undefined;
  private answerHead: ResponseHead | undefined;
  private firstChunk: Buffer | undefined;
  private trailers: readonly string[] = [];
  private isComplete = false;
  private isFinished = false;
  private isBodyStarted = false;
  private isWaitingForDrain = false;
  private isRetried = false;
  private continueTimer: NodeJS.Timeout | undefined;
  private readonly hasBody: boolean;
  private readonly answer: AppAnswer;

  constructor(
    private readonly pool: UpstreamPool,
    private readonly request: UpstreamRequest,
    private readonly inbound: IncomingMessage,
    private readonly outbound: ServerResponse,
    private readonly onForwardFailure: (failure: ForwardFailure) => void,
  ) {
    this.hasBody =
      request.chunked || (request.contentLength !== undefined && request.contentLength !== '0');
    this.answer = new AppAnswer(inbound, outbound, this.hasBody, request.setCookies);
  }

  start(): void {
    if (this.hasBody) this.inbound.once('error', this.onClientGone);
    const idle = this.pool.take();
    if (idle === undefined) this.pool.connect(this.onConnection);
    else this.send(idle);
  }

  private readonly onConnection = (connection: UpstreamConnection | undefined): void => {
    if (this.isFinished) connection?.abandon();
    else if (connection === undefined) this.fail('unreachable');
    else this.send(connection);
  };

  private send(connection: UpstreamConnection): void {
    this.connection = connection;
    const { method, head, contentLength, chunked, expectContinue, idleTimeoutMs } = this.request;
    connection.begin(method, this, idleTimeoutMs);
    const { socket } = connection;
    if (!this.hasBody) {
      socket.write(
        contentLength === undefined ? `${head}\r\n` : `${head}Content-Length: 0\r\n\r\n`,
        'latin1',
      );
      connection.onSent();
      return;
    }
    const framing = chunked
      ? 'Transfer-Encoding: chunked\r\n'
      : `Content-Length: ${String(contentLength)}\r\n`;
    if (expectContinue) {
      socket.write(`${head}${framing}Expect: 100-continue\r\n\r\n`, 'latin1');
      // An app without support for it waits for the body: then the body is requested after a
      // second.
      this.continueTimer = setTimeout(() => this.sendBody(), 1000);
    } else {
      socket.cork();
      socket.write(`${head}${framing}\r\n`, 'latin1');
      this.sendBody();
      process.nextTick(() => socket.uncork());
    }
  }

  private sendBody(): void {
    const { inbound, connection } = this;
    if (this.isBodyStarted || connection === undefined) return;
    this.isBodyStarted = true;
    clearTimeout(this.continueTimer);
    if (this.request.expectContinue) this.outbound.writeContinue();
    const { socket } = connection;
    const { chunked } = this.request;
    const onDrain = (): void => void inbound.resume();
    const isCurrent = (): boolean => this.connection === connection && !socket.destroyed;
    inbound.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return;
      if (chunked) {
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        socket.write('\r\n', 'latin1');
        socket.uncork();
      } else socket.write(chunk);
      // What the kernel accepted at once needs no waiting, whatever its size.
      if (socket.writableLength >= socket.writableHighWaterMark) {
        inbound.pause();
        socket.once('drain', onDrain);
      }
    });
    inbound.once('end', () => {
      if (!isCurrent()) return;
      if (chunked) socket.write('0\r\n\r\n', 'latin1');
      connection.onSent();
    });
  }

  onInformation(head: ResponseHead): void {
    if (head.status === 100 && this.request.expectContinue) this.sendBody();
    if (head.status === 103 && !this.isFinished)
      writeEarlyHints(this.inbound, this.outbound, head.headers);
  }

  onHead(head: ResponseHead): void {
    clearTimeout(this.continueTimer);
    if (head.status === 101) throw new MalformedResponse('an upgrade that was not requested');
    if (!isSendableStatus(this.inbound, head.status)) throw new MalformedResponse('the status');
    this.answerHead = head;
  }

  onBody(chunk: Buffer): void {
    if (this.firstChunk === undefined && !this.answer.isStarted) {
      this.firstChunk = chunk;
      return;
    }
    this.startAnswer();
    this.write(chunk);
  }

  onEnd(trailers: readonly string[]): void {
    this.trailers = trailers;
    this.isComplete = true;
  }

  /** Sends what was collected: an answer that arrived as a whole is sent in one write. */
  onReadProcessed(): void {
    const { answerHead, answer } = this;
    if (answerHead === undefined || this.isFinished) return;
    if (!this.isComplete) {
      this.startAnswer();
      return;
    }
    this.finish();
    if (!answer.isStarted && this.trailers.length === 0) {
      answer.sendComplete(answerHead, this.firstChunk);
      return;
    }
    this.startAnswer();
    answer.end(this.trailers);
  }

  onFailure(failure: ExchangeFailure): void {
    if (
      failure === 'stale' &&
      !this.isRetried &&
      !this.hasBody &&
      retryableMethods.has(this.request.method)
    ) {
      this.isRetried = true;
      this.connection = undefined;
      this.pool.connect(this.onConnection);
      return;
    }
    this.fail(failure === 'malformed' || failure === 'timeout' ? failure : 'unreachable');
  }

  private fail(failure: ForwardFailure): void {
    if (this.isFinished) return;
    this.finish();
    if (this.answer.isStarted || this.outbound.headersSent) abortAnswer(this.outbound);
    else this.onForwardFailure(failure);
  }

  private startAnswer(): void {
    const { answer, firstChunk, answerHead } = this;
    if (answer.isStarted || answerHead === undefined) return;
    this.firstChunk = undefined;
    answer.start(answerHead);
    if (firstChunk !== undefined) this.write(firstChunk);
    if (isEventStream(answerHead)) this.request.onEventStream();
  }

  /** Makes the app wait for a slow client. */
  private write(chunk: Buffer): void {
    const { connection, answer } = this;
    if (answer.write(chunk) || this.isWaitingForDrain || connection === undefined) return;
    this.isWaitingForDrain = true;
    connection.socket.pause();
    whenClientDrained(this.inbound, this.outbound, this.request.clientIdleTimeoutMs, () => {
      this.isWaitingForDrain = false;
      if (!this.isComplete) connection.socket.resume();
    });
  }

  readonly onClientGone = (): void => {
    if (this.isFinished) return;
    this.finish();
    this.connection?.abandon();
  };

  private finish(): void {
    this.isFinished = true;
    clearTimeout(this.continueTimer);
  }
}

function isEventStream({ headers }: ResponseHead): boolean {
  return headerValues(headers, 'content-type').some((type) => /^text\/event-stream/i.test(type));
}
