import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CheckedRequest } from '../checked-request.js';
import { parseList } from '../http/field-value.js';
import { headerLines, headerValues } from '../http/raw-headers.js';
import { Refusal } from '../http/refusal.js';
import type { UpstreamPool } from './pool.js';
import { MalformedResponse, type ResponseHead } from './response-head.js';
import { ResponseParser } from './response-parser.js';

/**
 * Checks that a request with a WebSocket upgrade is a complete handshake.
 *
 * @returns the handshake's key.
 * @throws Refusal 400
 */
export function requireWebSocketKey(
  { method, headers }: Pick<CheckedRequest, 'method' | 'headers'>,
  { httpVersion, rawHeaders: raw }: IncomingMessage,
): string {
  const tokens = parseList(headers.connection.toLowerCase());
  const isHandshake =
    method === 'GET' && httpVersion === '1.1' && tokens.includes('upgrade') && !headers.chunked;
  if (!isHandshake || (headers.contentLength !== undefined && headers.contentLength !== '0'))
    throw new Refusal(400, 'This is not a WebSocket handshake.', { closesConnection: true });
  const key = onlyValue(raw, 'sec-websocket-key');
  if (key === undefined || !/^[A-Za-z0-9+/]{22}==$/.test(key))
    throw new Refusal(400, 'The WebSocket key is not valid.', { closesConnection: true });
  if (onlyValue(raw, 'sec-websocket-version') !== '13')
    throw new Refusal(426, 'The WebSocket version is 13.', {
      closesConnection: true,
      headers: { 'Sec-WebSocket-Version': '13' },
    });
  return key;
}

function onlyValue(raw: readonly string[], name: string): string | undefined {
  const [value, ...others] = headerValues(raw, name);
  return others.length === 0 ? value : undefined;
}

/** The GUID that the accept key is computed with (RFC 6455, 1.3). */
const handshakeGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const handshakeTimeoutMs = 30_000;
/** How long one side may still send after the other has ended, in milliseconds. */
const closingMs = 1000;
/** How long a client may take to read the rest of an answer other than 101, in milliseconds. */
const slowReaderMs = 30_000;

/**
 * Opens the app's side of a WebSocket and connects the two. An answer other than 101 is forwarded
 * to the client unchanged.
 *
 * @param head request line and headers for the app, without the handshake's own `Connection` and
 *   `Upgrade`.
 * @param firstBytes bytes that the client sent after its handshake.
 * @returns a function that closes the connections (at shutdown, or when the session ends).
 */
export function joinWebSocket(
  pool: UpstreamPool,
  head: string,
  key: string,
  client: Duplex,
  firstBytes: Buffer,
  onFailure: (status: number) => void,
): () => void {
  let app: Socket | undefined;
  let isAnswered = false;
  let isRefused = false;
  const end = (): void => {
    client.destroy();
    app?.destroy();
  };
  client.on('error', end);
  client.on('close', end);
  pool.open((socket) => {
    if (socket === undefined || client.destroyed) {
      socket?.destroy();
      if (!client.destroyed) onFailure(502);
      return;
    }
    app = socket;
    const refuse = (status: number): void => {
      socket.destroy();
      if (!isAnswered && !client.destroyed) onFailure(status);
    };
    socket.setTimeout(handshakeTimeoutMs, () => refuse(504));
    const onAppGone = (): void => {
      if (isRefused) return; // the client may still be reading the answer
      if (isAnswered) end();
      else refuse(502);
    };
    socket.on('error', onAppGone);
    socket.on('close', onAppGone);
    const handshakeAnswer = new HandshakeAnswer(
      socket,
      client,
      key,
      () => {
        socket.setTimeout(0);
        if (firstBytes.length > 0) socket.write(firstBytes);
        client.pipe(socket);
        socket.pipe(client);
        // After one side has ended, the other ends soon, too: no half-open pair stays.
        for (const side of [client, socket])
          side.once('end', () => setTimeout(end, closingMs).unref());
      },
      () => (isAnswered = true),
      () => {
        isRefused = true;
        client.end();
        setTimeout(end, slowReaderMs).unref();
      },
      refuse,
    );
    socket.on('data', handshakeAnswer.read);
    socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 'latin1');
  });
  return end;
}

/** Reads the app's answer to a handshake. */
class HandshakeAnswer {
  private head: ResponseHead | undefined;
  private readonly parser: ResponseParser;

  constructor(
    private readonly app: Socket,
    private readonly client: Duplex,
    private readonly key: string,
    private readonly join: () => void,
    private readonly onAnswer: () => void,
    /** Called at the end of an answer other than 101. */
    private readonly onRefusalEnd: () => void,
    private readonly refuse: (status: number) => void,
  ) {
    this.parser = new ResponseParser({
      onInformation: () => undefined,
      onHead: (head) => this.onHead(head),
      onBody: (chunk) => this.onBody(chunk),
      onEnd: () => {
        if (this.head?.status !== 101) this.onRefusalEnd();
      },
    });
    this.parser.begin('GET');
    app.once('end', () => this.parser.finish());
  }

  readonly read = (chunk: Buffer): void => {
    let followingBytes: Buffer;
    try {
      followingBytes = this.parser.read(chunk);
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      this.refuse(502);
      return;
    }
    if (this.head?.status !== 101) return;
    this.app.off('data', this.read);
    if (followingBytes.length > 0) this.client.write(followingBytes);
    this.join();
  };

  private onHead(head: ResponseHead): void {
    if (head.status === 101 && !this.accepts(head))
      throw new MalformedResponse('the WebSocket handshake');
    this.head = head;
    this.onAnswer();
    const connection =
      head.status === 101 ? 'Connection: Upgrade\r\nUpgrade: websocket' : 'Connection: close';
    this.client.write(
      `HTTP/1.1 ${head.status} ${head.reason}\r\n${headerLines(head.headers)}${connection}\r\n\r\n`,
      'latin1',
    );
  }

  /** Makes the app wait for a slow client. */
  private onBody(chunk: Buffer): void {
    if (this.client.write(chunk) || this.app.isPaused()) return;
    this.app.pause();
    this.client.once('drain', () => this.app.resume());
  }

  private accepts(head: ResponseHead): boolean {
    const acceptKey = createHash('sha1')
      .update(this.key + handshakeGuid)
      .digest('base64');
    const [accept] = headerValues(head.headers, 'sec-websocket-accept');
    return head.upgrade?.toLowerCase() === 'websocket' && accept === acceptKey;
  }
}
